import type { EmbedderIdentity } from "../store.ts";
import { providerKeyOf } from "../vector-set.ts";
import type { Sql } from "./database.ts";
import { migrations } from "./schema.ts";

/** How the index of an agent was made; the fields are those of the other stores. */
export interface IndexMeta {
  readonly schemaVersion: number;
  readonly analyser: string;
  readonly chunker: string;
  readonly chunkTokens: number;
  readonly chunkOverlap: number;
  readonly provider: string;
  readonly model: string;
  readonly providerKey: string;
  readonly vectorDims: number;
  readonly sources: readonly string[];
}

const metaKey = "memory_index_meta_v1";

export function createIndexMeta(analyser: string): IndexMeta {
  return {
    schemaVersion: migrations.length,
    analyser,
    chunker: "",
    chunkTokens: 0,
    chunkOverlap: 0,
    provider: "none",
    model: "",
    providerKey: "",
    vectorDims: 0,
    sources: [],
  };
}

export function describeEmbedder(meta: IndexMeta, embedder: EmbedderIdentity, vectorDims: number): IndexMeta {
  const { provider, model } = embedder;
  return { ...meta, provider, model, providerKey: providerKeyOf(embedder), vectorDims };
}

export async function readMeta(sql: Sql, agentId: number): Promise<IndexMeta | null> {
  const json = await readValue(sql, agentId, metaKey);
  return json === null ? null : (JSON.parse(json) as IndexMeta);
}

export async function writeMeta(sql: Sql, agentId: number, meta: IndexMeta): Promise<void> {
  await writeValue(sql, agentId, metaKey, JSON.stringify(meta));
}

/** Facts of other parts stand under names of their own, so they can never collide with the above. */
export const factKey = (key: string): string => `fact:${key}`;

export async function readValue(sql: Sql, agentId: number, key: string): Promise<string | null> {
  const [row] = await sql<{ value: string }>(
    "SELECT value FROM longhand.meta WHERE agent_id = $1 AND key = $2",
    [agentId, key],
  );
  return row?.value ?? null;
}

export async function writeValue(sql: Sql, agentId: number, key: string, value: string): Promise<void> {
  await sql(
    `INSERT INTO longhand.meta (agent_id, key, value) VALUES ($1, $2, $3)
     ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value`,
    [agentId, key, value],
  );
}
