import type { DatabaseSync } from "node:sqlite";
import type { SourceName } from "../../text/document.ts";
import { sha1, sha256 } from "../../text/hash.ts";
import { createSlices, type Slices } from "../../timing.ts";
import type { ChunkContents, DocumentContents, IndexContents } from "../index-contents.ts";
import { hasFullText } from "./connection.ts";
import { openToRead } from "./open-for-reading.ts";
import { shownHash } from "./stored-chunk.ts";

export interface IndexContentsOptions {
  readonly path: string;
  /** The embedder whose vectors are read; without it, none are. */
  readonly embedderId?: string | undefined;
}

interface ChunkRow {
  key: number;
  [column: string]: string | number | null;
}

const sliceMs = 12;

/**
 * Reads an index in one snapshot on its own connection, so that the comparison is with the file and not with what a
 * process has cached. Damage surfaces as an SQLite error.
 */
export async function openIndexContents({ path, embedderId }: IndexContentsOptions): Promise<IndexContents> {
  const db = openToRead(path);
  try {
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; BEGIN");
    const slices = createSlices(sliceMs);
    const tokens = hasFullText(db) ? await digestTokens(db, slices) : new Map<number, string>();
    const vectors = embedderId === undefined ? new Map<number, string>() : digestVectors(db, embedderId);
    return {
      async *documents() {
        const files = db.prepare(`SELECT *, ${shownHash("hash")} AS hash FROM files ORDER BY source, path`);
        const chunksOf = db.prepare("SELECT * FROM chunks WHERE file = ? ORDER BY position, key");
        for (const file of files.iterate()) {
          const rows = chunksOf.all(file["id"] as number) as ChunkRow[];
          yield toDocument(file, rows, { tokens, vectors });
          if (slices.isOver()) await slices.next();
        }
      },
      strays: () => findStrays(db, tokens, vectors),
      [Symbol.asyncDispose]: async () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Versions, times and row numbers depend on when an index was built, everything else on the notes alone. */
function toDocument(
  file: Record<string, unknown>,
  rows: readonly ChunkRow[],
  digests: { tokens: ReadonlyMap<number, string>; vectors: ReadonlyMap<number, string> },
): DocumentContents {
  const facts = ["hash", "size", "chunker", "date", "scope", "chunk_count"];
  return {
    source: file["source"] as SourceName,
    path: String(file["path"]),
    facts: facts.map((name) => `${name} ${file[name]}`),
    chunks: rows.map((row, index): ChunkContents => {
      const { key, position, start_line, end_line, id } = row;
      return {
        place: `${start_line}-${end_line} ${id}${position === index ? "" : " of another document"}`,
        headings: String(row["headings"]),
        text: `${row["hash"]} ${sha256(String(row["text"]))}`,
        tokens: digests.tokens.get(key) ?? "none",
        vectors: digests.vectors.get(key) ?? null,
      };
    }),
  };
}

/** The exact vector if there is one: its coding depends on the size and the history of the index. */
function digestVectors(db: DatabaseSync, embedderId: string): Map<number, string> {
  const rows = db.prepare(
    `SELECT v.key, coalesce(e.embedding, v.codes) AS codes FROM embedders m JOIN chunks_vec v ON v.embedder = m.id
     LEFT JOIN chunk_rows c ON c.key = v.key
     LEFT JOIN embedding_cache e ON m.vectors_per_text = 'one' AND e.provider = m.provider
       AND e.model = m.model AND e.provider_key = m.provider_key
       AND e.hash = ${shownHash("c.hash")}
     WHERE m.name = ?`,
  );
  const digests = new Map<number, string>();
  for (const { key, codes } of rows.iterate(embedderId)) {
    digests.set(key as number, sha1(codes as Uint8Array).toString("base64"));
  }
  return digests;
}

function findStrays(
  db: DatabaseSync,
  tokens: ReadonlyMap<number, string>,
  vectors: ReadonlyMap<number, string>,
): string[] {
  const keys = new Set(
    db
      .prepare("SELECT key FROM chunk_rows")
      .all()
      .map((row) => row["key"] as number),
  );
  const countLost = (known: Iterable<number>): number => [...known].filter((key) => !keys.has(key)).length;
  const orphans = db
    .prepare("SELECT count(*) AS count FROM chunk_rows WHERE file NOT IN (SELECT id FROM files)")
    .get()?.["count"] as number;
  const counts = [
    ["chunks that belong to no document", orphans],
    ["chunks in the full-text index that do not exist", countLost(tokens.keys())],
    ["chunks with vectors that do not exist", countLost(vectors.keys())],
  ] as const;
  return counts.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
}

/**
 * A digest of the terms of each chunk, which are its tokens and how often each occurs, read from the full-text index
 * itself. The index is walked once, term by term, and each is mixed into the digests of its chunks; terms have the same
 * order in every index, so equal contents give equal digests.
 */
async function digestTokens(db: DatabaseSync, slices: Slices): Promise<Map<number, string>> {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab (main, chunks_fts, instance)");
  const places = db.prepare("SELECT term, doc FROM temp.places");
  places.setReturnArrays(true);
  const states = new Map<number, Int32Array>();
  for (const { id } of db.prepare("SELECT id FROM chunks_fts_docsize").iterate()) {
    states.set(id as number, new Int32Array(2));
  }
  let [last, low, high] = ["", 0, 0];
  for (const row of places.iterate() as Iterable<unknown>) {
    const [term, doc] = row as [string, number];
    if (term !== last) {
      last = term;
      const bytes = sha1(term);
      [low, high] = [bytes.readInt32LE(0), bytes.readInt32LE(4)];
    }
    let state = states.get(doc);
    if (state === undefined) {
      state = new Int32Array(2);
      states.set(doc, state);
    }
    state[0] = Math.imul(state[0]! ^ low, 0x01000193) + high;
    state[1] = Math.imul(state[1]! + high, 0x85ebca6b) ^ low;
    if (slices.isOver()) await slices.next();
  }
  return new Map([...states].map(([key, [a, b]]) => [key, `${a}:${b}`]));
}
