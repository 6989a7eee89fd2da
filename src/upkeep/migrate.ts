import { throwIfAborted } from "../errors.ts";
import type { EmbedderIdentity, Store } from "../stores/store.ts";
import type { SyncProgress, SyncReport } from "../sync/sync.ts";

export interface MigrateReport {
  readonly from: IndexPlace;
  readonly to: IndexPlace;
  /** Vectors that were copied; those of the builtin model are made anew, which costs nothing. */
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

interface IndexPlace {
  readonly driver: string;
  readonly place: string;
}

export interface MigrateRequest {
  readonly to: "sqlite" | "postgres" | "lancedb";
  /** As `store.url`; `${NAME}` stands for a variable of the environment, so that a password need not be written. */
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: SyncProgress) => void;
}

export interface MigrateParts {
  readonly source: Store;
  readonly target: Store;
  /** Whose vectors are copied; absent where words are searched alone. */
  readonly embedder: EmbedderIdentity | undefined;
  /** Fills the target from the notes. */
  readonly fill: () => Promise<SyncReport>;
  readonly progress?: ((progress: SyncProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes another index of the same notes. What was paid for goes first: documents come from the notes themselves, and
 * find their vectors there. The old index is only read.
 */
export async function migrateIndex({
  source,
  target,
  embedder,
  fill,
  progress,
  signal,
}: MigrateParts): Promise<
  Pick<MigrateReport, "vectors" | "documents" | "chunks" | "embedded" | "cached" | "degraded">
> {
  let vectors = 0;
  if (embedder !== undefined && source.exportVectors !== undefined) {
    const { usage, cacheEntries } = await source.vectorStatistics(embedder.id);
    for await (const entries of source.exportVectors(embedder)) {
      throwIfAborted(signal);
      await target.putVectors(embedder, entries, { vectorsPerText: "one" });
      vectors += entries.length;
      progress?.({ completed: vectors, total: Math.max(vectors, cacheEntries), label: "copying vectors" });
    }
    const already = (await target.vectorStatistics(embedder.id)).usage;
    if (already.requests === 0 && usage.requests > 0) await target.addUsage(embedder.id, usage);
  }
  const { embedded, cached, degraded } = await fill();
  const { files: documents, chunks } = await target.stats();
  return { vectors, documents, chunks, embedded, cached, degraded };
}
