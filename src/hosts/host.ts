/** A program in which an agent runs. */
export type HostName = "claude-code" | "codex" | "cursor" | "vscode";

/** `project` files stand in the project and may be shared; `user` files count in every project of this user. */
export type HostScope = "project" | "user";

/** How longhand is started. */
export interface Launch {
  readonly command: string;
  /** Before `mcp` or `hook`. */
  readonly args: readonly string[];
}

export interface HostPlace {
  readonly scope: HostScope;
  readonly projectDir: string;
  readonly home: string;
  /** Where Codex keeps its settings. */
  readonly codexHome: string;
  readonly launch: Launch;
  /** Options that say which memory is meant, such as `--workspace`. */
  readonly options: readonly string[];
}

/** One settings file of a host and what longhand needs in it. */
export interface HostFile {
  readonly path: string;
  /** What it is for, in a word or two. */
  readonly purpose: "MCP server" | "hooks";
  /** The same text when everything is there; throws a `host-config-unusable` error for what cannot be edited. */
  edit(text: string | null): string;
  /** What somebody would write by hand. */
  readonly snippet: string;
}

export interface HostSetup {
  readonly name: HostName;
  readonly title: string;
  readonly files: readonly HostFile[];
  /** What is left to a person, a sentence each. */
  readonly steps: readonly string[];
}
