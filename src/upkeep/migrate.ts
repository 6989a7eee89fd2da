import { throwIfAborted } from "../errors.ts";
import type { VectorStore } from "../stores/store.ts";
import type { EmbedderIdentity } from "../stores/store-vectors.ts";
import type { SyncProgress, SyncReport } from "../sync/sync.ts";

export interface MigrateReport {
  readonly from: IndexLocation;
  readonly to: IndexLocation;
  /** Vectors that were copied; those of the builtin model are made again, which costs nothing. */
  readonly vectors: number;
  readonly documents: number;
  readonly chunks: number;
  /** Texts that had to be embedded, and those that had not. */
  readonly embedded: number;
  readonly cached: number;
  /** What could not be done, a sentence each. */
  readonly degraded: readonly string[];
  readonly durationMs: number;
  /** What to set in the configuration, so that the new index is used. */
  readonly configuration: string;
}

interface IndexLocation {
  readonly driver: string;
  readonly place: string;
}

export interface MigrateRequest {
  readonly to: "sqlite" | "postgres" | "lancedb";
  /** As `store.url`; `${NAME}` is replaced by an environment variable, so that a password need not be written. */
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: SyncProgress) => void;
}

export interface MigrateParts {
  readonly source: VectorStore;
  readonly target: VectorStore;
  /** Whose vectors are copied; absent where words are searched alone. */
  readonly embedder: EmbedderIdentity | undefined;
  /** Under which identity the target keeps them. */
  readonly embedderThere: EmbedderIdentity | undefined;
  /** Fills the target from the notes: first without vectors, then with those that are missing. */
  readonly fillWords: () => Promise<SyncReport>;
  readonly fillVectors: () => Promise<SyncReport>;
  readonly progress?: ((progress: SyncProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes another index of the same notes: documents come from the notes themselves, and what was paid for their vectors
 * from the old index, which is only read. Vectors of texts that are in no note stay behind.
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

  /** Gives how many texts have their vectors by that. */
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
