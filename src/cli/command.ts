import type { Output } from "./output.ts";

/** What an option takes. Checking, help, the reference page and shell completion all follow from it. */
export type OptionType =
  | { readonly kind: "flag" }
  | { readonly kind: "text" }
  /** A text that cannot be empty. */
  | { readonly kind: "name" }
  | { readonly kind: "folder" }
  | { readonly kind: "file" }
  | { readonly kind: "integer"; readonly min: number; readonly max: number }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

export interface OptionDefinition {
  /** As the help shows it: `-n, --max-results <N>`. */
  readonly flags: string;
  readonly type: OptionType;
  readonly description: string;
  /** May be given several times; the values arrive joined by commas. */
  readonly repeats?: true;
}

export interface ArgumentDefinition {
  /** In capitals, as the help shows it. */
  readonly name: string;
  readonly required: boolean;
  /** Takes every word that is left. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
  /** Offered by completion; others may be written, too. */
  readonly suggests?: readonly string[];
  /** The same, by the word before. */
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
  /** Imports the command only when it is called, so that no command pays for another's start. */
  readonly load: () => Promise<CommandRun>;
}

/**
 * A command receives its arguments and options in one object, keyed by name (`query`, `maxResults`). Each command
 * declares the fields it reads; `never` here lets one table hold commands with different fields.
 */
export type CommandRun = (context: CommandContext, input: never) => Promise<void>;

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
  readonly now: Date;
  /** The command continues and shows its result, but exits with a failure code. */
  readonly markFailed: () => void;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}
