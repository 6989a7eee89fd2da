import { dirname, join, resolve } from "node:path";
import { homeOf } from "../config/expand-path.ts";
import type { Settings } from "../config/settings.ts";
import { countMarkdown } from "../notes/count-markdown.ts";
import { nameBelow } from "../notes/note-places.ts";
import { realFolder } from "../notes/workspace.ts";

/** Markdown files that somebody may take for notes of this memory, and that it does not read. */
export interface Unadopted {
  readonly dir: string;
  readonly files: number;
  /** False when there were too many to count. */
  readonly isComplete: boolean;
}

type Looked = Pick<Settings, "workspaceDir" | "workspaceOrigin" | "stateDir" | "notes" | "memorySearch">;

/** Looks in the workspace, or in the current folder where that is another one. Null when all that is there is read. */
export function findUnadopted(settings: Looked, currentDir: string): Unadopted | null {
  const { workspaceDir, workspaceOrigin, stateDir, notes, memorySearch } = settings;
  const [workspace, current] = [realFolder(workspaceDir), realFolder(currentDir)];
  const isInside = nameBelow(workspace, current) !== null;
  const isNamed = workspaceOrigin.from === "caller" || workspaceOrigin.from === "environment";
  const dir = isInside || isNamed ? workspace : current;
  if (dir === workspace && notes.include === "all") return null;
  // Whoever stands in the home does not mean everything below it.
  const isTooWide = dir === realFolder(homeOf()) || dir === dirname(dir);
  if (isTooWide || nameBelow(realFolder(stateDir), dir) !== null) return null;
  const read = ["MEMORY.md", "memory.md", "memory"].map((name) => join(workspace, name));
  const extra = memorySearch.extraPaths.map((path) => realFolder(resolve(workspaceDir, path)));
  const known = notes.include === "all" ? [workspace] : read;
  const { files, isComplete } = countMarkdown(dir, { except: new Set([...known, ...extra]) });
  return files === 0 ? null : { dir, files, isComplete };
}
