import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isHiddenPart } from "./note-path.ts";

export interface MarkdownCount {
  readonly files: number;
  /** False where the folder is larger than anybody wants to wait for. */
  readonly isComplete: boolean;
}

interface CountLimits {
  /** Files and folders that do not count. */
  readonly except?: ReadonlySet<string>;
  readonly maxEntries?: number;
  readonly maxMs?: number;
  readonly clock?: () => number;
}

/** How many `.md` files a folder holds that a memory of it would read, quickly: names only, and not without end. */
export function countMarkdown(
  dir: string,
  {
    except = new Set<string>(),
    maxEntries = 50_000,
    maxMs = 250,
    clock = () => performance.now(),
  }: CountLimits = {},
): MarkdownCount {
  const endsAt = clock() + maxMs;
  const waiting = except.has(dir) ? [] : [dir];
  let files = 0;
  let entries = 0;
  while (waiting.length > 0) {
    if (entries > maxEntries || clock() > endsAt) return { files, isComplete: false };
    for (const entry of readNames(waiting.pop()!)) {
      entries++;
      const path = join(entry.parentPath, entry.name);
      if (isHiddenPart(entry.name) || except.has(path)) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && entry.name.endsWith(".md")) files++;
    }
  }
  return { files, isComplete: true };
}

function readNames(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What may not be looked into cannot be adopted either.
    return [];
  }
}
