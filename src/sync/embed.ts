import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import type { MissingText, Store, VectorEntry } from "../stores/store.ts";
import type { Pace } from "./pace.ts";

export interface EmbedParts {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly pace: Pace;
}

export interface EmbedMissingOptions {
  readonly signal: AbortSignal | undefined;
  readonly onEmbedded: (state: { completed: number; total: number }) => void;
}

export interface Embedded {
  /** Texts that have their vectors now. */
  readonly embedded: number;
  /** Why some have none; null when the set is complete. */
  readonly problem: string | null;
}

/**
 * Gives vectors to all texts that lack them. An embedder that fails stops this and nothing else: words are found without
 * it, and the next pass goes on where this one stopped. Vectors of other embedders stay until this one's are complete,
 * so that a change of model never leaves a search without any.
 */
export async function embedMissing(parts: EmbedParts, options: EmbedMissingOptions): Promise<Embedded> {
  const { store, embedder } = parts;
  const { signal, onEmbedded } = options;
  const groupSize = Math.max(textsPerGroup, embedder.maxBatch);
  const seen = new Set<string>();
  let total = 0;
  for (;;) {
    throwIfAborted(signal);
    const missing = await store.missingVectors(embedder.id, groupSize);
    if (missing.length === 0) break;
    // Whoever searches with another embedder forgets ours when his are complete; two of them must not race for ever.
    if (missing.some(({ hash }) => seen.has(hash))) {
      return { embedded: seen.size, problem: "another process embeds the same notes with another model" };
    }
    if (total === 0 && missing.length === groupSize) {
      total = (await store.vectorStatistics(embedder.id)).missing;
    }
    total = Math.max(total, seen.size + missing.length);
    const { entries, failure } = await embedGroup(missing, parts, {
      signal,
      onEmbedded: (count) => onEmbedded({ completed: seen.size + count, total }),
    });
    // Also when the caller has cancelled meanwhile: these may have cost money.
    const refusal = await keep(entries, parts);
    if (refusal === null) for (const { hash } of entries) seen.add(hash);
    throwIfAborted(signal);
    const problem = refusal ?? failure;
    if (problem !== null) return { embedded: seen.size, problem };
  }
  await store.keepVectors([embedder.id]);
  return { embedded: seen.size, problem: null };
}

/** One transaction for many texts; what it holds is lost when the process is killed before it. */
const textsPerGroup = 256;

async function embedGroup(
  missing: readonly MissingText[],
  { embedder, pace }: EmbedParts,
  { signal, onEmbedded }: { signal: AbortSignal | undefined; onEmbedded: (count: number) => void },
): Promise<{ entries: VectorEntry[]; failure: string | null }> {
  const entries: VectorEntry[] = [];
  for (let at = 0; at < missing.length && !signal?.aborted; at += embedder.maxBatch) {
    const batch = missing.slice(at, at + embedder.maxBatch);
    try {
      const texts = batch.map(({ text }) => text);
      const vectors = await embedder.embedDocuments(texts, signal ? { signal } : {});
      if (vectors.length !== batch.length) {
        const counts = `${vectors.length} lists of vectors for ${batch.length} texts`;
        return { entries, failure: `${embedder.provider} gave ${counts}` };
      }
      entries.push(...batch.map(({ hash }, index) => ({ hash, vectors: vectors[index]! })));
    } catch (error) {
      return { entries, failure: error instanceof Error ? error.message : String(error) };
    }
    onEmbedded(entries.length);
    await pace();
  }
  return { entries, failure: null };
}

/** What is wrong with the vectors is the embedder's fault; any other failure is the store's, and ends the pass. */
async function keep(
  entries: readonly VectorEntry[],
  { store, embedder }: EmbedParts,
): Promise<string | null> {
  if (entries.length === 0) return null;
  try {
    await store.putVectors(embedder.id, entries, { vectorsPerText: embedder.vectorsPerText });
    return null;
  } catch (error) {
    if (error instanceof LonghandError && error.code === "vectors-invalid") return error.message;
    throw error;
  }
}
