import { throwIfAborted } from "../errors.ts";
import type { VectorStore } from "../stores/store.ts";
import type { EmbedderIdentity } from "../stores/store-vectors.ts";
import type { SyncProgress, SyncReport } from "../sync/sync.ts";

export interface MigrateReport {
  readonly from: IndexLocation;
  readonly to: IndexLocation;
  /** The number of copied vectors; those of the builtin model are recomputed, which costs nothing. */
  readonly vectors: number;
  readonly documents: number;
  readonly chunks: number;
  /** Texts that had to be embedded, and those that did not. */
  readonly embedded: number;
  readonly cached: number;
  /** Failures, one sentence each. */
  readonly degraded: readonly string[];
  readonly durationMs: number;
  /** The settings that select the new index. */
  readonly configuration: string;
}

interface IndexLocation {
  readonly driver: string;
  readonly place: string;
}

export interface MigrateRequest {
  readonly to: "sqlite" | "postgres" | "lancedb";
  /** As `store.url`; `${NAME}` is replaced by an environment variable, so that a password need not be written. */
  readonly url?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: (progress: SyncProgress) => void;
}

export interface MigrateParts {
  readonly source: VectorStore;
  readonly target: VectorStore;
  /** The embedder whose vectors are copied; absent if there is only keyword search. */
  readonly embedder: EmbedderIdentity | undefined;
  /** The identity under which the target stores them. */
  readonly embedderThere: EmbedderIdentity | undefined;
  /** Fills the target from the notes: first without vectors, then with the missing ones. */
  readonly fillWords: () => Promise<SyncReport>;
  readonly fillVectors: () => Promise<SyncReport>;
  readonly progress?: ((progress: SyncProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Builds another index of the same notes: documents come from the notes themselves, and paid vectors from the old
 * index, which is only read. Vectors of texts that are in no note are not copied.
 */
export async function migrateIndex({
  source,
  target,
  embedder,
  embedderThere = embedder,
  fillWords,
  fillVectors,
  progress,
  signal,
}: MigrateParts): Promise<
  Pick<MigrateReport, "vectors" | "documents" | "chunks" | "embedded" | "cached" | "degraded">
> {
  const words = await fillWords();
  const vectors = embedder === undefined ? 0 : await copyVectors(embedder, embedderThere!);
  const { embedded, cached, degraded } = await fillVectors();
  const { files: documents, chunks } = await target.stats();
  const problems = [...new Set([...words.degraded, ...degraded])];
  return { vectors, documents, chunks, embedded, cached: Math.max(cached, vectors), degraded: problems };

  /** Returns how many texts got their vectors that way. */
  async function copyVectors(by: EmbedderIdentity, there: EmbedderIdentity): Promise<number> {
    if (source.exportVectors === undefined) return 0;
    const { usage, cacheEntries } = await source.vectorStatistics(by.id);
    const before = await target.vectorStatistics(there.id);
    let completed = 0;
    for await (const entries of source.exportVectors(by)) {
      throwIfAborted(signal);
      await target.putVectors(there, entries, { vectorsPerText: "one" });
      completed += entries.length;
      progress?.({ completed, total: Math.max(completed, cacheEntries), label: "copying vectors" });
    }
    if (before.usage.requests === 0 && usage.requests > 0) await target.addUsage?.(there.id, usage);
    return before.missing - (await target.vectorStatistics(there.id)).missing;
  }
}
