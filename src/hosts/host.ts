import type { HostName } from "./host-list.ts";

/** `project` files are in the project and may be shared; `user` files apply to every project of this user. */
export type HostScope = "project" | "user";

/** How longhand is started. */
export interface Launch {
  readonly command: string;
  /** Arguments before `mcp` or `hook`. */
  readonly args: readonly string[];
  /** The command as a plain name that shells find, if that of the servers is a path. */
  readonly shellCommand?: string | undefined;
}

export interface HostLocation {
  readonly scope: HostScope;
  readonly projectDir: string;
  /** Where this host keeps the settings of the user. */
  readonly hostHome: string;
  /** The settings file, if one of the host's variables names it. */
  readonly hostFile?: string | null;
  readonly launch: Launch;
  /** Options that choose the memory, such as `--workspace`. */
  readonly options: readonly string[];
  /** Whether the user agreed that the host runs the tools without asking. */
  readonly allowsTools: boolean;
}

/** What longhand needs in one settings file of a host. Several parts may be in one file. */
export interface HostPart {
  readonly path: string;
  readonly purpose: "MCP server" | "hooks" | "permissions" | "plugin";
  /**
   * Returns the text unchanged if everything is there; throws a `host-config-unusable` error if it cannot be edited.
   */
  add(text: string | null): string;
  /** The text without longhand's part, unchanged if there is none; null if nothing else is left. */
  remove(text: string): string | null;
  /** The command line with which the host would start the server or a hook, if this part has one. */
  commandLine?(text: string): readonly string[] | null;
  /** What a user would write by hand. */
  readonly snippet: string;
}

/** A file or folder that is replaced as a whole; only longhand writes there. */
export interface HostCopy {
  readonly path: string;
  readonly from: string;
}

export interface HostSetup extends HostNeeds {
  readonly name: HostName;
  readonly title: string;
}

/** What is set up for a host, and what its user has to do. */
export interface HostNeeds {
  readonly parts: readonly HostPart[];
  /** Files and folders of this package that the host needs unchanged. */
  readonly copies?: readonly HostCopy[];
  /** Steps left to the user, one sentence each. */
  readonly steps: readonly string[];
  /** The same, after disconnecting the host. */
  readonly stepsAfterRemoval?: readonly string[];
}
