import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { monotonicMs } from "../../timing.ts";
import { createLineSearch, type SearchedChunk } from "../needle-search.ts";
import type { PurgeReport, PurgeRequest } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import type { IndexFile } from "./index-file.ts";
import { findUnexplained, makeNeedles, type Needles } from "./needles.ts";
import { removeQuarantined, sidecars } from "./quarantine.ts";
import { searchRawBytes } from "./raw-search.ts";
import { hasHash } from "./stored-chunk.ts";
import { whenNotBusy } from "./transaction.ts";

export interface PurgeParts {
  readonly file: IndexFile;
  readonly path: string;
  readonly tokens: Tokens;
  /** How long to wait for readers in other processes. */
  readonly waitMs: number;
}

/** FTS5 limits a merge by pages; this many take some milliseconds. */
const pagesAtOnce = 100;
const chunksAtOnce = 64;
/** Maximum per kind, to limit memory. */
const maxNeedles = 100_000;

/**
 * Leaves no trace of texts that no document contains any more. `secure_delete` has zeroed their rows, but:
 * - FTS5 keeps tokens of deleted rows until it merges their segments, so all are merged into one;
 * - cached vectors of earlier versions of a chunk reveal its text too, and which do is unknown, so all unused ones are
 *   deleted;
 * - the log contains old pages until it is truncated, and quarantined copies contain everything.
 * Then the raw bytes are searched. If they contain text that no row explains, the whole file is rewritten.
 */
export async function purgeIndex(
  parts: PurgeParts,
  { texts, rewrite = false }: PurgeRequest,
): Promise<PurgeReport> {
  const { file, path } = parts;
  const deletedFiles = removeQuarantined(path);
  const cacheEntries = await file.write((_, session) => deleteUnusedCache(session.writer().db));
  await mergeWords(file);
  if (rewrite) await writeAnew(parts);
  let isCut = await cutLog(parts);
  const needles = await makeNeedles(texts, { tokens: parts.tokens, max: maxNeedles });
  let search = await findTraces(parts, needles);
  if ("traces" in search && search.traces.length > 0) {
    await writeAnew(parts);
    isCut = await cutLog(parts);
    search = await findTraces(parts, needles);
  }
  // Without a text to search for, only an empty log proves that nothing is left in it.
  if (rewrite && !isCut) search = { problem: keptReading };
  const stillIn = await findSameLines(file, texts);
  return { cacheEntries, stillIn, deletedFiles, ...describe(search, { isCut, needles, texts }) };
}

const keptReading = "another process kept reading the index, so its log could not be cut";

async function writeAnew({ file, waitMs }: PurgeParts): Promise<void> {
  await file.maintain((db) => whenNotBusy(waitMs, () => db.exec("VACUUM")));
}

type Traces = { readonly traces: readonly string[] } | { readonly problem: string };

function describe(
  search: Traces,
  { isCut, needles, texts }: { isCut: boolean; needles: Needles; texts: readonly string[] },
): Pick<PurgeReport, "rawSearch" | "detail"> {
  const { pieces, words, isPart } = needles;
  if ("problem" in search) return { rawSearch: "not-searched", detail: search.problem };
  if (search.traces.length > 0) {
    const count = `pieces of the text are still in the files of the index (${search.traces.length})`;
    return { rawSearch: "found", detail: isCut ? count : `${count}: ${keptReading}` };
  }
  if (pieces.length + words.length === 0 && texts.some((text) => text.trim() !== "")) {
    return { rawSearch: "too-short", detail: "a text this short occurs in any file by chance" };
  }
  const part = `${pieces.length} pieces and ${words.length} words from all parts of it were looked for`;
  return { rawSearch: "not-found", ...(isPart ? { detail: part } : {}) };
}

function deleteUnusedCache(db: DatabaseSync): number {
  const { changes } = db
    .prepare(
      `DELETE FROM embedding_cache WHERE NOT EXISTS (SELECT 1 FROM chunk_rows c
         WHERE ${hasHash("c.", "embedding_cache.hash")})`,
    )
    .run();
  return Number(changes);
}

/** In steps, each a transaction, so that neither other processes nor the event loop are blocked. */
async function mergeWords(file: IndexFile): Promise<void> {
  // A negative number first marks all segments for one merge.
  await mergeSome(file, -pagesAtOnce);
  while (await mergeSome(file, pagesAtOnce));
}

/** False if there was nothing to merge: then fewer than two rows change. */
function mergeSome(file: IndexFile, pages: number): Promise<boolean> {
  return file.write((_, session) => {
    if (session.keyword === null) return false;
    const { db } = session.writer();
    const count = db.prepare("SELECT total_changes() AS count");
    const before = count.get()?.["count"] as number;
    db.prepare("INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', ?)").run(pages);
    return (count.get()?.["count"] as number) - before >= 2;
  });
}

/** Checkpoints and truncates the log; false if readers prevented it. */
async function cutLog({ file, waitMs }: PurgeParts): Promise<boolean> {
  const givesUpAt = monotonicMs() + waitMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const isCut = await file.maintain((db) => {
      const row = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
      return row?.["busy"] === 0;
    });
    if (isCut || monotonicMs() > givesUpAt) return isCut;
    await setTimeout(pauseMs);
  }
}

/** What is in the raw bytes and in no row: remains of deleted text. */
async function findTraces({ file, path }: PurgeParts, { pieces, words }: Needles): Promise<Traces> {
  const needles = [...pieces, ...words];
  const files = ["", ...sidecars].map((suffix) => path + suffix);
  const search = await searchRawBytes(files, needles);
  if ("problem" in search) return search;
  const found = search.found.map((index) => needles[index]!);
  return { traces: await findUnexplained(file, found) };
}

interface ChunkText extends SearchedChunk {
  readonly key: number;
}

/** Visits all chunks in groups; a visitor stops by returning false. */
async function forEachChunk(file: IndexFile, visit: (chunk: ChunkText) => boolean): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await file.read(
      ({ reader }) =>
        reader
          .prepare(
            `SELECT key, path, start_line, end_line, text FROM chunks
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
  const search = createLineSearch(texts);
  if (!search.isPointless) await forEachChunk(file, search.visit);
  return search.found();
}
