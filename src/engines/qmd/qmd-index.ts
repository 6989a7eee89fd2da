import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { LonghandError } from "../../errors.ts";
import { removeFileSync } from "../../rename-file.ts";
import { stampOf } from "./mirror.ts";

/** qmd's index file, and a record beside it of the texts that any process has indexed. */
interface QmdIndex {
  sizeBytes(): number;
  /** The hash of each indexed text, by file; null until the first update is complete. */
  readIndexed(): ReadonlyMap<string, string> | null;
  writeIndexed(hashes: ReadonlyMap<string, string>): void;
  /** Marks the index for removal if the error says that qmd cannot read it. */
  classify(error: unknown): void;
  /** Removes a marked, emptied or overwritten index, so that the next update rebuilds it. */
  clear(): void;
  remove(): void;
}

export function createQmdIndex({
  indexFile,
  recordFile,
}: {
  indexFile: string;
  recordFile: string;
}): QmdIndex {
  const isThere = (): boolean => statSync(indexFile, { throwIfNoEntry: false }) !== undefined;

  function readLines(): readonly string[] {
    try {
      return readFileSync(recordFile, "utf8").split("\n");
    } catch {
      return [];
    }
  }

  /** Cached, because it has a line for each text and every search reads it. */
  let last: { stamp: string | null; hashes: ReadonlyMap<string, string> | null } = {
    stamp: null,
    hashes: null,
  };

  function readIndexed(): ReadonlyMap<string, string> | null {
    const stamp = stampOf(recordFile);
    if (stamp !== last.stamp) last = { stamp, hashes: parseRecord(readLines()) };
    return last.hashes;
  }

  function remove(): void {
    for (const end of ["", "-wal", "-shm", "-journal"]) removeFileSync(`${indexFile}${end}`);
    removeFileSync(recordFile);
  }

  return {
    sizeBytes: () => statSync(indexFile, { throwIfNoEntry: false })?.size ?? 0,
    readIndexed,
    writeIndexed(hashes) {
      const lines = Array.from(hashes, ([file, hash]) => `${hash} ${file}`);
      writeFileSync(recordFile, [layout, ...lines].join("\n"), { mode: 0o600 });
    },
    classify(error) {
      if (!(error instanceof LonghandError) || !damage.test(error.message)) return;
      writeFileSync(recordFile, condemned, { mode: 0o600 });
    },
    clear() {
      if (!isThere() || readLines()[0] === condemned || !startsLikeSqlite(indexFile)) remove();
    },
    remove,
  };
}

const hashChars = 64;
const layout = "texts";
const condemned = "condemned";
const damage = /not a database|malformed|disk image|no such (?:table|column)/i;
const beginning = "SQLite format 3\0";

function parseRecord([head, ...lines]: readonly string[]): ReadonlyMap<string, string> | null {
  if (head !== layout) return null;
  return new Map(lines.map((line) => [line.slice(hashChars + 1), line.slice(0, hashChars)]));
}

function startsLikeSqlite(file: string): boolean {
  const bytes = Buffer.alloc(beginning.length);
  const opened = openSync(file, "r");
  try {
    readSync(opened, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(opened);
  }
  return bytes.toString("latin1") === beginning;
}
