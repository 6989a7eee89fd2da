import type { Scope } from "../../text/document.ts";
import type { Arrow, ArrowSchema } from "./lance-package.ts";

/*
 * The derived index as LanceDB tables, a folder each. A commit to a table is atomic, and no commit spans two of them; so
 * everything that must change together is in one table, and other tables may lag.
 *
 * chunks
 *   One row per document (`id` is null) and one per chunk. A put is one merge into this table, so a reader sees the old
 *   document or the new one. `key` identifies a row: `d:` and `doc`, or `c:` and a digest of document, headings, text and
 *   the number among equal chunks; a chunk that an edit left alone keeps its row, and a key is never reused for another
 *   text. `id` is the beginning of that digest as an integer. `doc` is source and path; source, path, date and scope
 *   repeat in every chunk, so that one query can filter. `body` and `head` are the tokens of our analyzer in order,
 *   `token_count` is their number, and `words` has each of them once, with a full-text index that only splits at
 *   whitespace (`words.ts`). `version`, `chunker`, `mtime`, `size`, `chunk_count` and `revision` (the table version that
 *   last changed the document) belong to documents.
 *
 * meta
 *   Small values by key: how the index was built, `fact:…`, `set:…` (a vector set), `table:…` (that a table exists),
 *   `blank:…` (a text with nothing to embed), `usage:…` (requests to an embedder, a row each time).
 *
 * set_…
 *   One row per text that has vectors in a set. Embedders with many small vectors per text have their codes here (see
 *   `vector-codes.ts`), which are searched in memory: twenty float vectors would be as large as forty texts.
 *
 * cache_…
 *   The unit vectors of an embedder with one vector per text, which LanceDB searches. A row outlives the chunks that use
 *   it. The table name contains a digest of the embedder and the dimensions, so it is never reused for another embedder.
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

export function chunkColumns(arrow: Arrow): (keyof ChunkRow)[] {
  return chunkSchema(arrow).fields.map(({ name }) => name as keyof ChunkRow);
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

/** The primary key. LanceDB uses it to detect two merges that bring the same row at once, and one is repeated. */
function keyField({ Field, Utf8 }: Arrow, name: string) {
  return new Field(name, new Utf8(), false, new Map([["lance-schema:unenforced-primary-key", "true"]]));
}

/** A row of `chunks`. Columns of the other kind of row are null. */
export type ChunkRow = {
  readonly key: string;
  readonly doc: string;
  readonly source: string;
  readonly path: string;
  readonly id: number | null;
  readonly hash: string;
  readonly scope: Scope;
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
};

/** The columns of all tables, and that of a full-text search. */
export type TableRow = ChunkRow & {
  readonly _score: number;
  readonly value: string;
  readonly codes: Uint8Array | null;
  readonly vector: { toArray(): Float32Array };
};
