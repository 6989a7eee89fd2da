import type { CommandDefinition } from "./command.ts";
import { agentCommands } from "./definitions/agents.ts";
import { maintenanceCommands } from "./definitions/maintenance.ts";
import { noteCommands } from "./definitions/notes.ts";
import { settingsCommands } from "./definitions/settings.ts";
import { startCommands } from "./definitions/start.ts";

/** Every command, in the order of the help. Parsing, help, completion and docs/cli.md follow from it. */
export const commands: readonly CommandDefinition[] = [
  ...startCommands,
  ...noteCommands,
  ...maintenanceCommands,
  ...agentCommands,
  ...settingsCommands,
];
