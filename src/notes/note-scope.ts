import type { Scope } from "../text/document.ts";
import { isUserPath } from "../text/layer-path.ts";
import { foldName } from "./listed-name.ts";

/** The facts of the entries plugin: what an agent was told about its user, a list item each. */
export const entriesPath = "memory/entries.md";

/** The long-term memory at the root of the workspace, and what the entries plugin keeps. */
export const privatePaths: readonly string[] = ["MEMORY.md", "memory.md", entriesPath];

/** Below it lies what consolidation takes out of private notes; people may put more there. */
export const privateFolder = "memory/private/";

const privateNames: ReadonlySet<string> = new Set(privatePaths.map(foldName));

/**
 * Private notes are for their owner, and so is the user's memory; every other note may be shown to others. Letter case does not count: where the file
 * system ignores it `memory/Entries.md` is the same file, and a note must not change its scope from machine to machine.
 */
export function scopeOf(path: string): Scope {
  if (isUserPath(path)) return "private";
  const folded = foldName(path);
  return privateNames.has(folded) || folded.startsWith(foldName(privateFolder)) ? "private" : "shared";
}

/** The curated memory, which a session begins with. */
export function isLongTerm(path: string): boolean {
  return path === "MEMORY.md" || path === "memory.md";
}
