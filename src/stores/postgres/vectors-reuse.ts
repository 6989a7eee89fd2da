import type { EmbedderIdentity, VectorEntry } from "../store.ts";
import { providerKeyOf } from "../vectors/vector-set.ts";
import type { Database } from "./database.ts";
import { type CacheOwner, lookForMissing, lookUp } from "./embedding-cache.ts";
import { findSet } from "./vector-sets.ts";
import { readMissingOf } from "./vectors-missing.ts";

export interface ReuseParts {
  readonly db: Database;
  readonly agentId: number;
  /** Gives the vectors to all chunks with their texts. */
  readonly keep: (entries: readonly VectorEntry[]) => Promise<void>;
}

function cacheOwnerOf(embedder: EmbedderIdentity): CacheOwner {
  const { provider, model } = embedder;
  return { provider, model, provider_key: providerKeyOf(embedder) };
}

/** Gives all texts that lack vectors those that they had before, a group at a time. Gives their number. */
export async function reuseAll(
  { db, agentId, keep }: ReuseParts,
  embedder: EmbedderIdentity,
): Promise<number> {
  const owner = cacheOwnerOf(embedder);
  let reused = 0;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const { lastKey, entries } = await db.read(async (sql) =>
      lookForMissing(sql, agentId, owner, await findSet(sql, agentId, embedder.id), from),
    );
    if (entries.length > 0) await keep(entries);
    reused += entries.length;
    after = lastKey;
  }
  return reused;
}

/** The same for some texts alone. */
export async function reuseSome(
  { db, agentId, keep }: ReuseParts,
  embedder: EmbedderIdentity,
  hashes: readonly string[],
): Promise<number> {
  const found = await db.read(async (sql) => {
    const set = await findSet(sql, agentId, embedder.id);
    const missing = await readMissingOf(sql, [agentId, set?.id ?? 0, 0], hashes.length, { only: hashes });
    const wanted = missing.map(({ hash }) => hash);
    return await lookUp(sql, agentId, cacheOwnerOf(embedder), set, wanted);
  });
  if (found.length > 0) await keep(found);
  return found.length;
}
