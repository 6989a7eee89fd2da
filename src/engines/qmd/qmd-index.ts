import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { LonghandError } from "../../errors.ts";
import { removeFileSync } from "../../files.ts";
import { stampOf } from "./mirror.ts";

/** qmd's index file, and a record beside it of the texts that any process has indexed. */
export function createQmdIndex({ indexFile, recordFile }: { indexFile: string; recordFile: string }) {
  const sizeBytes = (): number => statSync(indexFile, { throwIfNoEntry: false })?.size ?? 0;

  function readLines(): readonly string[] {
    try {
      return readFileSync(recordFile, "utf8").split("\n");
    } catch {
      return [];
    }
  }

  /** Cached, because it has a line for each text and every search reads it. */
  let indexed: ReadonlyMap<string, string> | null = null;
  let stamp: string | null = null;

  function remove(): void {
    for (const end of ["", "-wal", "-shm", "-journal"]) removeFileSync(`${indexFile}${end}`);
    removeFileSync(recordFile);
  }

  return {
    sizeBytes,
    /** The hash of each indexed text, by file; null until the first update is complete. */
    readIndexed(): ReadonlyMap<string, string> | null {
      const latest = stampOf(recordFile);
      if (latest !== stamp) indexed = parseRecord(readLines());
      stamp = latest;
      return indexed;
    },
    writeIndexed(hashes: ReadonlyMap<string, string>): void {
      const lines = Array.from(hashes, ([file, hash]) => `${hash} ${file}`);
      writeFileSync(recordFile, [layout, ...lines].join("\n"), { mode: 0o600 });
    },
    /** Condemns the index if the error says that qmd cannot read it. */
    classify(error: unknown): void {
      if (!(error instanceof LonghandError) || !damage.test(error.message)) return;
      writeFileSync(recordFile, condemned, { mode: 0o600 });
    },
    /** Removes a condemned, emptied or overwritten index, so that the next update rebuilds it. */
    clear(): void {
      if (sizeBytes() === 0 || readLines()[0] === condemned || !startsLikeSqlite(indexFile)) remove();
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
