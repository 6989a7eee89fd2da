import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import type { IndexedDocument, VectorStore } from "../stores/store.ts";
import { dropOrigins } from "../text/entry-line.ts";
import { monotonicMs, type Slices, settleWithin } from "../timing.ts";

/** Vectors for documents that were just stored. */
export interface EmbedAtOnce {
  /** Vectors that are not there in time, or are refused, are left to `embedMissing`. */
  embed(documents: readonly IndexedDocument[]): Promise<void>;
  /** How many texts have vectors by now. */
  count(): number;
}

export interface EmbedAtOnceParts {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly slices: Slices;
}

/** An embedder that is free and in this process. One with several vectors per text has threads, which are busy now. */
export function mayEmbedAtOnce({ isSlow, usage, batches, vectorsPerText }: Embedder): boolean {
  return !isSlow && usage === undefined && batches === undefined && vectorsPerText === "one";
}

/** The time for a group of documents. An embedder that takes longer must not delay the words of the next ones. */
const maxGroupMs = 100;

/**
 * Embeds new documents group by group while worker threads prepare the next ones: their texts need not be read again,
 * and a commit has the vectors of a whole group.
 */
export function createEmbedAtOnce({ store, embedder, slices }: EmbedAtOnceParts): EmbedAtOnce {
  const { maxBatch, vectorsPerText } = embedder;
  const { id } = embedder;
  let isInTime = true;
  let embedded = 0;

  async function vectorsOf(texts: readonly (readonly [hash: string, text: string])[]) {
    const entries: { hash: string; vectors: readonly Float32Array[] }[] = [];
    const endsAtMs = monotonicMs() + maxGroupMs;
    const stopping = new AbortController();
    for (let at = 0; at < texts.length && isInTime; at += maxBatch) {
      const batch = texts.slice(at, at + maxBatch);
      const answer = embedder.embedDocuments(
        batch.map(([, text]) => dropOrigins(text)),
        { signal: stopping.signal },
      );
      const vectors = await settleWithin(endsAtMs - monotonicMs(), answer).catch(() => undefined);
      isInTime = vectors?.length === batch.length && monotonicMs() < endsAtMs;
      for (const [index, each] of (vectors ?? []).entries()) {
        const hash = batch[index]?.[0];
        if (hash !== undefined && !("refused" in each)) entries.push({ hash, vectors: each });
      }
      if (slices.isOver()) await slices.next();
    }
    if (!isInTime) stopping.abort();
    return entries;
  }

  return {
    async embed(documents) {
      if (!isInTime) return;
      const texts = new Map(
        documents.flatMap(({ chunks }) =>
          chunks.map(({ hash, text }) => [hash, text.toWellFormed()] as const),
        ),
      );
      const entries = await vectorsOf([...texts]);
      // One whose vectors get another length changes its id.
      if (entries.length === 0 || embedder.id !== id) return;
      try {
        await store.putVectors(embedder, entries, { vectorsPerText });
        embedded += entries.length;
      } catch (error) {
        if (!(error instanceof LonghandError) || error.code !== "vectors-invalid") throw error;
        isInTime = false;
      }
    },
    count: () => embedded,
  };
}
