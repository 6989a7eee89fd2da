import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { normaliseEntryLine } from "../../text/entry-line.ts";
import type { PurgeReport } from "../store.ts";
import type { Tokens } from "./full-text.ts";
import type { IndexFile } from "./index-file.ts";
import { searchRawBytes } from "./raw-search.ts";
import type { Session } from "./session.ts";
import { removeDamaged, sidecars } from "./set-aside.ts";
import { whenNotBusy } from "./transaction.ts";

export interface PurgeParts {
  readonly file: IndexFile;
  readonly path: string;
  readonly tokens: Tokens;
  /** How long to wait for readers in other processes. */
  readonly waitMs: number;
}

/** FTS5 counts what it merges in pages; so many take some milliseconds. */
const pagesAtOnce = 100;
const chunksAtOnce = 64;
const mostNeedles = 4000;
const needleChars = 32;
/** Shorter lines, and shorter words, stand everywhere by chance. */
const leastLineChars = 12;
const leastNeedleBytes = 5;
const mostNamedLines = 100;

/**
 * Leaves no trace of texts that no document has any more. `secure_delete` has zeroed their rows, but:
 * - FTS5 keeps words of deleted rows until it merges the segments that they are in, so all are merged into one;
 * - cached vectors of earlier forms of a chunk tell of its text too, and nobody knows which do, so all go that no chunk
 *   uses;
 * - the log holds old pages until it is cut, and damaged copies hold everything.
 * Then the raw bytes are searched. What is found although no row explains it is removed by writing the whole file anew.
 */
export async function purgeIndex(parts: PurgeParts, texts: readonly string[]): Promise<PurgeReport> {
  const { file, path } = parts;
  const deletedFiles = removeDamaged(path);
  const cacheEntries = await file.write((_, session) => deleteUnusedCache(session.writer().db));
  await mergeWords(file);
  const isCut = await cutLog(parts);
  const needles = await file.read((session) => makeNeedles(texts, session, parts.tokens));
  let search = await findTraces(parts, needles);
  if ("traces" in search && search.traces.length > 0) {
    await file.maintain((db) => whenNotBusy(parts.waitMs, () => db.exec("VACUUM")));
    await cutLog(parts);
    search = await findTraces(parts, needles);
  }
  const stillIn = await findSameLines(file, texts);
  return { cacheEntries, stillIn, deletedFiles, ...describe(search, isCut) };
}

type Traces = { readonly traces: readonly string[] } | { readonly problem: string };

function describe(search: Traces, isCut: boolean): Pick<PurgeReport, "rawSearch" | "detail"> {
  const busy = "another process kept reading the index, so its log could not be cut";
  if ("problem" in search) return { rawSearch: "not-searched", detail: search.problem };
  if (search.traces.length === 0) return { rawSearch: "not-found" };
  const count = `${search.traces.length} pieces of the text are still in the files of the index`;
  return { rawSearch: "found", detail: isCut ? count : `${count}: ${busy}` };
}

function deleteUnusedCache(db: DatabaseSync): number {
  const { changes } = db
    .prepare(
      `DELETE FROM embedding_cache WHERE NOT EXISTS (SELECT 1 FROM chunks c
         WHERE substr(c.hash, 1, 16) = substr(embedding_cache.hash, 1, 16) AND c.hash = embedding_cache.hash)`,
    )
    .run();
  return Number(changes);
}

/** In steps, each a transaction, so that other processes get their turn and the event loop too. */
async function mergeWords(file: IndexFile): Promise<void> {
  for (let step = 0; ; step++) {
    const isDone = await file.write((_, session) => {
      if (session.keyword === null) return true;
      const { db } = session.writer();
      const count = db.prepare("SELECT total_changes() AS count");
      const before = count.get()?.["count"] as number;
      // A negative number first marks all segments to become one; nothing to merge changes less than two rows.
      db.prepare("INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', ?)").run(
        step === 0 ? -pagesAtOnce : pagesAtOnce,
      );
      return (count.get()?.["count"] as number) - before < 2;
    });
    if (isDone && step > 0) return;
  }
}

/** Moves the log into the database and cuts it to nothing; false when readers did not let it go. */
async function cutLog({ file, waitMs }: PurgeParts): Promise<boolean> {
  const givesUpAt = performance.now() + waitMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const isCut = await file.maintain((db) => {
      const row = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
      return row?.["busy"] === 0;
    });
    if (isCut || performance.now() > givesUpAt) return isCut;
    await setTimeout(pauseMs);
  }
}

interface Needles {
  readonly pieces: readonly string[];
  /** As they stand in the words of the index; none of them is a word of a chunk any more. */
  readonly words: readonly string[];
}

function makeNeedles(texts: readonly string[], session: Session, tokens: Tokens): Needles {
  const pieces = new Set<string>();
  const words = new Set<string>();
  for (const text of texts) {
    for (const line of text.split(/\r?\n/)) {
      const characters = [...line.trim()];
      if (characters.length < leastLineChars) continue;
      for (let at = 0; at < characters.length; at += needleChars) {
        // The last piece reaches back, so that it is as long as the others.
        const from = Math.max(0, Math.min(at, characters.length - needleChars));
        pieces.add(characters.slice(from, from + needleChars).join(""));
      }
    }
    for (const word of tokens({ text, headings: [], path: "" }).body.split(" ")) words.add(word);
  }
  const long = [...words].filter((word) => Buffer.byteLength(word) >= leastNeedleBytes).slice(0, mostNeedles);
  const counts = session.keyword?.documentFrequencies(long) ?? new Map<string, number>();
  return {
    pieces: [...pieces].filter((piece) => Buffer.byteLength(piece) >= leastNeedleBytes).slice(0, mostNeedles),
    words: long.filter((word) => counts.get(word) === 0),
  };
}

/** What stands in the raw bytes and in no row: the rest of what was deleted. */
async function findTraces({ file, path }: PurgeParts, { pieces, words }: Needles): Promise<Traces> {
  const needles = [...pieces, ...words];
  const files = ["", ...sidecars].map((suffix) => path + suffix);
  const search = await searchRawBytes(files, needles);
  if ("problem" in search) return search;
  const unexplained = new Set(search.found.map((index) => needles[index]!));
  if (unexplained.size > 0) await file.read((session) => explainBySmallTables(session, unexplained));
  await forEachChunk(file, ({ text, headings, path: chunkPath }) => {
    if (unexplained.size === 0) return false;
    const all = `${text}\n${headings}\n${chunkPath}`;
    const folded = all.toLowerCase();
    for (const needle of unexplained) {
      if (all.includes(needle) || folded.includes(needle)) unexplained.delete(needle);
    }
    return true;
  });
  return { traces: [...unexplained] };
}

/** A needle may be a piece of a longer word that is in use, of a path, or of the index's own description. */
function explainBySmallTables({ reader, keyword }: Session, needles: Set<string>): void {
  const tables = ["sqlite_schema WHERE instr(sql, ?1)", "meta WHERE instr(value, ?1) OR instr(key, ?1)"];
  tables.push("files WHERE instr(path, ?1)", "embedders WHERE instr(name, ?1)");
  if (keyword !== null) tables.push("temp.words WHERE instr(term, ?1)");
  for (const table of tables) {
    const find = reader.prepare(`SELECT 1 FROM ${table} LIMIT 1`);
    for (const needle of needles) if (find.get(needle) !== undefined) needles.delete(needle);
  }
}

interface ChunkText {
  readonly key: number;
  readonly path: string;
  readonly headings: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly text: string;
}

/** Visits all chunks, some at a time; a visitor that gives false has seen enough. */
async function forEachChunk(file: IndexFile, visit: (chunk: ChunkText) => boolean): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await file.read(
      ({ reader }) =>
        reader
          .prepare(
            `SELECT key, path, headings, start_line, end_line, text FROM chunks
             WHERE key > ? ORDER BY key LIMIT ${chunksAtOnce}`,
          )
          .all(last) as unknown as ChunkText[],
    );
    for (const row of rows) if (!visit(row)) return;
    if (rows.length < chunksAtOnce) return;
    last = rows.at(-1)!.key;
    await setTimeout(0);
  }
}

async function findSameLines(file: IndexFile, texts: readonly string[]): Promise<PurgeReport["stillIn"]> {
  const wanted = new Set(
    texts
      .flatMap((text) => text.split("\n").map(normaliseEntryLine))
      .filter((line) => line.length >= leastLineChars),
  );
  const found = new Map<string, { path: string; line: number }>();
  await forEachChunk(file, ({ path, text, start_line, end_line }) => {
    for (const [index, line] of text.split("\n").entries()) {
      if (!wanted.has(normaliseEntryLine(line))) continue;
      const at = Math.min(start_line + index, end_line);
      found.set(`${path}:${at}`, { path, line: at });
    }
    return found.size < mostNamedLines;
  });
  return [...found.values()];
}
