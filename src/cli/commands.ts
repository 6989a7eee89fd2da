import type { CommandDefinition } from "./command.ts";
import { agentCommands } from "./definitions/agents.ts";
import { maintenanceCommands } from "./definitions/maintenance.ts";
import { readingCommands } from "./definitions/reading.ts";
import { settingsCommands } from "./definitions/settings.ts";
import { startCommands } from "./definitions/start.ts";
import { writingCommands } from "./definitions/writing.ts";

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandDefinition[];
}

/** Every command, in the order of the help. Parsing, help, completion and docs/cli.md are derived from it. */
export const commandGroups: readonly CommandGroup[] = [
  { title: "Start", commands: startCommands },
  { title: "Find and read", commands: readingCommands },
  { title: "Write and remove", commands: writingCommands },
  { title: "Check and index", commands: maintenanceCommands },
  { title: "Page, agents and transcripts", commands: agentCommands },
  { title: "Settings", commands: settingsCommands },
];

export const commands: readonly CommandDefinition[] = commandGroups.flatMap((group) => group.commands);
