import type { Scope } from "../text/document.ts";

/** The long-term memory at the root of the workspace is private; every other note may be shown to others. */
export function scopeOf(path: string): Scope {
  return path === "MEMORY.md" || path === "memory.md" ? "private" : "shared";
}
