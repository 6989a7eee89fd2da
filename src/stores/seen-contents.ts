import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { renameFile } from "../files.ts";
import type { SourceName } from "../text/document.ts";

export interface SeenFile {
  /** From the listing of its source. */
  readonly version: string;
  /** Of the resulting document. */
  readonly hash: string;
}

/**
 * What this machine has indexed of its files. Where machines share an index, the version that one of them stored means
 * nothing to the others: a copy of a note has another inode and other times. There a file counts as indexed if it is
 * the one that was read before, and the index contains what was read. Derived and disposable: without it every file is
 * read once more.
 */
export interface SeenContents extends AsyncDisposable {
  /** Called first, with the mark of the index: files seen for another index do not count. */
  open(indexMark: string): Promise<void>;
  find(source: SourceName, path: string): SeenFile | undefined;
  note(source: SourceName, path: string, file: SeenFile): void;
  forget(source: SourceName, path: string): void;
  /** Writes the changes, if there are enough. */
  save(): Promise<void>;
}

/**
 * The file contains everything that was seen, so it is not written for every changed note; lost changes are read again.
 */
const minChanges = 256;

/** Stored in a JSON file of this machine. Processes may overwrite each other's file, which costs a few extra reads. */
export function createSeenContents(path: string): SeenContents {
  let mark: string | null = null;
  let changes = 0;
  let files = new Map<string, SeenFile>();

  async function open(indexMark: string): Promise<void> {
    if (mark === indexMark) return;
    // What was recorded before the mark was known belongs to the index that is opened first.
    const noted = mark === null ? files : new Map<string, SeenFile>();
    files = new Map([...(await load(path, indexMark)), ...noted]);
    mark = indexMark;
  }

  async function write(): Promise<void> {
    if (mark === null || changes === 0) return;
    changes = 0;
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const rows = [...files].map(([name, { version, hash }]) => [name, version, hash]);
      await writeFile(temporary, JSON.stringify({ index: mark, files: rows }), { mode: 0o600 });
      await renameFile(temporary, path);
    } catch {
      // On a full or read-only disk everything works without it.
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  return {
    open,
    find: (source, name) => files.get(keyOf(source, name)),
    note(source, name, file) {
      const key = keyOf(source, name);
      const known = files.get(key);
      if (known?.version === file.version && known.hash === file.hash) return;
      files.set(key, file);
      changes++;
    },
    forget(source, name) {
      if (files.delete(keyOf(source, name))) changes++;
    },
    async save() {
      if (changes >= minChanges) await write();
    },
    [Symbol.asyncDispose]: write,
  };
}

function keyOf(source: SourceName, path: string): string {
  return `${source}:${path}`;
}

/** What cannot be parsed counts as not seen. */
async function load(path: string, indexMark: string): Promise<Map<string, SeenFile>> {
  const files = new Map<string, SeenFile>();
  try {
    const stored = JSON.parse(await readFile(path, "utf8")) as { index?: unknown; files?: unknown };
    if (stored.index !== indexMark || !Array.isArray(stored.files)) return files;
    for (const row of stored.files as unknown[]) {
      if (!Array.isArray(row) || !row.every((part) => typeof part === "string")) continue;
      const [name, version, hash] = row as string[];
      if (name !== undefined && version !== undefined && hash !== undefined)
        files.set(name, { version, hash });
    }
  } catch {
    // Missing or damaged.
  }
  return files;
}
