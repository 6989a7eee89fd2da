import type { DatabaseSync } from "node:sqlite";
import { chunkOfRow, embedderOfRow, shownHash, wholeText, withPredecessor } from "./stored-chunk.ts";

/*
 * The derived index, one SQLite file per agent. Everything in it can be rebuilt from the notes, so a schema change is not
 * migrated: a file of an older version is emptied in place and the next sync fills it. A file of a newer version is
 * never touched. The names of tables and columns are public: users inspect the file with any SQLite tool.
 *
 * meta
 *   Key and value. `memory_index_meta_v1` says in JSON how the index was built: schema, analyzer, chunker, provider.
 *   Values of other parts (the last sync, …) have keys `fact:<name>`, so they never collide with it.
 *
 * files
 *   One row per document, identified by (path, source). `version` is defined by the source; it is compared, never
 *   parsed. `chunk_count` is the number of its rows in `chunks`; it is stored because counting a million chunks for
 *   every `status` reads a million index entries, and adding up ten thousand files does not. `mtime` is in
 *   milliseconds. `revision` is the write that last changed the row (`read.ts`).
 *
 * chunk_rows
 *   One row per chunk, and the only place where text is stored. `key` joins the tables. AUTOINCREMENT, because a key must never be reused for another text: a
 *   search holds keys while another process replaces the document, and must then find nothing rather than something
 *   else. `position` is the order within the document; keys do not give it, because an unchanged chunk keeps its row. The end
 *   of a chunk is often repeated at the start of the next, and stored once: `text` lacks its first `repeated` bytes,
 *   which are the last ones of the row with the key before. It is made whole when that row is deleted. `text` is the last
 *   column, so that reading the small ones never touches overflow pages.
 *
 * chunks
 *   A view of chunk_rows for users of an SQLite tool: whole texts, paths, hashes in hexadecimal digits. `id` names a chunk
 *   as `source:path:start:end:hash:model`; its SHA-256 is the id that other stores have. It is not unique: a long line is
 *   split into pieces that share its line number, and two of them may be equal. `model` would name the embedder that
 *   chunking depends on; there is none, so it is ''.
 *
 * chunks_fts
 *   The full-text index (FTS5); its rowid is `chunks.key`. It contains the tokens of our own analyzer, so every store has
 *   the same tokens. Each distinct token of a chunk is one term, which also says how often it occurs (`terms.ts`), so
 *   FTS5 stores neither positions nor columns, and `rank-words.ts` ranks. Terms are joined by spaces, and the tokenizer
 *   must only split at spaces: `ascii` keeps every byte above 127, and all ASCII that is neither a letter, a digit nor a
 *   space is declared part of a term. Contentless: the text is in `chunks` already. `contentless_delete` deletes a row
 *   by its key. The alternative, FTS5's `delete` command, needs exactly the terms that were inserted; one different term
 *   would silently corrupt the index. (The same reason rules out FTS5's `secure-delete` option, which also takes 3.5 ms
 *   per chunk: terms of deleted chunks stay in the file until a merge drops them, which `purge.ts` does when text is
 *   forgotten.) The invariant: the rowids of chunks_fts are exactly the keys of chunks. Both change in one transaction,
 *   and `full-text.ts` checks it.
 *
 * embedders
 *   One row per embedder with a vector set; `name` is its id, and `provider`, `model` and `provider_key` are those of its
 *   rows in embedding_cache. `vectors_per_text` is `one` or `several`, `coding` is the vector coding (`centre` belongs
 *   to it, see `vector-codes.ts`), `dims` the dimensions (0 while there is no vector). Every chunk with a key up to
 *   `done_key` has its row in vector_rows, so only later chunks are checked for missing vectors, and nothing is read
 *   when there are none. `used_at` (milliseconds) is the day the set was last searched or written. An id is never reused
 *   for another embedder or coding, because other processes cache vectors by it.
 *
 * vector_rows
 *   The coded vectors of a chunk (`vector-codes.ts`); none if there is nothing to embed. For an embedder with one vector
 *   per text they only find candidates: the exact vector is in embedding_cache. By chunk and not by text, so that a
 *   process can load all of them in one scan without a join; chunks of equal text have equal rows, and a new chunk
 *   copies the row of another with its text, found by `chunks_hash`. That index has 4 of the 32 bytes of a hash, which
 *   distinguish nearly all texts, and is a quarter of the size. `place` is the embedder's id times 2^40 plus the chunk's
 *   key: an SQLite table with a compound key leaves a tenth of each page empty. `chunks_vec` is a view that shows both.
 *
 * chunks_gone
 *   Keys of deleted chunks that had vectors, the last few thousand in order, so that a process that holds the vectors in
 *   memory can drop them without loading everything again.
 *
 * embedding_cache
 *   The vectors of embedders with one vector per text: float32, little-endian, unit length, by (provider, model,
 *   provider_key, text hash), so equal text is embedded once, even if it comes back after its chunk was deleted. An
 *   empty blob with `dims` 0 is a text with nothing to embed. Rows that no chunk uses are evicted when there are too
 *   many, oldest by `updated_at` (milliseconds) first. The table survives schema changes: it is the one part that may
 *   have cost money. It has rowids on purpose: in a WITHOUT ROWID table, rows of this size would take an extra page
 *   each.
 *
 * embedder_usage
 *   Requests to each embedder since the index was created; `cost_usd` is NULL if part of it is unknown. Kept like
 *   embedding_cache.
 */

/** "lhnd" in ASCII; distinguishes our file from any other SQLite database. */
export const applicationId = 0x6c686e64;
export const schemaVersion = 6;

/** Every ASCII character but letters, digits, the space, and NUL, which SQL text cannot contain. */
const tokenCharacters = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1))
  .filter((character) => !/[ A-Za-z0-9]/.test(character))
  .join("");

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const fullTextTable = `CREATE VIRTUAL TABLE chunks_fts USING fts5(
  terms, detail=none, content='', contentless_delete=1, tokenize=${quote(`ascii tokenchars ${quote(tokenCharacters)}`)}
)`;

const embeddingCacheTable = `CREATE TABLE embedding_cache (
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  provider_key TEXT NOT NULL,
  hash TEXT NOT NULL,
  embedding BLOB NOT NULL,
  dims INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (provider, model, provider_key, hash)
)`;

const embedderUsageTable = `CREATE TABLE embedder_usage (
  embedder TEXT PRIMARY KEY,
  requests INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  texts INTEGER NOT NULL,
  cost_usd REAL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID`;

const tables: Readonly<Record<string, string>> = {
  meta: `CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID`,
  files: `CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  source TEXT NOT NULL,
  hash BLOB NOT NULL,
  mtime INTEGER NOT NULL,
  size INTEGER NOT NULL,
  version TEXT NOT NULL,
  chunker TEXT NOT NULL,
  date TEXT,
  scope TEXT NOT NULL,
  chunk_count INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  UNIQUE (path, source)
)`,
  chunk_rows: `CREATE TABLE chunk_rows (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL,
  position INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  repeated INTEGER NOT NULL,
  hash BLOB NOT NULL,
  headings TEXT NOT NULL,
  text TEXT NOT NULL
)`,
  chunks_file: "CREATE INDEX chunks_file ON chunk_rows (file, position)",
  chunks_hash: "CREATE INDEX chunks_hash ON chunk_rows (substr(hash, 1, 4))",
  chunks: `CREATE VIEW chunks AS SELECT c.key, c.file, c.position, f.source, f.path, c.start_line, c.end_line,
  concat_ws(':', f.source, f.path, c.start_line, c.end_line, ${shownHash("c.hash")}, '') AS id,
  ${shownHash("c.hash")} AS hash, '' AS model, c.headings, ${wholeText} AS text, c.updated_at
  FROM chunk_rows c LEFT JOIN files f ON f.id = c.file ${withPredecessor}`,
  embedders: `CREATE TABLE embedders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  provider_key TEXT NOT NULL,
  vectors_per_text TEXT NOT NULL,
  coding TEXT NOT NULL,
  dims INTEGER NOT NULL,
  done_key INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  centre BLOB
)`,
  vector_rows: `CREATE TABLE vector_rows (
  place INTEGER PRIMARY KEY,
  codes BLOB NOT NULL
)`,
  chunks_vec: `CREATE VIEW chunks_vec AS
  SELECT ${embedderOfRow} AS embedder, ${chunkOfRow} AS key, codes FROM vector_rows`,
  chunks_gone: `CREATE TABLE chunks_gone (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key INTEGER NOT NULL
)`,
  embedding_cache: embeddingCacheTable,
  embedding_cache_age: "CREATE INDEX embedding_cache_age ON embedding_cache (updated_at)",
  embedder_usage: embedderUsageTable,
  chunks_fts: fullTextTable,
};

export interface SchemaOptions {
  /** False if SQLite was built without FTS5: everything but keyword search works. */
  readonly fullText: boolean;
}

export type SchemaState = "ready" | "empty" | "outdated" | "newer" | "foreign";

/** Cheap: two header fields and one page. Any damage of the file's header surfaces here as an SQLite error. */
export function readSchemaState(db: DatabaseSync, { fullText }: SchemaOptions): SchemaState {
  const rows = db.prepare("SELECT name, sql FROM sqlite_schema").all();
  const { application_id } = db.prepare("PRAGMA application_id").get() as { application_id: number };
  const version = readSchemaVersion(db);
  if (application_id !== applicationId) {
    return rows.length === 0 && application_id === 0 ? "empty" : "foreign";
  }
  if (version > schemaVersion) return "newer";
  if (version < schemaVersion) return "outdated";
  const found = new Map(rows.map((row) => [row["name"], row["sql"]]));
  const complete = tablesFor(fullText).every(([name, sql]) => found.get(name) === sql);
  return complete ? "ready" : "outdated";
}

const namesOfOurs = ["meta", "files", "chunks", "embedders", "chunks_vec", "chunks_gone", "embedding_cache"];

/** Whether this is an index of ours with a damaged header. */
export function hasOurTables(db: DatabaseSync): boolean {
  const names = new Set(
    db
      .prepare("SELECT name FROM sqlite_schema")
      .all()
      .map((row) => row["name"]),
  );
  return namesOfOurs.every((name) => names.has(name));
}

/** False if unknown: the file is then damaged rather than newer. */
export function isNewerSchema(db: DatabaseSync): boolean {
  try {
    return readSchemaVersion(db) > schemaVersion;
  } catch {
    return false;
  }
}

function readSchemaVersion(db: DatabaseSync): number {
  return (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** Tables that are kept when the schema changes, if their own definition did not. */
const lastingTables = JSON.stringify([embeddingCacheTable, embedderUsageTable]);

/**
 * In the caller's transaction: drops existing tables and creates new ones. Cached vectors and their usage figures stay.
 */
export function writeSchema(db: DatabaseSync, { fullText }: SchemaOptions): void {
  dropTables(db, "AND sql LIKE 'CREATE VIRTUAL TABLE%'");
  dropTables(db, "");
  const kept = new Set(
    db
      .prepare("SELECT name FROM sqlite_schema")
      .all()
      .map((row) => row["name"]),
  );
  for (const [name, sql] of tablesFor(fullText)) {
    if (!kept.has(name)) db.exec(sql);
  }
  if (fullText) tuneFullText(db);
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
}

/** In the caller's transaction: an empty full-text table, whatever existed before. */
export function recreateFullText(db: DatabaseSync): void {
  db.exec("DROP TABLE IF EXISTS chunks_fts");
  db.exec(fullTextTable);
  tuneFullText(db);
}

/**
 * FTS5 writes a segment whenever it has gathered a megabyte of terms: with four, there are fewer to merge, and inserting
 * takes a seventh less.
 */
function tuneFullText(db: DatabaseSync): void {
  db.exec(`INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('hashsize', ${4 * 1024 * 1024})`);
}

function tablesFor(fullText: boolean): [string, string][] {
  return Object.entries(tables).filter(([name]) => fullText || name !== "chunks_fts");
}

function dropTables(db: DatabaseSync, condition: string): void {
  const rows = db
    .prepare(
      `SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'
         AND sql NOT IN (SELECT value FROM json_each(?)) ${condition}`,
    )
    .all(lastingTables);
  for (const { type, name } of rows)
    db.exec(`DROP ${type} IF EXISTS "${String(name).replaceAll('"', '""')}"`);
}
