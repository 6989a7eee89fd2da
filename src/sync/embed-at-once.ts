import { type Embedder, isRefused } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import type { IndexedDocument, VectorStore } from "../stores/store.ts";
import type { VectorEntry } from "../stores/store-vectors.ts";
import { dropOrigins } from "../text/entry-line.ts";
import { monotonicMs, type Slices, settleWithin } from "../timing.ts";

/** Gives vectors to documents that were just stored. */
export interface EmbedAtOnce {
  /** Texts whose vectors are late, refused or invalid are left to `embedMissing`. */
  readonly embed: (documents: readonly IndexedDocument[]) => Promise<void>;
  /** How many texts have vectors by now. */
  count(): number;
}

interface EmbedAtOnceParts {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  readonly slices: Slices;
}

/** Free, and in this process. One with several vectors per text uses threads, which prepare documents at the moment. */
export function mayEmbedAtOnce({ isSlow, usage, batches, vectorsPerText }: Embedder): boolean {
  return !isSlow && usage === undefined && batches === undefined && vectorsPerText === "one";
}

/** The time for a group of documents. An embedder that takes longer must not delay the words of the next ones. */
const maxGroupMs = 100;

/**
 * For an index without vectors, where nothing could be reused: embeds documents group by group while other threads
 * prepare the next ones. Their texts need not be read again, and one commit has the vectors of a whole group.
 */
export async function openEmbedAtOnce({
  store,
  embedder,
  slices,
}: EmbedAtOnceParts): Promise<EmbedAtOnce | undefined> {
  const { id, maxBatch, vectorsPerText } = embedder;
  // Statistics of a large set take long.
  if ((await store.vectorSets()).some((set) => set.id === id)) return undefined;
  if ((await store.vectorStatistics(id)).cacheEntries > 0) return undefined;
  const embedded = new Set<string>();
  let isInTime = true;

  /** Fails as the embedder does. */
  async function vectorsOf(
    texts: readonly (readonly [hash: string, text: string])[],
  ): Promise<VectorEntry[]> {
    const entries: VectorEntry[] = [];
    const endsAtMs = monotonicMs() + maxGroupMs;
    const stopping = new AbortController();
    const { signal } = stopping;
    for (let at = 0; at < texts.length && isInTime; at += maxBatch) {
      const batch = texts.slice(at, at + maxBatch);
      const asked = batch.map(([, text]) => dropOrigins(text));
      const vectors = await settleWithin(
        endsAtMs - monotonicMs(),
        embedder.embedDocuments(asked, { signal }),
      );
      isInTime = vectors?.length === batch.length && monotonicMs() < endsAtMs;
      if (vectors?.length !== batch.length) break;
      for (const [index, [hash]] of batch.entries()) {
        const text = vectors[index]!;
        if (!isRefused(text)) entries.push({ hash, vectors: text });
      }
      if (slices.isOver()) await slices.next();
    }
    if (!isInTime) stopping.abort();
    return entries;
  }

  return {
    async embed(documents) {
      if (!isInTime) return;
      const texts = new Map<string, string>();
      for (const { hash, text } of documents.flatMap(({ chunks }) => chunks)) {
        if (!embedded.has(hash)) texts.set(hash, text.toWellFormed());
      }
      // What fails here is tried again, and reported, by `embedMissing`.
      const entries = await vectorsOf([...texts]).catch(() => []);
      isInTime &&= entries.length > 0 || texts.size === 0;
      // One whose vectors get another length changes its id.
      if (entries.length === 0 || embedder.id !== id) return;
      try {
        await store.putVectors(embedder, entries, { vectorsPerText });
        for (const { hash } of entries) embedded.add(hash);
      } catch (error) {
        if (!(error instanceof LonghandError) || error.code !== "vectors-invalid") throw error;
        isInTime = false;
      }
    },
    count: () => embedded.size,
  };
}
