import type { VectorEntry } from "../store-vectors.ts";
import type { LanceIndex } from "./lance-index.ts";
import type { LanceTable } from "./lance-package.ts";
import { listMeta } from "./meta.ts";
import type { Session } from "./session.ts";
import type { ChunkTexts } from "./set-texts.ts";
import { inParts, isOneOf } from "./sql.ts";
import { blankKey, cacheTableName, listSets, parseCacheName } from "./vector-records.ts";
import { readVectors } from "./vector-search.ts";

/** The tables of exact vectors: all, or those of one owner. */
export async function cachesOf(
  session: Session,
  owner?: string,
): Promise<{ dims: number; table: LanceTable }[]> {
  const caches: { dims: number; table: LanceTable }[] = [];
  for (const name of await session.tableNames()) {
    const parsed = parseCacheName(name);
    if (parsed === null || (owner !== undefined && parsed.owner !== owner)) continue;
    const table = await session.find(name);
    if (table !== null) caches.push({ dims: parsed.dims, table });
  }
  return caches;
}

/** The vectors of an owner in groups, and the texts with nothing to embed. */
export async function* exportCached(index: LanceIndex, owner: string): AsyncGenerator<VectorEntry[]> {
  const { blanks, cached } = await index.read(async (session) => ({
    blanks: [...(await listMeta(session.meta, blankKey(owner, ""))).keys()],
    cached: await Promise.all(
      (await cachesOf(session, owner)).map(async ({ dims, table }) => ({
        dims,
        hashes: (await table.query().select(["hash"]).toArray()).map(({ hash }) => hash as string),
      })),
    ),
  }));
  for (const part of inParts(blanks)) yield part.map((hash) => ({ hash, vectors: [] }));
  for (const { dims, hashes } of cached) {
    for (const part of inParts(hashes)) {
      yield await index.read(async (session) => {
        const table = await session.find(cacheTableName(owner, dims));
        return table === null ? [] : await readVectors(table, part);
      });
    }
  }
}

/** A row with the exact vector of a text, or the fact that it has none. */
export interface UnusedVector {
  readonly table: LanceTable;
  readonly key: string;
  readonly updatedAt: number;
}

/** All exact vectors that no chunk uses, oldest first. */
export async function listUnused(session: Session, inChunks: ChunkTexts): Promise<UnusedVector[]> {
  const sets = await listSets(session.meta);
  const unused: UnusedVector[] = [];
  const isLive = (owner: string): boolean => sets.some((set) => set.owner === owner);
  for (const name of await session.tableNames()) {
    const parsed = parseCacheName(name);
    const table = parsed && (await session.find(name));
    if (!table) continue;
    const rows = await table.query().select(["hash", "updated_at"]).toArray();
    for (const { hash, updated_at } of rows) {
      if (isLive(parsed.owner) && inChunks.has(hash)) continue;
      unused.push({ table, key: hash, updatedAt: updated_at });
    }
  }
  for (const [key, value] of await listMeta(session.meta, "blank:")) {
    const [owner = "", hash = ""] = splitOnce(key);
    if (isLive(owner) && inChunks.has(hash)) continue;
    unused.push({ table: session.meta, key: blankKey(owner, hash), updatedAt: Number(value) });
  }
  return unused.sort((a, b) => a.updatedAt - b.updatedAt);
}

export async function deleteVectors(session: Session, unused: readonly UnusedVector[]): Promise<void> {
  for (const [table, rows] of Map.groupBy(unused, (each) => each.table)) {
    const column = table === session.meta ? "key" : "hash";
    for (const part of inParts(rows)) {
      await table.delete(
        isOneOf(
          column,
          part.map(({ key }) => key),
        ),
      );
    }
  }
}

/** How many texts have vectors, including those with nothing to embed. */
export async function countCached(session: Session): Promise<number> {
  let count = (await listMeta(session.meta, "blank:")).size;
  for (const { table } of await cachesOf(session)) count += await table.countRows();
  return count;
}

function splitOnce(key: string): string[] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}
