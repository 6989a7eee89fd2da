import { accessSync, constants, statSync } from "node:fs";
import type { Settings } from "../config/settings.ts";
import { type LonghandError, unlessRefused } from "../errors.ts";
import { hostNames } from "../hosts/host-list.ts";
import type { Memory } from "../memory/memory.ts";
import type { MemoryStatus } from "../memory/status.ts";
import type { Unadopted } from "../memory/unadopted.ts";

/** All names of checks. docs/troubleshooting.md has a section for each. */
export const checkNames = [
  "node",
  "sqlite",
  "proxy",
  "config",
  "state folder",
  "privacy",
  "workspace",
  "trust",
  "notes",
  "user memory",
  "index",
  "freshness",
  "sharing",
  "quarantined",
  "forgetting",
  "consolidation",
  "qmd",
  "embedder",
  "embedding",
  "vector path",
  "better vectors",
  "unused services",
  "entries",
  "secrets",
  "conflicts",
  "hosts",
  ...hostNames,
] as const;

type CheckName = (typeof checkNames)[number];

/** The result of one check. */
export interface Check {
  /** A `CheckName`, or a group of checks that could not be run. */
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do; null if nothing has to be done. */
  readonly fix: string | null;
}

/** The input of all checks. A part that is unavailable is an error, which its own check reports. */
export interface DoctorContext {
  readonly settings: Settings | LonghandError;
  /** Absent if the settings are an error. */
  readonly memory?: Memory;
  readonly status?: MemoryStatus | LonghandError;
  /** The version of longhand itself. */
  readonly version: string;
  /** Where doctor was started: hosts in this folder may be connected to a memory elsewhere. */
  readonly currentDir?: string;
  /** Markdown files that the memory does not read; absent if there are none. */
  readonly unadopted?: Unadopted;
  readonly node: { readonly version: string; readonly sqlite: string; readonly problem: string | null };
  /** The variables that name a proxy, and whether this process uses them; absent if there are none. */
  readonly proxy?: { readonly variables: readonly string[]; readonly isUsed: boolean };
}

/** The checks of one subject. One that does not apply is left out of the list. */
export type CheckGroup = (context: DoctorContext) => Promise<readonly Check[]> | readonly Check[];

export function pass(name: CheckName, detail: string, fix: string | null = null): Check {
  return { name, ok: true, detail, fix };
}

export function fail(name: CheckName, detail: string, fix: string): Check {
  return { name, ok: false, detail, fix };
}

/** Why an existing folder or file cannot be written to, as a system error code; null if it can. */
export function whyUnwritable(path: string): string | null {
  return unlessRefused(
    () => {
      const isFolder = statSync(path).isDirectory();
      accessSync(path, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
      return null;
    },
    (code) => code,
  );
}
