import type { VectorEntry } from "../store-vectors.ts";
import type { LanceIndex } from "./lance-index.ts";
import type { LanceTable } from "./lance-package.ts";
import { listMeta } from "./meta.ts";
import type { Session } from "./session.ts";
import type { ChunkTexts } from "./set-texts.ts";
import { deleteRowsWith, findRows, findRowsWith, inParts } from "./sql.ts";
import { blankKey, cacheTableName, listSets, parseCacheName } from "./vector-records.ts";

/** A table of exact vectors. */
interface VectorCache {
  readonly owner: string;
  readonly dims: number;
  readonly table: LanceTable;
}

/** All of them, or those of one owner. */
export async function cachesOf(session: Session, owner?: string): Promise<VectorCache[]> {
  const caches: VectorCache[] = [];
  for (const name of await session.tableNames()) {
    const parsed = parseCacheName(name);
    if (parsed === null || (owner !== undefined && parsed.owner !== owner)) continue;
    const table = await session.find(name);
    if (table !== null) caches.push({ ...parsed, table });
  }
  return caches;
}

/** The vectors of these texts; texts without one are left out. */
export async function readVectors(cache: LanceTable, hashes: readonly string[]): Promise<VectorEntry[]> {
  const rows = await findRowsWith(cache, ["hash", hashes], ["hash", "vector"]);
  return rows.map(({ hash, vector }) => ({ hash, vectors: [vector.toArray()] }));
}

/** The vectors of an owner in groups, and the texts with nothing to embed. */
export async function* exportCached(index: LanceIndex, owner: string): AsyncGenerator<VectorEntry[]> {
  const { blanks, cached } = await index.read(async (session) => ({
    blanks: [...(await listMeta(session.meta, blankKey(owner, ""))).keys()],
    cached: await Promise.all(
      (await cachesOf(session, owner)).map(async ({ dims, table }) => ({
        dims,
        hashes: (await findRows(table, null, ["hash"])).map(({ hash }) => hash),
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
  const live = new Set((await listSets(session.meta)).map(({ owner }) => owner));
  const unused: UnusedVector[] = [];
  for (const { owner, table } of await cachesOf(session)) {
    for (const { hash, updated_at } of await findRows(table, null, ["hash", "updated_at"])) {
      if (live.has(owner) && inChunks.has(hash)) continue;
      unused.push({ table, key: hash, updatedAt: updated_at! });
    }
  }
  for (const [name, value] of await listMeta(session.meta, "blank:")) {
    const at = name.indexOf(":");
    const [owner, hash] = [name.slice(0, at), name.slice(at + 1)];
    if (live.has(owner) && inChunks.has(hash)) continue;
    unused.push({ table: session.meta, key: blankKey(owner, hash), updatedAt: Number(value) });
  }
  return unused.sort((a, b) => a.updatedAt - b.updatedAt);
}

export async function deleteVectors(session: Session, unused: readonly UnusedVector[]): Promise<void> {
  for (const [table, rows] of Map.groupBy(unused, (each) => each.table)) {
    const column = table === session.meta ? "key" : "hash";
    const keys = rows.map(({ key }) => key);
    await deleteRowsWith(table, column, keys);
  }
}

/** How many texts have vectors, including those with nothing to embed. */
export async function countCached(session: Session): Promise<number> {
  let count = (await listMeta(session.meta, "blank:")).size;
  for (const { table } of await cachesOf(session)) count += await table.countRows();
  return count;
}
