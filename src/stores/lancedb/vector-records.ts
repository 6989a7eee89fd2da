import { randomUUID } from "node:crypto";
import { sha256 } from "../../text/hash.ts";
import type { EmbedderIdentity, EmbedderUsage } from "../store-vectors.ts";
import { noUsage, providerKeyOf } from "../vectors/vector-set.ts";
import type { LanceTable } from "./lance-package.ts";
import { listMeta, writeMeta } from "./meta.ts";
import { isOneOf } from "./sql.ts";

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
export function parseCacheName(name: string): { owner: string; dims: number } | null {
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
