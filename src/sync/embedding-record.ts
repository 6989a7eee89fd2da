import type { Embedder, EmbedderUsage } from "../embedders/embedder.ts";
import type { Store } from "../stores/store.ts";

export interface EmbeddingRecord {
  readonly embedder: Embedder;
  /** Its usage before this pass. */
  readonly before: EmbedderUsage | undefined;
  /** How many texts this pass has dealt with. */
  readonly texts: number;
  readonly refused: readonly { readonly hash: string; readonly reason: string }[];
  readonly at: Date;
}

/** Texts that have no vector because the embedder would not take them, the latest only. */
export type RefusedTexts = readonly { readonly hash: string; readonly reason: string; readonly at: string }[];

const fact = "embedding_refused";
const mostRefused = 100;

interface Kept {
  readonly embedder: string;
  readonly refused: RefusedTexts;
}

/** Adds what a pass has cost to what the index has cost so far, and remembers what was refused. */
export async function recordEmbedding(store: Store, record: EmbeddingRecord): Promise<void> {
  const { embedder, before, texts, at } = record;
  const after = embedder.usage?.();
  if (after !== undefined) {
    await store.addUsage(embedder.id, { ...difference(after, before), texts });
  }
  if (record.refused.length === 0) return;
  const earlier = await readRefused(store, embedder.id);
  const refused = record.refused.map((text) => ({ ...text, at: at.toISOString() }));
  const next: Kept = { embedder: embedder.id, refused: [...earlier, ...refused].slice(-mostRefused) };
  await store.writeFact(fact, JSON.stringify(next));
}

export async function readRefused(store: Store, embedderId: string): Promise<RefusedTexts> {
  const json = await store.readFact(fact);
  const kept = json === null ? null : (JSON.parse(json) as Kept);
  return kept?.embedder === embedderId ? kept.refused : [];
}

const nothing: EmbedderUsage = { requests: 0, tokens: 0, costUsd: 0 };

/** A cost that is not known makes the difference unknown. */
function difference(after: EmbedderUsage, before: EmbedderUsage = nothing): EmbedderUsage {
  return {
    requests: after.requests - before.requests,
    tokens: after.tokens - before.tokens,
    costUsd: after.costUsd === null || before.costUsd === null ? null : after.costUsd - before.costUsd,
  };
}
