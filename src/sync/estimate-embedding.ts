import type { Embedder } from "../embedders/embedder.ts";
import type { VectorStore } from "../stores/store.ts";
import { readJobs } from "./embed-by-jobs.ts";

/** What is about to be sent to a service, rounded up. */
export interface EmbeddingEstimate {
  readonly provider: string;
  readonly model: string;
  readonly texts: number;
  readonly tokens: number;
  /** By the list price; null where that is not known. */
  readonly costUsd: number | null;
}

/** Up to this many texts are counted one by one; for more, the store knows the sum. */
const maxCounted = 1000;

/** Null for a free embedder, and if every missing text is already being embedded. */
export async function estimateEmbedding(
  store: VectorStore,
  embedder: Embedder,
): Promise<EmbeddingEstimate | null> {
  if (embedder.usage === undefined) return null;
  const jobs = await readJobs(store, embedder);
  const except = new Set(jobs.flatMap(({ hashes }) => hashes));
  const missing = await store.missingVectors(embedder.id, maxCounted, { except });
  if (missing.length === 0) return null;
  const { texts, tokens } =
    missing.length < maxCounted
      ? { texts: missing.length, tokens: countTokens(missing) }
      : await countAll(store, embedder.id, except.size);
  const { provider, model } = embedder;
  return { provider, model, texts, tokens, costUsd: costOf(tokens, embedder) };
}

/** By the list price; null where that is not known. */
export function costOf(tokens: number, { usdPerMillionTokens = null }: Embedder): number | null {
  return usdPerMillionTokens === null ? null : (tokens / 1e6) * usdPerMillionTokens;
}

async function countAll(store: VectorStore, embedderId: string, onTheirWay: number) {
  const { missing, missingTokens } = await store.vectorStatistics(embedderId);
  const texts = Math.max(0, missing - onTheirWay);
  return { texts, tokens: Math.ceil(missingTokens * (texts / missing)) };
}

/** UTF-8, as the store counts: Latin text has about four bytes a token, Chinese three. */
const bytesPerToken = 3;

function countTokens(missing: readonly { readonly text: string }[]): number {
  const sizeBytes = missing.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return Math.ceil(sizeBytes / bytesPerToken);
}
