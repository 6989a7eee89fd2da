import { type BigIntStats, type Dirent, lstatSync, opendirSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemErrorCode, throwIfAborted } from "../errors.ts";
import { fileIdOf, kindOf } from "../paths.ts";
import type { ListedEntry, Listing, SkippedEntry, SkipReason } from "../sources/source.ts";
import { monotonicMs } from "../timing.ts";
import { createFolderList } from "./folder-list.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { findLocation, joinParts } from "./locate.ts";
import type { NoteLocation } from "./note-locations.ts";
import { findPathProblem, isHiddenPart, isPlainName } from "./note-path.ts";
import { maxNoteBytes, mayBePlaceholder, mebibytes, versionOf } from "./read.ts";

/** A note as a scan lists it. */
interface DiscoveredNote extends ListedEntry {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface DiscoveredNotes extends Listing {
  readonly entries: readonly DiscoveredNote[];
}

export interface DiscoverOptions {
  readonly locations: readonly NoteLocation[];
  readonly rules: IgnoreRules | null;
  readonly signal?: AbortSignal | undefined;
  /** Lists only these notes, by their paths; default: all. */
  readonly isWanted?: ((path: string) => boolean) | undefined;
  /** What else a version depends on; appended to every version. */
  readonly marks?: readonly string[] | undefined;
  /** Called with the number of notes so far, each time that the listing rests. */
  readonly onProgress?: ((count: number) => void) | undefined;
}

/**
 * Lists every note of some locations, in an order that does not depend on the file system. Reads only names and times.
 * The calls are synchronous, which is several times faster, but in slices, so that the host stays responsive.
 */
export async function discoverNotes({
  locations,
  rules,
  signal,
  isWanted = () => true,
  marks = [],
  onProgress,
}: DiscoverOptions): Promise<DiscoveredNotes> {
  const entries: DiscoveredNote[] = [];
  const folders = createFolderList();
  const skipped: SkippedEntry[] = [];
  /** Device and inode of every file and folder so far, with its first path. */
  const visited = new Map<string | number, string>();
  /** A whole workspace, or a folder of `extraPaths`, may contain locations that were visited before. */
  const ownFiles = new Set(
    locations.filter((each) => each.isWritable).map((each) => join(each.root, each.start)),
  );
  let hidesChanges = locations.some((each) => each.kind === "absent" && !each.isWritable);
  let sliceEndsAt = monotonicMs() + sliceMs;
  let steps = 0;
  let device: bigint | undefined;

  throwIfAborted(signal);
  for (const location of locations) {
    folders.addRoot(location);
    if (location.kind === "absent") skipAbsent(location);
    else if (location.kind === "file") takeStart(location);
    else await enterStart(location);
  }
  return { entries, skipped, folders: folders.all(), hidesChanges };

  function skip(path: string, reason: SkipReason, detail?: string): void {
    skipped.push(detail === undefined ? { path, reason } : { path, reason, detail });
  }

  function skipAbsent({ shown, reason = "missing", detail }: NoteLocation): void {
    skip(shown, reason, detail);
  }

  function skipUnreadable(path: string, error: unknown): void {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    hidesChanges = true;
    skip(path, "unreadable", `the system says ${code}`);
  }

  /** Does not follow symlinks; undefined when the file is gone or cannot be inspected. */
  function look(file: string, path: string): BigIntStats | undefined {
    try {
      return lstatSync(file, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      skipUnreadable(path, error);
      return undefined;
    }
  }

  function takeStart(location: NoteLocation): void {
    const stats = look(join(location.root, location.start), location.shown);
    if (stats?.isSymbolicLink()) skip(location.shown, "symlink");
    else takeFile(location.shown, stats);
  }

  async function enterStart(location: NoteLocation): Promise<void> {
    const stats = look(join(location.root, location.start), location.shown);
    if (stats?.isSymbolicLink()) skip(location.shown, "symlink", "its target can be added to extraPaths");
    else if (stats?.isDirectory()) await enterFolder(location, "", stats);
    else if (stats !== undefined) skip(location.shown, "not-a-file", "it should be a folder");
  }

  async function enterFolder(location: NoteLocation, below: string, stats: BigIntStats): Promise<void> {
    const shown = joinParts(location.shown, below);
    if (shown !== "" && rules?.ignoresFolder(shown)) return skip(shown, "excluded");
    if (isVisited(`${shown}/`, stats)) return;
    const folder = join(location.root, location.start, below);
    // With its state before the read, so that later changes are noticed.
    folders.addTree(folder, stats);
    for (const entry of await readFolder(folder, shown, stats)) {
      if (isSliceOver()) await rest();
      const file = folder + sep + entry.name;
      if (location.start === "" && ownFiles.has(file)) continue;
      // Joined as an array, it is one string; with operators it would keep its parts, too.
      const path = shown === "" ? entry.name : [shown, entry.name].join("/");
      const kind = kindOf(entry);
      if (!kind?.isDirectory()) {
        if (kind !== undefined) takeEntry(location, path, file, { name: entry.name, kind });
        continue;
      }
      const inner = lookInto(path, file, entry.name);
      if (inner?.isDirectory()) await enterFolder(location, joinParts(below, entry.name), inner);
    }
  }

  async function readFolder(folder: string, shown: string, { size }: BigIntStats): Promise<Dirent[]> {
    const found: Dirent[] = [];
    try {
      if (size <= smallFolderBytes) return readdirSync(folder, { withFileTypes: true }).sort(byName);
      const handle = opendirSync(folder, { bufferSize: 512 });
      try {
        for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
          found.push(entry);
          if (isSliceOver()) await rest();
        }
      } finally {
        handle.closeSync();
      }
    } catch (error) {
      const code = systemErrorCode(error);
      // Gone since its parent was read.
      if (code === "ENOENT" || code === "ENOTDIR") return [];
      skipUnreadable(shown, error);
    }
    return found.sort(byName);
  }

  /** The stats of a folder that may be entered. */
  function lookInto(path: string, folder: string, name: string): BigIntStats | undefined {
    if (isHiddenPart(name)) return undefined;
    const problem = findPathProblem(`${path}/note.md`);
    if (name.endsWith(".md")) skip(path, "not-a-file", "it is a folder");
    else if (problem !== null) skip(path, "invalid-path", problem);
    else return look(folder, path);
    return undefined;
  }

  function takeEntry(location: NoteLocation, path: string, file: string, { name, kind }: Entry): void {
    const isNote = name.endsWith(".md");
    const absent = cloudName(name);
    if (absent !== null) {
      hidesChanges = true;
      skip(path.slice(0, -name.length) + absent, "unreadable", "iCloud has not downloaded it");
    } else if (isHiddenPart(name)) {
      // On exFAT and on shares macOS keeps what belongs to `a.md` in `._a.md`, which nobody takes for a note.
      const isOfMac = name.startsWith("._");
      if (isNote && !isOfMac && kind.isFile()) skip(path, "excluded", "hidden files are not read");
    } else if (kind.isSymbolicLink()) {
      skip(path, "symlink");
    } else if (!isNote) {
      if (/\.md$/i.test(name)) skip(path, "excluded", "only .md in small letters is read");
    } else if (!kind.isFile()) {
      skip(path, "not-a-file");
    } else {
      takeNote(location, path, file, name);
    }
  }

  function takeNote(location: NoteLocation, path: string, file: string, name: string): void {
    if (!isWanted(path)) return;
    // The folder's own path was checked when it was entered, so most names need only the short check.
    const problem = isPlainName(name, path) ? null : findPathProblem(path);
    const leadsElsewhere = location.shown === "" && findLocation(locations, path)?.root !== location.root;
    if (problem !== null) skip(path, "invalid-path", problem);
    else if (leadsElsewhere) skip(path, "excluded", "its path means another note of this memory");
    else takeFile(path, look(file, path));
  }

  function takeFile(path: string, stats: BigIntStats | undefined): void {
    if (stats === undefined) return;
    if (!stats.isFile()) skip(path, "not-a-file");
    else if (rules?.ignoresFile(path)) skip(path, "excluded");
    else if (isVisited(path, stats)) return;
    else if (stats.size > maxNoteBytes)
      skip(path, "too-large", `${mebibytes(stats.size)}; a note may have ${mebibytes(maxNoteBytes)}`);
    else {
      if (stats.nlink > 1n) hidesChanges = true;
      const { size, mtimeMs } = stats;
      const isSlow = mayBePlaceholder(stats);
      const version = versionOf(stats, marks);
      entries.push({ path, version, sizeBytes: Number(size), modifiedMs: Number(mtimeMs), isSlow });
    }
  }

  /** Compares by device and inode: the same file has many names through links, mounts and letter case. */
  function isVisited(path: string, stats: BigIntStats): boolean {
    device ??= stats.dev;
    const isUsual = stats.dev === device && stats.ino <= Number.MAX_SAFE_INTEGER;
    // Numbers are faster map keys than strings, and nearly all notes are on one device.
    const id = isUsual ? Number(stats.ino) : fileIdOf(stats);
    const first = visited.get(id);
    if (first === undefined) visited.set(id, path);
    else if (first !== path) skip(path, "duplicate", `the same as ${first}`);
    return first !== undefined;
  }

  /** Reading the clock costs as much as a stat, so it is read every 16 steps. */
  function isSliceOver(): boolean {
    return (++steps & 15) === 0 && monotonicMs() > sliceEndsAt;
  }

  async function rest(): Promise<void> {
    onProgress?.(entries.length);
    await nextTurn();
    throwIfAborted(signal);
    sliceEndsAt = monotonicMs() + sliceMs;
  }
}

interface Entry {
  readonly name: string;
  readonly kind: NonNullable<ReturnType<typeof kindOf>>;
}

/** iCloud leaves `.name.md.icloud` in place of a note that is not downloaded: the note still exists. */
function cloudName(name: string): string | null {
  return name.startsWith(".") && name.endsWith(".md.icloud") ? name.slice(1, -".icloud".length) : null;
}

/** A folder of this size has at most a few thousand entries, which take milliseconds to read at once. */
const smallFolderBytes = 65_536n;

function byName(left: Dirent, right: Dirent): number {
  return left.name < right.name ? -1 : 1;
}

/** How long the event loop may be blocked at a time. */
const sliceMs = 8;
