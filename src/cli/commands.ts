import type { CommandDefinition } from "./command.ts";
import { agentCommands } from "./definitions/agents.ts";
import { consolidateCommand } from "./definitions/consolidate.ts";
import { everydayCommands } from "./definitions/everyday.ts";
import { indexCommands } from "./definitions/index-care.ts";
import { setUpCommands } from "./definitions/set-up.ts";

/** Every command, in the order of the help. Parsing, help, completion and docs/cli.md follow from it. */
export const commands: readonly CommandDefinition[] = [
  ...everydayCommands,
  consolidateCommand,
  ...indexCommands,
  ...agentCommands,
  ...setUpCommands,
];
