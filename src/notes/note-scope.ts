import type { Scope } from "../text/document.ts";

/** The facts of the entries plugin: what an agent was told about its user, a list item each. */
export const entriesPath = "memory/entries.md";

/** The long-term memory at the root of the workspace, and what the entries plugin keeps. */
export const privatePaths: readonly string[] = ["MEMORY.md", "memory.md", entriesPath];

/** Below it lies what consolidation takes out of private notes; people may put more there. */
export const privateFolder = "memory/private/";

/** Private notes are for their owner; every other note may be shown to others. */
export function scopeOf(path: string): Scope {
  // On some file systems a name in other letters leads to the same folder.
  const isBelow = path.toLowerCase().startsWith(privateFolder);
  return isBelow || privatePaths.includes(path) ? "private" : "shared";
}

/** The curated memory, which a session begins with. */
export function isLongTerm(path: string): boolean {
  return path === "MEMORY.md" || path === "memory.md";
}
