import { type Dirent, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeOf } from "../config/expand-path.ts";
import type { Settings } from "../config/settings.ts";
import { nameBelow } from "../notes/note-locations.ts";
import { isHiddenPart } from "../notes/note-path.ts";
import { realFolder } from "../notes/workspace.ts";
import { kindOf } from "../paths.ts";
import { monotonicMs } from "../timing.ts";

/** Markdown files that look like notes of this memory but are not indexed. */
export interface Unadopted {
  readonly dir: string;
  readonly files: number;
  /** False if there were too many to count. */
  readonly isComplete: boolean;
}

type Looked = Pick<Settings, "workspaceDir" | "workspaceOrigin" | "stateDir" | "notes" | "memorySearch">;

/** Checks the workspace, or the current folder if it is another one. Null if every file is indexed. */
export function findUnadopted(settings: Looked, currentDir: string): Unadopted | null {
  const { workspaceDir, workspaceOrigin, stateDir, notes, memorySearch } = settings;
  const [workspace, current] = [realFolder(workspaceDir), realFolder(currentDir)];
  const isInside = nameBelow(workspace, current) !== null;
  const isNamed = workspaceOrigin.from === "caller" || workspaceOrigin.from === "environment";
  const dir = isInside || isNamed ? workspace : current;
  if (dir === workspace && notes.include === "all") return null;
  // Running a command in the home folder does not mean everything below it.
  const isTooWide = dir === realFolder(homeOf()) || dir === dirname(dir);
  if (isTooWide || nameBelow(realFolder(stateDir), dir) !== null) return null;
  const read = ["MEMORY.md", "memory.md", "memory"].map((name) => join(workspace, name));
  const extra = memorySearch.extraPaths.map((path) => realFolder(resolve(workspaceDir, path)));
  const known = notes.include === "all" ? [workspace] : read;
  const { files, isComplete } = countMarkdown(dir, new Set([...known, ...extra]));
  return files === 0 ? null : { dir, files, isComplete };
}

const maxEntries = 50_000;
const maxMs = 250;

/** Counts the `.md` files in a folder by name, and stops early in a huge one. */
function countMarkdown(dir: string, except: ReadonlySet<string>): Pick<Unadopted, "files" | "isComplete"> {
  const endsAt = monotonicMs() + maxMs;
  const waiting = except.has(dir) ? [] : [dir];
  let files = 0;
  let entries = 0;
  while (waiting.length > 0) {
    if (entries > maxEntries || monotonicMs() > endsAt) return { files, isComplete: false };
    for (const entry of readNames(waiting.pop()!)) {
      entries++;
      const path = join(entry.parentPath, entry.name);
      if (isHiddenPart(entry.name) || except.has(path)) continue;
      const kind = kindOf(entry);
      if (kind?.isDirectory()) waiting.push(path);
      else if (kind?.isFile() && entry.name.endsWith(".md")) files++;
    }
  }
  return { files, isComplete: true };
}

function readNames(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // An unreadable folder cannot be adopted either.
    return [];
  }
}
