import { setTimeout } from "node:timers/promises";
import { createNeedleSearch } from "../needle-search.ts";
import type { IndexFile } from "./index-file.ts";

const rowsAtOnce = 64;
const termsAtOnce = 4096;

/** The needles that no row of the index explains: what stands in its bytes all the same is the rest of something deleted. */
export async function findUnexplained(
  file: IndexFile,
  needles: readonly string[],
): Promise<readonly string[]> {
  if (needles.length === 0) return [];
  const { find } = createNeedleSearch(needles);
  const explained = new Set<number>();
  const explain = (text: string): void => {
    const bytes = Buffer.from(text);
    find(bytes, bytes.length, explained);
  };
  const isDone = () => explained.size === needles.length;
  // A needle may be a piece of a text, of a word, of a path, or of the index's own description. A number is often part of
  // a hash, or of the end of one and the beginning of the next: columns are joined as they stand in the file.
  for (const rows of [chunkRows(file), fileRows(file), cacheRows(file), terms(file), smallTables(file)]) {
    for await (const text of rows) {
      explain(text);
      const folded = text.toLowerCase();
      if (folded !== text) explain(folded);
      if (isDone()) return [];
    }
  }
  return needles.filter((_, index) => !explained.has(index));
}

function chunkRows(file: IndexFile): AsyncGenerator<string> {
  return pages(file, {
    sql: `SELECT key AS at, concat(source, path, id, hash, model, headings, text) AS text FROM chunks
          WHERE key > ?1 ORDER BY key LIMIT ${rowsAtOnce}`,
    start: 0,
  });
}

function fileRows(file: IndexFile): AsyncGenerator<string> {
  return pages(file, {
    sql: `SELECT rowid AS at, concat(path, source, hash, char(10), version, chunker, date, scope) AS text FROM files
          WHERE rowid > ?1 ORDER BY rowid LIMIT ${termsAtOnce}`,
    start: 0,
  });
}

function cacheRows(file: IndexFile): AsyncGenerator<string> {
  return pages(file, {
    sql: `SELECT rowid AS at, concat(provider, model, provider_key, hash) AS text FROM embedding_cache
          WHERE rowid > ?1 ORDER BY rowid LIMIT ${termsAtOnce}`,
    start: 0,
  });
}

async function* terms(file: IndexFile): AsyncGenerator<string> {
  if (await file.read(({ keyword }) => keyword === null)) return;
  const sql = `SELECT term AS at, term AS text FROM temp.words WHERE term > ?1 LIMIT ${termsAtOnce}`;
  yield* pages(file, { sql, start: "" });
}

/** All rows in their order, some at a time, so that the event loop gets its turn. */
async function* pages(
  file: IndexFile,
  { sql, start }: { sql: string; start: number | string },
): AsyncGenerator<string> {
  for (let at = start; ; await setTimeout(0)) {
    const rows = await file.read(({ reader }) => reader.prepare(sql).all(at));
    const last = rows.at(-1);
    if (last === undefined) return;
    at = last["at"] as number | string;
    yield rows.map((row) => row["text"] as string).join("\n");
  }
}

async function* smallTables(file: IndexFile): AsyncGenerator<string> {
  const columns = ["sql AS text FROM sqlite_schema", "concat(key, value) AS text FROM meta"];
  columns.push(
    "concat(name, provider, model, provider_key, vectors_per_text, coding) AS text FROM embedders",
  );
  for (const each of columns) {
    const rows = await file.read(({ reader }) => reader.prepare(`SELECT ${each}`).all());
    yield rows.map((row) => String(row["text"] ?? "")).join("\n");
  }
}
