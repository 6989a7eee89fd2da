import type { DatabaseSync } from "node:sqlite";
import type { VectorEntry } from "../store-vectors.ts";
import { findVectorFault } from "../vectors/vector-codes.ts";
import { type CachedRow, type CacheOwner, toBlob, toEntries, toFloats } from "../vectors/vector-set.ts";
import { hasHash, shownHash, vectorRow } from "./stored-chunk.ts";
import type { EmbedderRow } from "./vector-sets.ts";

/** How many texts are looked up at a time. */
export const cacheGroup = 400;

const ofOwner = "e.provider = ?2 AND e.model = ?3 AND e.provider_key = ?4";

/**
 * Whether a chunk uses the vectors of row `e`. CROSS JOIN fixes SQLite's join order; otherwise it builds an index of
 * all vectors for each group.
 */
const isUsed = `EXISTS (SELECT 1 FROM embedders m
  CROSS JOIN chunk_rows c ON ${hasHash("c.", "e.hash")}
  CROSS JOIN vector_rows v ON v.place = ${vectorRow("m.id", "c.key")}
  WHERE m.provider = e.provider AND m.model = e.model AND m.provider_key = e.provider_key)`;

/** A position in the order of age. */
export interface CachePosition {
  readonly updated_at: number;
  readonly rowid: number;
}

export function prepareCacheReading(db: DatabaseSync) {
  const count = db.prepare("SELECT count(*) AS count FROM embedding_cache");
  const ofChunks = db.prepare(
    `SELECT c.key, e.embedding FROM json_each(?1) CROSS JOIN chunk_rows c ON c.key = json_each.value
     CROSS JOIN embedding_cache e ON ${ofOwner} AND e.hash = ${shownHash("c.hash")}`,
  );
  ofChunks.setReturnArrays(true);
  const ofMissing = db.prepare(
    `SELECT c.key, c.hash, e.embedding, e.dims FROM
       (SELECT key, ${shownHash("hash")} AS hash FROM chunk_rows WHERE key > ?5
          AND NOT EXISTS (SELECT 1 FROM vector_rows v WHERE v.place = ${vectorRow("?1", "key")})
        ORDER BY key LIMIT ${cacheGroup}) c
     LEFT JOIN embedding_cache e ON ${ofOwner} AND e.hash = c.hash ORDER BY c.key`,
  );
  const ofHashes = db.prepare(
    `SELECT e.hash, e.embedding, e.dims FROM json_each(?1) CROSS JOIN embedding_cache e
       ON ${ofOwner} AND e.hash = json_each.value`,
  );
  const ofOwnerAfter = db.prepare(
    `SELECT e.rowid, e.hash, e.embedding, e.dims FROM embedding_cache e
     WHERE ${ofOwner} AND e.rowid > ?1 ORDER BY e.rowid LIMIT ${cacheGroup}`,
  );
  const byAge = db.prepare(
    `SELECT e.updated_at, e.rowid, ${isUsed} AS used FROM embedding_cache e
     WHERE (e.updated_at, e.rowid) > (?, ?) ORDER BY e.updated_at, e.rowid LIMIT ${cacheGroup}`,
  );

  return {
    count: (): number => count.get()?.["count"] as number,
    /** The vectors of chunks by key; missing or malformed ones are left out. */
    vectorsOf: (set: EmbedderRow, keys: readonly number[]): Map<number, Float32Array> => {
      const found = new Map<number, Float32Array>();
      const { provider, model, provider_key, dims } = set;
      const rows = ofChunks.all(JSON.stringify(keys), provider, model, provider_key);
      for (const [key, blob] of rows as unknown as [number, unknown][]) {
        const vector = toFloats(blob, dims);
        if (vector !== null) found.set(key, vector);
      }
      return found;
    },
    /** The cached ones among the next group of chunks after `afterKey` that lack vectors. */
    lookForMissing: (
      owner: CacheOwner,
      set: EmbedderRow | null,
      afterKey: number,
    ): { lastKey: number | null; entries: VectorEntry[] } => {
      const { provider, model, provider_key } = owner;
      const rows = ofMissing.all(
        set?.id ?? 0,
        provider,
        model,
        provider_key,
        Math.max(afterKey, set?.done_key ?? 0),
      ) as unknown as (CachedRow & { key: number })[];
      const isLast = rows.length < cacheGroup;
      return { lastKey: isLast ? null : rows.at(-1)!.key, entries: toEntries(rows, set?.dims ?? 0) };
    },
    /** The cached ones among these texts. */
    lookUp: (owner: CacheOwner, set: EmbedderRow | null, hashes: readonly string[]): VectorEntry[] => {
      const { provider, model, provider_key } = owner;
      const rows = ofHashes.all(JSON.stringify(hashes), provider, model, provider_key);
      return toEntries(rows as unknown as CachedRow[], set?.dims ?? 0);
    },
    /** The next rows of an owner after `afterRowid`; malformed vectors are left out. */
    page: (
      { provider, model, provider_key }: CacheOwner,
      afterRowid: number,
    ): { lastRowid: number | null; entries: VectorEntry[] } => {
      const rows = ofOwnerAfter.all(
        ...[afterRowid, provider, model, provider_key],
      ) as unknown as (CachedRow & { rowid: number })[];
      const entries = rows.flatMap((row) => toEntries([row], 0));
      return { lastRowid: rows.length < cacheGroup ? null : rows.at(-1)!.rowid, entries };
    },
    /** The next rows in the order of age, and whether a chunk uses them. */
    byAge: ({ updated_at, rowid }: CachePosition): (CachePosition & { readonly used: number })[] =>
      byAge.all(updated_at, rowid) as unknown as (CachePosition & { used: number })[],
  };
}

/** Changes to the cache. The caller has begun the transaction. */
export function prepareCacheWriting(db: DatabaseSync) {
  const columns = "(provider, model, provider_key, hash, embedding, dims, updated_at)";
  const replace = db.prepare(
    `INSERT OR REPLACE INTO embedding_cache ${columns} VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const add = db.prepare(`INSERT OR IGNORE INTO embedding_cache ${columns} VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const find = db.prepare(
    `SELECT embedding, dims FROM embedding_cache
     WHERE provider = ? AND model = ? AND provider_key = ? AND hash = ?`,
  );
  const evict = db.prepare(
    `DELETE FROM embedding_cache WHERE rowid IN
       (SELECT e.rowid FROM embedding_cache e WHERE e.rowid = ? AND NOT ${isUsed})`,
  );

  return {
    /**
     * Caches the vector of a text: unit length, or null for a text with nothing to embed. An existing one stays, unless
     * its dimensions differ. Returns the one that is cached now.
     */
    keep: (
      owner: CacheOwner,
      hash: string,
      vector: Float32Array | null,
      { dims, at }: { readonly dims: number; readonly at: number },
    ): Float32Array | null => {
      const key = [owner.provider, owner.model, owner.provider_key, hash] as const;
      const blob = vector === null ? new Uint8Array(0) : toBlob(vector);
      if (add.run(...key, blob, vector?.length ?? 0, at).changes > 0) return vector;
      const known = toFloats(find.get(...key)?.["embedding"], dims);
      if (known !== null && findVectorFault(known, dims) === null) return known;
      replace.run(...key, blob, vector?.length ?? 0, at);
      return vector;
    },
    /** Deletes these rows, except those that a chunk uses by now. */
    evict: (rowids: readonly number[]): void => {
      for (const rowid of rowids) evict.run(rowid);
    },
  };
}
