import type { Embedder } from "../embedders/embedder.ts";
import type { MissingText, NarrowTexts, VectorStore } from "../stores/store.ts";

export interface MissingParts {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /** Told of how many texts the vectors were there. */
  readonly onReused: (count: number) => void;
}

/**
 * Texts that only the embedder can give vectors. Notes are indexed at the same time, so each group is looked up among the
 * vectors of before once it is known: a text that comes back must not be paid for again.
 */
export async function takeMissing(
  { store, embedder, onReused }: MissingParts,
  limit: number,
  narrow: NarrowTexts = {},
): Promise<MissingText[]> {
  for (;;) {
    const missing = await store.missingVectors(embedder.id, limit, narrow);
    if (missing.length === 0 || embedder.vectorsPerText !== "one") return missing;
    const only = missing.map(({ hash }) => hash);
    const reused = (await store.reuseVectors?.(embedder, { only })) ?? 0;
    if (reused === 0) return missing;
    onReused(reused);
    const left = await store.missingVectors(embedder.id, limit, { ...narrow, only });
    if (left.length > 0) return left;
  }
}
