import { DatabaseSync } from "node:sqlite";
import { getLoadablePath } from "sqlite-vec";
import { sha256 } from "../src/text/hash.ts";

/** Indexes as they are usually built on sqlite-vec, as a reference for ours. */

const candidates = 24;

export function openReference(path: string): DatabaseSync {
  const db = openWithExtension(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  return db;
}

/** Building is not measured, so it may be unsafe; a write-ahead log would double gigabytes. */
function openForBuilding(path: string): DatabaseSync {
  const db = openWithExtension(path);
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
  return db;
}

function openWithExtension(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { allowExtension: true });
  db.loadExtension(getLoadablePath());
  return db;
}

/** Vectors only, with integer keys: the fastest that sqlite-vec can be. */
export function buildVec0(path: string, vectors: Iterable<Float32Array>, dimensions: number): void {
  const db = openForBuilding(path);
  db.exec(`CREATE VIRTUAL TABLE vectors USING vec0(embedding float[${dimensions}] distance_metric=cosine)`);
  const insert = db.prepare("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)");
  db.exec("BEGIN");
  let rowid = 0n;
  for (const vector of vectors) insert.run(++rowid, bytesOf(vector));
  db.exec("COMMIT");
  db.close();
}

export function searchVec0(db: DatabaseSync, query: Float32Array): number[] {
  const rows = db
    .prepare(`SELECT rowid, distance FROM vectors WHERE embedding MATCH ? AND k = ${candidates}`)
    .all(bytesOf(query));
  return rows.map((row) => Number(row["rowid"]));
}

export interface ClassicOptions {
  readonly dimensions: number;
  readonly textOf: (chunk: number) => string;
  /** False leaves out the vector cache, which no search reads and which is two fifths of the file. */
  readonly cache?: boolean;
}

/** Text, JSON of the vector, a second JSON in the cache, a vec0 table by text id, and the text again in FTS5. */
export function buildClassic(
  path: string,
  vectors: Iterable<Float32Array>,
  { dimensions, textOf, cache: isCached = true }: ClassicOptions,
): void {
  const db = openForBuilding(path);
  db.exec(`
    CREATE TABLE chunks (id TEXT PRIMARY KEY, path TEXT, source TEXT, start_line INTEGER, end_line INTEGER,
      hash TEXT, model TEXT, text TEXT, embedding TEXT, updated_at INTEGER);
    CREATE TABLE embedding_cache (provider TEXT, model TEXT, provider_key TEXT, hash TEXT, embedding TEXT,
      dims INTEGER, updated_at INTEGER, PRIMARY KEY (provider, model, provider_key, hash));
    CREATE VIRTUAL TABLE chunks_fts USING fts5(text, id UNINDEXED, path UNINDEXED, source UNINDEXED,
      model UNINDEXED, start_line UNINDEXED, end_line UNINDEXED);
    CREATE VIRTUAL TABLE chunks_vec USING vec0(id TEXT PRIMARY KEY, embedding float[${dimensions}]);`);
  const chunk = db.prepare("INSERT INTO chunks VALUES (?, ?, 'memory', 1, 12, ?, 'm', ?, ?, 0)");
  const cache = db.prepare("INSERT OR REPLACE INTO embedding_cache VALUES ('p', 'm', ?, ?, ?, ?, 0)");
  const words = db.prepare("INSERT INTO chunks_fts VALUES (?, ?, ?, 'memory', 'm', 1, 12)");
  const vec = db.prepare("INSERT INTO chunks_vec (id, embedding) VALUES (?, ?)");
  const key = sha256("provider");
  db.exec("BEGIN");
  let index = 0;
  for (const vector of vectors) {
    const text = textOf(index);
    const [id, hash] = [sha256(`${index}`), sha256(text)];
    const json = JSON.stringify([...vector]);
    chunk.run(id, `memory/${index}.md`, hash, text, json);
    if (isCached) cache.run(key, hash, json, dimensions);
    words.run(text, id, `memory/${index}.md`);
    vec.run(id, bytesOf(vector));
    index++;
  }
  db.exec("COMMIT");
  db.close();
}

export interface ClassicQuestion {
  readonly words: string;
  readonly vector: Float32Array;
  /** `all`: every distance is joined to its chunk. `match`: vec0 first gives eight times as many, as newer designs do. */
  readonly vectors?: "all" | "match";
}

/** By vectors and by keywords joined with AND, with both scores weighted and merged. */
export function searchClassic(
  db: DatabaseSync,
  { words: question, vector, vectors = "all" }: ClassicQuestion,
): string[] {
  const query = bytesOf(vector);
  const select = `SELECT c.id, c.path, c.text, vec_distance_cosine(v.embedding, ?) AS distance`;
  const rest = `JOIN chunks c ON c.id = v.id WHERE c.model = 'm' ORDER BY distance LIMIT ${candidates}`;
  const nearest = `SELECT id, embedding FROM chunks_vec WHERE embedding MATCH ? AND k = ${8 * candidates}`;
  const near =
    vectors === "all"
      ? db.prepare(`${select} FROM chunks_vec v ${rest}`).all(query)
      : db.prepare(`${select} FROM (${nearest}) v ${rest}`).all(query, query);
  const match = question
    .split(" ")
    .map((word) => `"${word}"`)
    .join(" AND ");
  const found = db
    .prepare(
      `SELECT id, path, text, bm25(chunks_fts) AS rank FROM chunks_fts
       WHERE chunks_fts MATCH ? AND model = 'm' ORDER BY rank LIMIT ${candidates}`,
    )
    .all(match);
  const scores = new Map<string, number>();
  for (const row of near) scores.set(row["path"] as string, 0.7 * (1 - (row["distance"] as number)));
  for (const row of found) {
    const path = row["path"] as string;
    const score = 0.3 / (1 + Math.max(0, row["rank"] as number));
    scores.set(path, (scores.get(path) ?? 0) + score);
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([path]) => path);
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
