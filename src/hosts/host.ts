import type { HostName } from "./host-list.ts";

/** `project` files are in the project and may be shared; `user` files apply to every project of this user. */
export type HostScope = "project" | "user";

/** How longhand is started. */
export interface Launch {
  readonly command: string;
  /** Before `mcp` or `hook`. */
  readonly args: readonly string[];
  /** The command by a plain name that shells find, where that of the servers is a path. */
  readonly shellCommand?: string | undefined;
}

export interface HostLocation {
  readonly scope: HostScope;
  readonly projectDir: string;
  /** Where this host keeps the settings of the user. */
  readonly hostHome: string;
  /** The settings file, if a variable of the host names it. */
  readonly hostFile?: string | null;
  readonly launch: Launch;
  /** Options that choose the memory, such as `--workspace`. */
  readonly options: readonly string[];
  /** The user agreed that the host runs the tools without asking. */
  readonly allowsTools: boolean;
}

/** What longhand needs in one settings file of a host. Several parts may be in one file. */
export interface HostPart {
  readonly path: string;
  readonly purpose: "MCP server" | "hooks" | "permissions" | "plugin";
  /** The same text when everything is there; throws a `host-config-unusable` error for what cannot be edited. */
  add(text: string | null): string;
  /** The text without longhand's part, the same text when there is none; null when nothing else is left. */
  remove(text: string): string | null;
  /** The command line with which the host would start the server or a hook, where this part has one. */
  commandLine?(text: string): readonly string[] | null;
  /** What somebody would write by hand. */
  readonly snippet: string;
}

/** A file or folder that is replaced as a whole; only longhand writes there. */
export interface HostCopy {
  readonly path: string;
  readonly from: string;
}

export interface HostSetup {
  readonly name: HostName;
  readonly title: string;
  readonly parts: readonly HostPart[];
  /** Files and folders of this package that the host needs as they are. */
  readonly copies?: readonly HostCopy[];
  /** What is left to a person, a sentence each. */
  readonly steps: readonly string[];
  /** The same after the host was disconnected. */
  readonly stepsAfterRemoval?: readonly string[];
}
