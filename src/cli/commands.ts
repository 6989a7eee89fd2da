import type { CommandDefinition } from "./command.ts";
import { agentCommands } from "./definitions/agents.ts";
import { maintenanceCommands } from "./definitions/maintenance.ts";
import { readingCommands } from "./definitions/reading.ts";
import { settingsCommands } from "./definitions/settings.ts";
import { startCommands } from "./definitions/start.ts";
import { writingCommands } from "./definitions/writing.ts";

/** Every command, in the order of the help. Parsing, help, completion and docs/cli.md follow from it. */
export const commands: readonly CommandDefinition[] = [
  ...startCommands,
  ...readingCommands,
  ...writingCommands,
  ...maintenanceCommands,
  ...agentCommands,
  ...settingsCommands,
];
