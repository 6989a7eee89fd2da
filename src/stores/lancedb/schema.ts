import type { Arrow, ArrowSchema } from "./lance-package.ts";

/*
 * The derived index as tables of LanceDB, a folder each. A commit to a table is atomic, and nothing spans two of them;
 * so all that must change together is in one table, and other tables may be late.
 *
 * chunks
 *   One row per document (`id` is null) and one per chunk. A put is one merge into this table, so whoever reads sees the
 *   old document or the new one. `key` names a row: `d:` and `doc`, or `c:` and a digest of document, headings, text and
 *   the number among equals; a chunk that an edit left alone keeps its row, and a key can never come back for another
 *   text. `id` is the beginning of that digest as a whole number. `doc` is source and path; source, path, date and
 *   scope repeat in every chunk, so that one query can filter. `body` and `head` are the tokens of our analyser
 *   in their order, `token_count` says how many they are, and `words` has each of them once, with a full-text index that
 *   only splits at blanks (`words.ts`). `version`, `chunker`, `mtime`, `size`,
 *   `chunk_count` and `revision` (by which version of the table the document is as it is) belong to documents.
 *
 * meta
 *   Small facts by key: how the index was made, `fact:…`, `set:…` (a set of vectors), `table:…` (that there is a
 *   table), `blank:…` (a text that holds nothing to embed), `usage:…` (what an embedder was asked for, a row each time).
 *
 * set_…
 *   One row per text that has vectors in a set. Embedders with many small vectors a text have their codes here (see
 *   `vector-codes.ts`), which are searched in memory: twenty vectors of floats would be as large as forty texts.
 *
 * cache_…
 *   The vectors of an embedder with one vector a text, of unit length, which LanceDB searches. A row outlives the chunks
 *   that use it. Its name has a digest of the embedder and the length of its vectors, so it never means another.
 */
export const schemaVersion = 3;

export const revisionColumn = "revision";

export function chunkSchema(arrow: Arrow): ArrowSchema {
  const { Field, Float64, Int32, Schema, Utf8 } = arrow;
  const text = (name: string, nullable = true) => new Field(name, new Utf8(), nullable);
  const whole = (name: string) => new Field(name, new Int32(), true);
  const large = (name: string) => new Field(name, new Float64(), true);
  return new Schema([
    keyField(arrow, "key"),
    text("doc", false),
    text("source", false),
    text("path", false),
    large("id"),
    text("hash", false),
    text("scope", false),
    text("date"),
    whole("position"),
    whole("start_line"),
    whole("end_line"),
    text("headings"),
    text("text"),
    whole("text_bytes"),
    text("body"),
    text("head"),
    text("words"),
    whole("token_count"),
    text("version"),
    text("chunker"),
    large("mtime"),
    large("size"),
    whole("chunk_count"),
    large(revisionColumn),
    large("updated_at"),
  ]);
}

export function metaSchema(arrow: Arrow): ArrowSchema {
  const { Field, Schema, Utf8 } = arrow;
  return new Schema([keyField(arrow, "key"), new Field("value", new Utf8(), false)]);
}

export function setSchema(arrow: Arrow): ArrowSchema {
  const { Binary, Field, Schema } = arrow;
  return new Schema([keyField(arrow, "hash"), new Field("codes", new Binary(), true)]);
}

export function cacheSchema(arrow: Arrow, dims: number): ArrowSchema {
  const { Field, FixedSizeList, Float32, Float64, Schema } = arrow;
  return new Schema([
    keyField(arrow, "hash"),
    new Field("updated_at", new Float64(), false),
    new Field("vector", new FixedSizeList(dims, new Field("item", new Float32(), true)), false),
  ]);
}

/** Names the rows of a table. Two merges that bring the same row at the same time are noticed by it, and one is repeated. */
function keyField({ Field, Utf8 }: Arrow, name: string) {
  return new Field(name, new Utf8(), false, new Map([["lance-schema:unenforced-primary-key", "true"]]));
}

/** A row of `chunks`. What does not belong to its kind is null. */
export interface ChunkRow {
  readonly key: string;
  readonly doc: string;
  readonly source: string;
  readonly path: string;
  readonly id: number | null;
  readonly hash: string;
  readonly scope: string;
  readonly date: string | null;
  readonly position: number | null;
  readonly start_line: number | null;
  readonly end_line: number | null;
  readonly headings: string | null;
  readonly text: string | null;
  readonly text_bytes: number | null;
  readonly body: string | null;
  readonly head: string | null;
  readonly words: string | null;
  readonly token_count: number | null;
  readonly version: string | null;
  readonly chunker: string | null;
  readonly mtime: number | null;
  readonly size: number | null;
  readonly chunk_count: number | null;
  readonly revision: number | null;
  readonly updated_at: number | null;
}
