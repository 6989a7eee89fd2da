import { randomUUID } from "node:crypto";
import { sha256 } from "../../text/hash.ts";
import type { EmbedderIdentity, EmbedderUsage, VectorEntry } from "../store-vectors.ts";
import { noUsage, providerKeyOf } from "../vectors/vector-set.ts";
import type { LanceIndex } from "./lance-index.ts";
import type { LanceTable } from "./lance-package.ts";
import type { Session } from "./session.ts";
import type { ChunkTexts } from "./set-texts.ts";
import { deleteRowsWith, findRows, findRowsWith, inParts, isOneOf, listMeta, writeMeta } from "./sql.ts";

/** The record of a vector set in `meta`. */
export interface SetRecord {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly vectorsPerText: "one" | "several";
  /** 0 while there is no vector. */
  readonly dims: number;
  readonly used_at: number;
  /** The table of exact vectors is named after it. */
  readonly owner: string;
}

export async function listSets(meta: LanceTable): Promise<SetRecord[]> {
  const records = await listMeta(meta, "set:");
  return [...records.values()].map((json) => JSON.parse(json) as SetRecord);
}

export async function findSet(meta: LanceTable, embedderId: string): Promise<SetRecord | null> {
  return (await listSets(meta)).find(({ name }) => name === embedderId) ?? null;
}

export async function saveSet(meta: LanceTable, record: SetRecord): Promise<void> {
  await writeMeta(meta, { [setKey(record.name)]: JSON.stringify(record) });
}

export function setKey(embedderId: string): string {
  return `set:${digestOf(embedderId)}`;
}

export function newSet(
  embedder: EmbedderIdentity,
  vectorsPerText: "one" | "several",
  nowMs: number,
): SetRecord {
  const { id, provider, model } = embedder;
  return { name: id, provider, model, vectorsPerText, dims: 0, used_at: nowMs, owner: ownerOf(embedder) };
}

export function ownerOf(embedder: EmbedderIdentity): string {
  return digestOf(JSON.stringify([embedder.provider, embedder.model, providerKeyOf(embedder)]));
}

export function setTableName(embedderId: string): string {
  return `set_${digestOf(embedderId)}`;
}

export function cacheTableName(owner: string, dims: number): string {
  return `cache_${owner}_${dims}`;
}

/** Null for the name of another table. */
function parseCacheName(name: string): { owner: string; dims: number } | null {
  const [, owner, dims] = /^cache_([0-9a-f]+)_(\d+)$/.exec(name) ?? [];
  return owner === undefined ? null : { owner, dims: Number(dims) };
}

export function blankKey(owner: string, hash: string): string {
  return `blank:${owner}:${hash}`;
}

function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}

/** Above this many rows, they are replaced by their sum. */
const maxUsageRows = 16;

export async function readUsage(meta: LanceTable, embedderId: string): Promise<EmbedderUsage> {
  return sum([...(await listMeta(meta, usagePrefix(embedderId))).values()]);
}

/** Adds a row each time, because two machines may add at once; now and then all become one, in one commit. */
export async function addUsage(meta: LanceTable, embedderId: string, usage: EmbedderUsage): Promise<void> {
  const prefix = usagePrefix(embedderId);
  const rows = await listMeta(meta, prefix);
  const added = JSON.stringify(usage);
  const key = prefix + randomUUID();
  if (rows.size < maxUsageRows) return await writeMeta(meta, { [key]: added });
  const names = [...rows.keys()].map((name) => prefix + name);
  await meta
    .mergeInsert("key")
    .whenNotMatchedInsertAll()
    .whenNotMatchedBySourceDelete({ where: isOneOf("key", names) })
    .execute([{ key, value: JSON.stringify(sum([...rows.values(), added])) }]);
}

function usagePrefix(embedderId: string): string {
  return `usage:${digestOf(embedderId)}:`;
}

function sum(rows: readonly string[]): EmbedderUsage {
  return rows
    .map((json) => JSON.parse(json) as EmbedderUsage)
    .reduce(
      (total, each) => ({
        requests: total.requests + each.requests,
        tokens: total.tokens + each.tokens,
        texts: total.texts + each.texts,
        costUsd: total.costUsd === null || each.costUsd === null ? null : total.costUsd + each.costUsd,
      }),
      noUsage,
    );
}

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

/** Deletes the oldest exact vectors that no chunk uses, and the marks of texts without one; returns their number. */
export async function deleteUnused(
  session: Session,
  inChunks: ChunkTexts,
  max = Number.POSITIVE_INFINITY,
): Promise<number> {
  const live = new Set((await listSets(session.meta)).map(({ owner }) => owner));
  const unused: { table: LanceTable; key: string; updatedAt: number }[] = [];
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
  const oldest = unused.sort((a, b) => a.updatedAt - b.updatedAt).slice(0, max);
  for (const [table, rows] of Map.groupBy(oldest, (each) => each.table)) {
    const column = table === session.meta ? "key" : "hash";
    const keys = rows.map(({ key }) => key);
    await deleteRowsWith(table, column, keys);
  }
  return oldest.length;
}

/** How many texts have vectors, including those with nothing to embed. */
export async function countCached(session: Session): Promise<number> {
  let count = (await listMeta(session.meta, "blank:")).size;
  for (const { table } of await cachesOf(session)) count += await table.countRows();
  return count;
}
