import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isHiddenPart } from "./note-path.ts";
import type { NoteSelection } from "./note-places.ts";
import { type Folder, openFolderOf } from "./open-folder.ts";

/** What the file beside a note is called while the note is edited. Hidden and not `.md`, so it is never a note. */
export function leftoverName(id: string): string {
  return `.longhand-${id}.tmp`;
}

const leftover = /^\.longhand-[0-9a-f]{16}\.tmp$/;

/** Writers hold a lock, but one with another state folder has another lock: what is fresh may be alive. */
const leastAgeMs = 60_000;

/** Removes what a process left in a folder that died while it edited a note there; gives how many. */
export function removeLeftovers({ path }: Pick<Folder, "path">, now: Date, minAgeMs = leastAgeMs): number {
  let count = 0;
  for (const name of readdirSync(path)) {
    if (!leftover.test(name)) continue;
    const stats = lstatSync(join(path, name), { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || now.getTime() - stats.mtimeMs < minAgeMs) continue;
    rmSync(join(path, name), { force: true });
    count++;
  }
  return count;
}

/** Removes those that are second names of one file. */
export function removeLinksTo(
  { path }: Pick<Folder, "path">,
  { dev, ino }: { dev: bigint; ino: bigint },
): void {
  for (const name of readdirSync(path)) {
    if (!leftover.test(name)) continue;
    const stats = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false });
    if (stats?.dev === dev && stats.ino === ino) rmSync(join(path, name), { force: true });
  }
}

/**
 * The same for the workspace and all folders of its own notes, however fresh: it may hold what was to be forgotten. The
 * caller holds the lock; an edit under another state folder that this meets fails and leaves its note as it was.
 */
export function removeAllLeftovers(root: string, now: Date, include: NoteSelection = "memory"): number {
  const inFolder = (below: string): number => {
    const relative = below === "" ? "x" : `${below}/x`;
    const folder = openFolderOf({ path: below, root, relative, isWritable: true }, { make: false });
    if (folder === null) return 0;
    try {
      let count = removeLeftovers(folder, now, Number.NEGATIVE_INFINITY);
      for (const entry of readdirSync(folder.path, { withFileTypes: true })) {
        if (!entry.isDirectory() || isHiddenPart(entry.name)) continue;
        if (below !== "" || entry.name === "memory" || include === "all") {
          count += inFolder(below === "" ? entry.name : `${below}/${entry.name}`);
        }
      }
      return count;
    } finally {
      folder.close();
    }
  };
  return inFolder("");
}
