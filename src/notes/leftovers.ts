import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { kindOf } from "../paths.ts";
import { removeFileSync } from "../rename-file.ts";
import type { NoteSelection } from "./note-locations.ts";
import { isHiddenPart } from "./note-path.ts";
import { type Folder, openFolderOf } from "./open-folder.ts";

/** A new path for a file beside a note while it is edited. Hidden and not `.md`, so it is never a note. */
export function temporaryFile({ path }: Pick<Folder, "path">): string {
  return join(path, `.longhand-${newId()}.tmp`);
}

const leftover = /^\.longhand-[0-9a-f]{16}\.tmp$/;

export function newId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 16);
}

export interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Writes a durable temporary file; `prepare` sets its owner and mode while it is empty. */
export function writeTemporary(
  folder: Pick<Folder, "path">,
  bytes: Buffer,
  prepare: (fd: number) => void,
): FileId & { readonly file: string } {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const file = temporaryFile(folder);
  const fd = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    prepare(fd);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return { file, dev, ino };
  } catch (error) {
    removeFileSync(file);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** A writer with another state folder holds another lock, so a fresh file may still be in use. */
const defaultMinAgeMs = 60_000;

/** Removes the temporary files of processes that died while they edited a note; returns how many. */
export function removeLeftovers(
  { path }: Pick<Folder, "path">,
  now: Date,
  minAgeMs = defaultMinAgeMs,
): number {
  let count = 0;
  for (const name of readdirSync(path)) {
    if (!leftover.test(name)) continue;
    const stats = lstatSync(join(path, name), { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || now.getTime() - stats.mtimeMs < minAgeMs) continue;
    removeFileSync(join(path, name));
    count++;
  }
  return count;
}

/** Removes those that are second names of one file. */
export function removeLinksTo({ path }: Pick<Folder, "path">, { dev, ino }: FileId): void {
  for (const name of readdirSync(path)) {
    if (!leftover.test(name)) continue;
    const stats = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false });
    if (stats?.dev === dev && stats.ino === ino) removeFileSync(join(path, name));
  }
}

/**
 * The same for the workspace and all folders of its own notes, whatever the age: the files may hold forgotten text. The
 * caller holds the lock; a concurrent edit under another state folder fails and leaves its note as it was.
 */
export function removeAllLeftovers(root: string, now: Date, include: NoteSelection = "memory"): number {
  const inFolder = (below: string): number => {
    const relative = below === "" ? "x" : `${below}/x`;
    const folder = openFolderOf({ path: below, root, relative, isWritable: true }, { make: false });
    if (folder === null) return 0;
    try {
      let count = removeLeftovers(folder, now, Number.NEGATIVE_INFINITY);
      for (const entry of readdirSync(folder.path, { withFileTypes: true })) {
        if (!kindOf(entry)?.isDirectory() || isHiddenPart(entry.name)) continue;
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
