import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { systemErrorCode, unlessRefused } from "../errors.ts";
import { isTemporaryName, removeFileSync, syncOpenFolder, temporaryPath } from "../files.ts";
import { type FileId, isSameFile, kindOf } from "../paths.ts";
import { joinParts, type Location, refusePath } from "./locate.ts";
import type { NoteSelection } from "./note-locations.ts";
import { isHiddenPart } from "./note-path.ts";
import { noFollow } from "./open-note.ts";

export interface Folder extends Disposable {
  /** A path that leads to this folder even when it is renamed. */
  readonly path: string;
  /** Makes new names in it durable. */
  sync(): void;
}

/**
 * Opens the folder of a note; null when it does not exist. Each folder is opened from the one above and never through
 * a symlink, so that nothing outside the root is touched even if a folder is swapped meanwhile. The caller closes it.
 */
export function openFolderOf(
  location: Location,
  { make }: { make: boolean },
): (Folder & { readonly noteName: string }) | null {
  const parts = location.relative.split("/");
  const noteName = parts.pop()!;
  let folder = openFolder(location.root);
  for (const part of parts) {
    using parent = folder;
    try {
      const inner = join(parent.path, part);
      if (make && makeFolder(inner)) parent.sync();
      folder = openFolder(inner);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT" && !make) return null;
      if (code === "ELOOP" || code === "ENOTDIR") throw refusePath(location.path, `${part} is not a folder`);
      throw error;
    }
  }
  return { ...folder, noteName };
}

function openFolder(path: string): Folder {
  if (process.platform === "win32") return { path, sync: () => {}, [Symbol.dispose]: () => {} };
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
  return {
    path: hasDescriptorPaths(fd) ? `/proc/self/fd/${fd}` : path,
    sync: () => syncOpenFolder(fd),
    [Symbol.dispose]: () => closeSync(fd),
  };
}

/** On Linux a path can start at a descriptor. Elsewhere the check after opening has to do. */
function hasDescriptorPaths(fd: number): boolean {
  if (process.platform !== "linux") return false;
  return unlessRefused(
    () => readlinkSync(`/proc/self/fd/${fd}`) !== "",
    () => false,
  );
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Writes a durable temporary file; `prepare` sets its owner and mode while it is empty. */
export function writeTemporary(
  folder: Pick<Folder, "path">,
  bytes: Buffer,
  prepare: (fd: number) => void,
): FileId & { readonly file: string } {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const file = temporaryPath(folder.path);
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
    if (!isTemporaryName(name)) continue;
    const stats = lstatSync(join(path, name), { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || now.getTime() - stats.mtimeMs < minAgeMs) continue;
    removeFileSync(join(path, name));
    count++;
  }
  return count;
}

/** Removes those that are second names of one file. */
export function removeLinksTo({ path }: Pick<Folder, "path">, file: FileId): void {
  for (const name of readdirSync(path)) {
    if (!isTemporaryName(name)) continue;
    const stats = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false });
    if (isSameFile(stats, file)) removeFileSync(join(path, name));
  }
}

/**
 * The same for the workspace and all folders of its own notes, whatever the age: the files may hold forgotten text. The
 * caller holds the lock; a concurrent edit under another state folder fails and leaves its note as it was.
 */
export function removeAllLeftovers(root: string, now: Date, include: NoteSelection = "memory"): number {
  const inFolder = (below: string): number => {
    const relative = below === "" ? "x" : `${below}/x`;
    using folder = openFolderOf({ path: below, root, relative, isWritable: true }, { make: false });
    if (folder === null) return 0;
    let count = removeLeftovers(folder, now, Number.NEGATIVE_INFINITY);
    for (const entry of readdirSync(folder.path, { withFileTypes: true })) {
      if (!kindOf(entry)?.isDirectory() || isHiddenPart(entry.name)) continue;
      if (below !== "" || entry.name === "memory" || include === "all") {
        count += inFolder(joinParts(below, entry.name));
      }
    }
    return count;
  };
  return inFolder("");
}
