import { hash } from "node:crypto";
import {
  type ChunkFilter,
  type EmbedderIdentity,
  hasVectors,
  type Store,
  type VectorStore,
} from "../store.ts";

export const several = { vectorsPerText: "several" } as const;
export const one = { vectorsPerText: "one" } as const;
export const dimensions = 64;

/** An embedder by its id alone. */
export function named(id: string): EmbedderIdentity {
  return { id, provider: "test", model: `model of ${id}` };
}

/** Each word has a direction of its own, which is nearly at right angles to those of all others. */
export function vectorOf(word: string): Float32Array {
  const bytes = Buffer.concat([hash("sha256", word, "buffer"), hash("sha256", `${word}+`, "buffer")]);
  return Float32Array.from(bytes, (byte) => byte - 127.5);
}

/** Embeds what is missing: one vector for each word of a text. Gives the texts in the order they were asked for. */
export async function embedAll(
  store: VectorStore,
  embedderId = "model",
  limit = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const asked: string[] = [];
  for (;;) {
    const missing = await store.missingVectors(embedderId, Math.min(7, limit - asked.length));
    if (missing.length === 0) return asked;
    asked.push(...missing.map(({ text }) => text));
    const entries = missing.map(({ hash, text }) => ({ hash, vectors: text.split(" ").map(vectorOf) }));
    await store.putVectors(named(embedderId), entries, several);
  }
}

/** The same with one vector a text, that of its first word; takes from the cache what is there. */
/** A store that keeps what was embedded once. */
export type CachingStore = VectorStore &
  Required<Pick<VectorStore, "reuseVectors" | "collectGarbage" | "addUsage">>;

export function hasCache(store: Store): store is CachingStore {
  return (
    hasVectors(store) &&
    [store.reuseVectors, store.collectGarbage, store.addUsage].every((each) => each !== undefined)
  );
}

export async function embedSingly(store: VectorStore, embedderId = "single"): Promise<string[]> {
  await store.reuseVectors?.(named(embedderId));
  const missing = await store.missingVectors(embedderId, 1000);
  const entries = missing.map(({ hash, text }) => ({ hash, vectors: [vectorOf(text.split(" ")[0]!)] }));
  if (entries.length > 0) await store.putVectors(named(embedderId), entries, one);
  await store.collectGarbage?.(named(embedderId));
  return missing.map(({ text }) => text);
}

/** The texts that are most similar to a word, best first. */
export async function similarTo(
  store: VectorStore,
  word: string,
  {
    limit = 1,
    filter,
    embedderId = "model",
  }: { limit?: number; filter?: ChunkFilter; embedderId?: string } = {},
): Promise<string[]> {
  const options = { limit, ...(filter === undefined ? {} : { filter }) };
  const { candidates } = await store.byVector(embedderId, vectorOf(word), options);
  return (await store.chunks(candidates.map(({ id }) => id))).map((chunk) => chunk.text);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) =>
    x.reduce((sum, value, index) => sum + value * y[index]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
