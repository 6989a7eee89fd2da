import type { DatabaseSync } from "node:sqlite";

/*
 * The derived index, one SQLite file per agent. Everything in it can be built again from the notes, so a
 * schema change is not migrated: a file of an older version is emptied in place and the next sync fills it.
 * A file of a newer version is never touched. The names of tables and columns are public: people look
 * inside with any SQLite tool.
 *
 * meta
 *   One row per small fact. `memory_index_meta_v1` says in JSON how the index was made: schema, analyser,
 *   chunker, provider. Facts of other parts (the last sync, …) are under `fact:<name>`, so they can never
 *   collide with it.
 *
 * files
 *   One row per document; (path, source) names it. `version` is what the source calls its state and is
 *   compared, never understood. `chunk_count` equals the number of its rows in `chunks`; it is kept here
 *   because counting a million chunk rows for every `status` reads a million index entries, and adding up
 *   ten thousand files does not. `mtime` is in milliseconds. `revision` is the write that made the row as it is
 *   (`read.ts`).
 *
 * chunks
 *   One row per chunk, and the only place where text is stored. `key` joins the tables: an integer is
 *   smaller and quicker to look up than the documented SHA-256 `id`, which is kept for people. AUTOINCREMENT, because a
 *   key must never come back for another text: a search holds keys
 *   while another process replaces the document, and must then find nothing rather than something else.
 *   `id` is not unique: a long line is cut into pieces that share its line number, and two of them may be
 *   equal. `position` is the order within the document; keys do not give it, because a chunk that an edit
 *   left alone keeps its row. `path` and `source` repeat what `files` says for the reader with an SQLite
 *   tool; queries use `file`. `text` is last, so that reading the small columns of a row never walks
 *   into its overflow pages. `model` names the embedder that cut chunks depend on; none does, it is ''.
 *
 * chunks_fts
 *   Words of chunks by FTS5; its rowid is `chunks.key`. What is indexed are the tokens of our own analyser
 *   joined by blanks, so every store agrees on what a word is, and the tokenizer here must only split at
 *   blanks: `ascii` keeps every byte above 127, and all ASCII that is neither a letter, a digit nor a blank
 *   is declared part of a token. `body` holds the text and `head` the headings and the path, so that the
 *   two can be weighted. Contentless: the text is in `chunks` already, and a second copy would make
 *   this table 3.5 times as large. `contentless_delete` lets a row go by its key. The alternative, FTS5's
 *   `delete` command, wants the very tokens that were once inserted; one different token would silently
 *   corrupt the index. (The same reason rules out FTS5's `secure-delete` option, which also takes 3.5 ms a
 *   chunk: words of deleted chunks stay in the file until a merge drops them, which
 *   `purge.ts` does when text is to be forgotten.) The invariant: the rowids of
 *   chunks_fts are exactly the keys of chunks. Both change in one transaction, and `full-text.ts` checks it.
 *
 * embedders
 *   One row per embedder that has a set of vectors here; `name` is its id, and `provider`, `model` and `provider_key`
 *   are those of its rows in embedding_cache. `vectors_per_text` is `one` or `several`, `coding` says how the vectors
 *   are coded (`centre` belongs to it, see `vector-codes.ts`), `dims` how many numbers each has (0 while there is
 *   none). Every chunk with a key up to `done_key` has its row in chunks_vec, so what is missing is looked for among the
 *   later ones only, and nothing is read when there is nothing to do. `used_at` (milliseconds) is when the set was last
 *   searched or written, to a day. A number is never given to another embedder or another coding, because other
 *   processes hold vectors by it.
 *
 * chunks_vec
 *   The coded vectors of a chunk, as `vector-codes.ts` writes them; it may have none, when there is nothing to embed.
 *   For an embedder with one vector a text they only find candidates: the vector itself is in embedding_cache.
 *   By chunk and not by text, so that all are read in one sweep and without a join when a process first needs them;
 *   chunks of equal text get equal rows, and a new chunk takes the row of another with its text: `chunks_hash` finds
 *   it. That index has 16 of the 64 digits, which tell any two texts apart, and is a third of the size.
 *
 * chunks_gone
 *   Keys of chunks that had vectors and were deleted, the last few thousand in order, so that a process that holds the
 *   vectors in memory learns what has gone without reading all of them again.
 *
 * embedding_cache
 *   The vectors of embedders with one vector a text: float32, little-endian, unit length, by (provider, model,
 *   provider_key, text hash), so equal text is embedded once, and still known when it comes back after its chunk was
 *   deleted. An empty blob with `dims` 0 is a text that holds nothing to embed. A row that no chunk uses is evicted when
 *   there are too many, the oldest by `updated_at` (milliseconds) first. The table is kept when the schema around it
 *   changes: it is the one part that may have cost money. It has rowids on purpose: in a table without, rows of this
 *   size would take a page of their own each beside the one they are listed on.
 *
 * embedder_usage
 *   What embedders were asked for since the index was made, one row each; `cost_usd` is NULL when a part of it is not
 *   known. Kept like embedding_cache.
 */

/** "lhnd" in ASCII; tells our file from any other SQLite database. */
export const applicationId = 0x6c686e64;
export const schemaVersion = 4;

/** Every ASCII character but letters, digits, the blank, and NUL, which no SQL text can hold. */
const tokenCharacters = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1))
  .filter((character) => !/[ a-z0-9]/i.test(character))
  .join("");

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const fullTextTable = `CREATE VIRTUAL TABLE chunks_fts USING fts5(
  body, head, content='', contentless_delete=1, tokenize=${quote(`ascii tokenchars ${quote(tokenCharacters)}`)}
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
  hash TEXT NOT NULL,
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
  chunks: `CREATE TABLE chunks (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL,
  position INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  source TEXT NOT NULL,
  path TEXT NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  model TEXT NOT NULL,
  headings TEXT NOT NULL,
  text TEXT NOT NULL
)`,
  chunks_file: "CREATE INDEX chunks_file ON chunks (file, position)",
  chunks_hash: "CREATE INDEX chunks_hash ON chunks (substr(hash, 1, 16))",
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
  chunks_vec: `CREATE TABLE chunks_vec (
  embedder INTEGER NOT NULL,
  key INTEGER NOT NULL,
  codes BLOB NOT NULL,
  PRIMARY KEY (embedder, key)
) WITHOUT ROWID`,
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
  /** False where SQLite was built without FTS5: everything but keyword search works. */
  readonly fullText: boolean;
}

export type SchemaState = "ready" | "empty" | "outdated" | "newer" | "foreign";

/** Cheap: two header fields and one page. Any damage of the file's head surfaces here as an SQLite error. */
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

/** An index of ours whose head alone is damaged. */
export function hasOurTables(db: DatabaseSync): boolean {
  const names = new Set(
    db
      .prepare("SELECT name FROM sqlite_schema")
      .all()
      .map((row) => row["name"]),
  );
  return namesOfOurs.every((name) => names.has(name));
}

/** False also where that is not known: the file is then damaged rather than newer. */
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

/** What is kept when the schema around it changes, if its own shape did not. */
const lastingTables = JSON.stringify([embeddingCacheTable, embedderUsageTable]);

/**
 * Inside a transaction of the caller: drops what is there and creates the tables. Cached vectors and what they have
 * cost stay.
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

/** Inside a transaction of the caller: an empty full-text table, whatever was there before. */
export function recreateFullText(db: DatabaseSync): void {
  db.exec("DROP TABLE IF EXISTS chunks_fts");
  db.exec(fullTextTable);
  tuneFullText(db);
}

/**
 * FTS5 merges its segments while it writes, by default from four of a kind. Eight makes a first index a
 * fifth faster; a query looks into a few segments more, which a measurement does not show.
 */
function tuneFullText(db: DatabaseSync): void {
  db.exec("INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('automerge', 8)");
}

function tablesFor(fullText: boolean): [string, string][] {
  return Object.entries(tables).filter(([name]) => fullText || name !== "chunks_fts");
}

function dropTables(db: DatabaseSync, condition: string): void {
  const rows = db
    .prepare(
      `SELECT name FROM sqlite_schema
       WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT IN (SELECT value FROM json_each(?)) ${condition}`,
    )
    .all(lastingTables);
  for (const row of rows) db.exec(`DROP TABLE IF EXISTS "${String(row["name"]).replaceAll('"', '""')}"`);
}
