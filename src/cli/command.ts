import type { ValueRule } from "../text/value-rule.ts";
import type { Caller } from "./caller.ts";
import type { Output } from "./output.ts";

/** What an option takes. Validation, help, the reference page and shell completion are derived from it. */
export type OptionType =
  | Exclude<ValueRule, { readonly kind: "flag" }>
  /** A `name` is a text that is not empty. */
  | { readonly kind: "text" | "name" | "folder" | "file" };

export interface OptionDefinition {
  /** As shown in the help: `-n, --max-results <N>`. */
  readonly flags: string;
  /** Absent for a flag, which takes no value. */
  readonly type?: OptionType;
  readonly description: string;
  /** Suggestions for completion, beside the names of files; other values are accepted, too. */
  readonly suggests?: readonly string[];
  /** May be given several times; the values arrive joined by commas. */
  readonly repeats?: true;
}

export interface ArgumentDefinition {
  /** In capitals, as shown in the help. */
  readonly name: string;
  readonly required: boolean;
  /** Takes all remaining words. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
  /** Suggestions for completion; other values are accepted, too. */
  readonly suggests?: readonly string[];
  /** The same, depending on the previous word. */
  readonly suggestsAfter?: Readonly<Record<string, readonly string[]>>;
  readonly completes?: "folder" | "file";
  readonly description: string;
}

/** One definition a command; help, docs/cli.md and shell completion are derived from it. */
export interface CommandDefinition {
  readonly name: string;
  /** One line, shown in the list of commands. */
  readonly summary: string;
  /** Paragraphs for the command's own help. */
  readonly details: readonly string[];
  readonly arguments: readonly ArgumentDefinition[];
  readonly options: readonly OptionDefinition[];
  readonly examples: readonly { readonly command: string; readonly does: string }[];
  /** What `--json` prints. */
  readonly json: string;
  /** Imports the command's code only when it is called, so that no command pays for loading another. */
  readonly load: () => Promise<CommandRun>;
}

/**
 * A command receives its arguments and options in one object, keyed by name (`query`, `maxResults`). Each command
 * declares the fields it reads; `never` here lets one table hold commands with different fields.
 */
type CommandRun = (context: CommandContext, input: never) => Promise<void>;

export interface GlobalOptions {
  readonly workspace?: string;
  readonly agent?: string;
  readonly config?: string;
  readonly stateDir?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly debug: boolean;
}

export interface CommandContext {
  readonly globals: GlobalOptions;
  readonly output: Output;
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean; destroy(): void };
  readonly currentDir: string;
  readonly caller: Pick<Caller, "stdout" | "stderr" | "pid" | "elapsedMs" | "exit">;
  readonly now: Date;
  /** The command continues and shows its result, but exits with a failure code. */
  readonly markFailed: () => void;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}
