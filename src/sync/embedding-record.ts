import type { Embedder, EmbedderUsage } from "../embedders/embedder.ts";
import type { Store } from "../stores/store.ts";

export interface EmbeddingRecord {
  readonly embedder: Embedder;
  /** Its usage before this pass. */
  readonly before: EmbedderUsage | undefined;
  readonly refused: readonly { readonly hash: string; readonly reason: string }[];
  readonly at: Date;
}

/** What embedding has cost in the life of an index, and which texts have no vector. */
export interface EmbeddingHistory {
  readonly usage: EmbedderUsage;
  /** The latest only, of the embedder in use. */
  readonly refused: readonly { readonly hash: string; readonly reason: string; readonly at: string }[];
}

const fact = "embedding";
const mostRefused = 100;

interface Kept {
  readonly usage: EmbedderUsage;
  readonly embedder: string;
  readonly refused: EmbeddingHistory["refused"];
}

export async function recordEmbedding(store: Store, record: EmbeddingRecord): Promise<void> {
  const { embedder, before, at } = record;
  const after = embedder.usage?.();
  if (after === undefined && record.refused.length === 0) return;
  const kept = await read(store);
  const earlier = kept?.embedder === embedder.id ? kept.refused : [];
  const refused = record.refused.map((text) => ({ ...text, at: at.toISOString() }));
  const next: Kept = {
    usage: add(kept?.usage ?? nothing, after ? difference(after, before ?? nothing) : nothing),
    embedder: embedder.id,
    refused: [...earlier, ...refused].slice(-mostRefused),
  };
  await store.writeFact(fact, JSON.stringify(next));
}

export async function readEmbeddingHistory(store: Store, embedderId: string): Promise<EmbeddingHistory> {
  const kept = await read(store);
  if (kept === null) return { usage: nothing, refused: [] };
  return { usage: kept.usage, refused: kept.embedder === embedderId ? kept.refused : [] };
}

const nothing: EmbedderUsage = { requests: 0, tokens: 0, costUsd: 0 };

async function read(store: Store): Promise<Kept | null> {
  const json = await store.readFact(fact);
  return json === null ? null : (JSON.parse(json) as Kept);
}

/** A cost that is not known makes the sum unknown. */
function add(a: EmbedderUsage, b: EmbedderUsage): EmbedderUsage {
  return {
    requests: a.requests + b.requests,
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

function difference(a: EmbedderUsage, b: EmbedderUsage): EmbedderUsage {
  return add(a, {
    requests: -b.requests,
    tokens: -b.tokens,
    costUsd: b.costUsd === null ? null : -b.costUsd,
  });
}
