import { type BigIntStats, statSync } from "node:fs";
import { unlessRefused } from "../errors.ts";
import { fileIdOf, realPath } from "../paths.ts";
import type { ListedFolder } from "../sources/source.ts";
import type { NoteLocation } from "./note-locations.ts";
import { isHiddenPart } from "./note-path.ts";

/** Collects the folders whose changes would change a listing. */
export function createFolderList() {
  const folders = new Map<string, ListedFolder>();

  /** A folder can be listed twice: as a location of its own and as the parent of a single file. */
  function add(path: string, stats: BigIntStats, rest: Pick<ListedFolder, "concerns"> & Checked): void {
    const before = folders.get(path);
    const state = stateOf(stats);
    folders.set(path, {
      path,
      id: `${fileIdOf(stats)}:${stats.birthtimeNs}`,
      concerns: (name) => rest.concerns(name) || before?.concerns(name) === true,
      isUnchanged: () =>
        isAsBefore(path, state) && rest.isInPlace() && (before === undefined || before.isUnchanged()),
    });
  }

  return {
    /** The folder that contains a location, where only some names count. */
    addRoot({ kind, root, start, isWritable, configured }: NoteLocation): void {
      // The three locations of the workspace itself share their folder.
      const isListed = isWritable && folders.has(root);
      const stats = isListed || kind === "absent" ? undefined : look(root);
      if (stats === undefined) return;
      const names = new Set(isWritable ? ownNames : [start]);
      add(root, stats, {
        concerns: (name) => names.has(name),
        isInPlace: () => resolves(configured),
      });
    },
    /** A folder in which every note counts, and so does every folder. */
    addTree(path: string, stats: BigIntStats): void {
      add(path, stats, { concerns: (name) => !isHiddenPart(name), isInPlace: () => true });
    },
    all: (): ListedFolder[] => [...folders.values()],
  };
}

interface Checked {
  isInPlace(): boolean;
}

const ownNames = ["MEMORY.md", "memory.md", "memory", ".longhandignore"];

function look(path: string): BigIntStats | undefined {
  return unlessRefused(
    () => statSync(path, { bigint: true, throwIfNoEntry: false }),
    () => undefined,
  );
}

function stateOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${mtimeNs}:${ctimeNs}`;
}

function isAsBefore(path: string, state: string): boolean {
  const stats = look(path);
  return stats !== undefined && stateOf(stats) === state;
}

/** A symlink in the path may point elsewhere by now. */
function resolves({ path, real }: NoteLocation["configured"]): boolean {
  return unlessRefused(
    () => realPath(path) === real,
    () => false,
  );
}
