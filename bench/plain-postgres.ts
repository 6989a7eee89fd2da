import pg from "pg";
import type { MadeUpNotes } from "./made-up-notes.ts";

/** What a team would build on PostgreSQL without longhand: one table, a full-text index and an HNSW index. */
export interface PlainIndex extends AsyncDisposable {
  /** The best by text and the best by vector, two queries one after the other. */
  search(question: string, vector: Float32Array): Promise<void>;
  /** The best by vector, as numbers of chunks. */
  nearest(vector: Float32Array): Promise<number[]>;
}

export interface PlainOptions {
  readonly connections: number;
  readonly dimensions: number;
  readonly limit: number;
  /** `ef_search` of pgvector. */
  readonly effort: number;
}

export async function fillPlain(
  url: string,
  {
    notes,
    chunks,
    dimensions,
  }: { readonly notes: MadeUpNotes; readonly chunks: number; readonly dimensions: number },
): Promise<void> {
  await using client = await connect(url, 1);
  const { pool } = client;
  await pool.query("CREATE SCHEMA plain");
  await pool.query(
    `CREATE TABLE plain.chunks (
       id integer PRIMARY KEY,
       text text NOT NULL,
       words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple', text)) STORED,
       embedding vector(${dimensions}) NOT NULL
     )`,
  );
  for (let first = 0; first < chunks; first += rowsPerInsert) {
    const ids = Array.from(
      { length: Math.min(rowsPerInsert, chunks - first) },
      (_, offset) => first + offset,
    );
    await pool.query(
      `INSERT INTO plain.chunks (id, text, embedding)
       SELECT id, text, embedding::vector FROM unnest($1::int[], $2::text[], $3::text[]) AS t (id, text, embedding)`,
      [ids, ids.map((id) => notes.textOf(id)), ids.map(() => asText(notes.vector()))],
    );
  }
  await pool.query("CREATE INDEX ON plain.chunks USING gin (words)");
  // As much memory as longhand uses to build a graph.
  await pool.query("SET maintenance_work_mem = '2GB'");
  await pool.query(
    `CREATE INDEX ON plain.chunks USING hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops)`,
  );
  await pool.query("ANALYZE plain.chunks");
}

export async function openPlain(
  url: string,
  { connections, dimensions, limit, effort }: PlainOptions,
): Promise<PlainIndex> {
  const { pool, [Symbol.asyncDispose]: close } = await connect(url, connections, effort);
  const byVector = (vector: Float32Array) =>
    pool.query<{ id: number }>({
      name: "plain-vector",
      text: `SELECT id, text FROM plain.chunks
             ORDER BY embedding::halfvec(${dimensions}) <=> $1::halfvec(${dimensions}) LIMIT ${limit}`,
      values: [asText(vector)],
    });
  return {
    async search(question, vector) {
      await pool.query({
        name: "plain-text",
        text: `SELECT id, text FROM plain.chunks, to_tsquery('simple', $1) AS query
               WHERE words @@ query ORDER BY ts_rank(words, query) DESC LIMIT ${limit}`,
        values: [question.split(" ").join(" | ")],
      });
      await byVector(vector);
    },
    nearest: async (vector) => (await byVector(vector)).rows.map(({ id }) => id),
    [Symbol.asyncDispose]: close,
  };
}

const rowsPerInsert = 2048;

async function connect(
  url: string,
  connections: number,
  effort?: number,
): Promise<{ pool: pg.Pool } & AsyncDisposable> {
  const options = effort === undefined ? {} : { options: `-c hnsw.ef_search=${effort}` };
  const pool = new pg.Pool({ connectionString: url, max: connections, ...options });
  await pool.query("SELECT 1");
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}

function asText(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}
