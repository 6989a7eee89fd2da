import { setTimeout } from "node:timers/promises";
import { createNeedleSearch } from "../needle-search.ts";
import type { Tokens } from "../tokens.ts";
import type { IndexFile } from "./index-file.ts";

/** What to search for in the raw bytes so that no trace of some texts is missed. */
export interface Needles {
  readonly pieces: readonly string[];
  /** As indexed. */
  readonly words: readonly string[];
  /** Whether some were left out. */
  readonly isPart: boolean;
}

const needleChars = 32;
/** A shorter needle occurs somewhere by chance. */
const minBytes = 5;
const linesAtOnce = 500;

/** Pieces of all lines, and all tokens. If there are more than `max` of a kind, an even sample. */
export async function makeNeedles(
  texts: readonly string[],
  { tokens, max }: { tokens: Tokens; max: number },
): Promise<Needles> {
  const pieces = new Set<string>();
  const words = new Set<string>();
  const add = (set: Set<string>, needle: string) => {
    if (Buffer.byteLength(needle) >= minBytes) set.add(needle);
  };
  for (const text of texts) {
    const lines = text.split(/\r?\n/);
    for (let from = 0; from < lines.length; from += linesAtOnce) {
      const some = lines.slice(from, from + linesAtOnce);
      for (const line of some) for (const piece of cutPieces(line)) add(pieces, piece);
      const { body } = tokens({ text: some.join("\n"), headings: [], path: "" });
      for (const word of body.split(" ")) add(words, word);
      await setTimeout(0);
    }
  }
  return {
    pieces: spread([...pieces], max),
    words: spread([...words], max),
    isPart: pieces.size > max || words.size > max,
  };
}

function* cutPieces(line: string): Generator<string> {
  const characters = [...line.trim()];
  for (let at = 0; at < characters.length; at += needleChars) {
    // The last piece overlaps the previous one, so that it is as long as the others.
    const from = Math.max(0, Math.min(at, characters.length - needleChars));
    yield characters.slice(from, from + needleChars).join("");
  }
}

function spread(all: readonly string[], max: number): readonly string[] {
  if (all.length <= max) return all;
  return Array.from({ length: max }, (_, index) => all[Math.floor((index * all.length) / max)]!);
}

const rowsAtOnce = 64;
const termsAtOnce = 4096;

/** The needles that no row of the index explains: where the bytes contain them, they are remains of deleted text. */
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
  // A needle may be a piece of a text, of a token, of a path, or of the metadata. A number is often part of a hash, or
  // spans the end of one and the start of the next: columns are joined as they are in the file.
  for await (const text of allRows(file)) {
    explain(text);
    const folded = text.toLowerCase();
    if (folded !== text) explain(folded);
    if (explained.size === needles.length) return [];
  }
  return needles.filter((_, index) => !explained.has(index));
}

/** Queries for the next rows after `?1`. */
const chunkRows = `SELECT key AS at, concat(headings, text) AS text FROM chunk_rows
  WHERE key > ?1 ORDER BY key LIMIT ${rowsAtOnce}`;
const fileRows = `SELECT rowid AS at, concat(path, source, char(10), version, chunker, date, scope) AS text FROM files
  WHERE rowid > ?1 ORDER BY rowid LIMIT ${termsAtOnce}`;
const cacheRows = `SELECT rowid AS at, concat(provider, model, provider_key, hash) AS text FROM embedding_cache
  WHERE rowid > ?1 ORDER BY rowid LIMIT ${termsAtOnce}`;
const terms = `SELECT term AS at, term AS text FROM temp.words WHERE term > ?1 LIMIT ${termsAtOnce}`;

/** Everything that is stored in rows. */
async function* allRows(file: IndexFile): AsyncGenerator<string> {
  for (const sql of [chunkRows, fileRows, cacheRows]) yield* pages(file, sql, 0);
  if (await file.read(({ keyword }) => keyword !== null)) yield* pages(file, terms, "");
  yield* smallTables(file);
}

/** All rows in order, in pages, so that the event loop is not blocked. */
async function* pages(file: IndexFile, sql: string, start: number | string): AsyncGenerator<string> {
  for (let at = start; ; await setTimeout(0)) {
    const rows = await file.read(({ reader }) => reader.prepare(sql).all(at));
    const last = rows.at(-1);
    if (last === undefined) return;
    at = last["at"] as number | string;
    yield rows.map((row) => row["text"] as string).join("\n");
  }
}

async function* smallTables(file: IndexFile): AsyncGenerator<string> {
  for (const sql of [
    "SELECT sql AS text FROM sqlite_schema",
    "SELECT concat(key, value) AS text FROM meta",
    "SELECT concat(name, provider, model, provider_key, vectors_per_text, coding) AS text FROM embedders",
  ]) {
    const rows = await file.read(({ reader }) => reader.prepare(sql).all());
    yield rows.map((row) => String(row["text"] ?? "")).join("\n");
  }
}
