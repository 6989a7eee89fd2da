import type { MemoryStatus } from "../memory/status.ts";

/** OpenClaw's provider status. Anything without a field of its own is in `custom.longhand`. */
export interface ManagerStatus
  extends Pick<
    MemoryStatus,
    | "provider"
    | "model"
    | "requestedProvider"
    | "files"
    | "chunks"
    | "dirty"
    | "workspaceDir"
    | "dbPath"
    | "extraPaths"
    | "sources"
    | "sourceCounts"
    | "cache"
    | "fts"
    | "fallback"
  > {
  /** The engine that answers is in `custom`: hosts know no other value here. */
  readonly backend: "builtin";
  /** Failures of the last sync; keyword indexing succeeded nevertheless. */
  readonly lastSyncError?: string;
  readonly storage: {
    readonly databaseBytes: number;
    readonly walBytes: number;
    readonly reusableBytes: number;
    readonly embeddingCacheBytes: number;
    readonly embeddingCacheEntries: number;
  };
  readonly vector: {
    readonly enabled: boolean;
    readonly available: boolean;
    readonly storeAvailable: boolean;
    readonly semanticAvailable: boolean;
    readonly index: { readonly state: "empty" | "complete" | "incomplete" };
    readonly extensionPath?: string;
    readonly loadError?: string;
    readonly dims?: number;
  };
  readonly batch: Omit<MemoryStatus["batch"], "pending" | "problem"> & {
    readonly lastError?: string;
    readonly lastProvider?: string;
  };
  readonly custom: {
    readonly searchMode: "hybrid" | "fts-only";
    /** The complete status of longhand. */
    readonly longhand: MemoryStatus;
  };
}

export function describeManager(status: MemoryStatus, syncProblem?: string): ManagerStatus {
  const { provider, model, batch, vector, cache, sizes, fallback, embedding, unavailable } = status;
  const { pending: _, problem, ...batchMode } = batch;
  const { path: _path, ...vectorMode } = vector;
  const lastSyncError = unavailable?.message ?? syncProblem;
  return {
    backend: "builtin",
    provider,
    ...(model !== undefined && { model }),
    requestedProvider: status.requestedProvider,
    files: status.files,
    chunks: status.chunks,
    dirty: status.dirty,
    ...(lastSyncError !== undefined && { lastSyncError }),
    workspaceDir: status.workspaceDir,
    dbPath: status.dbPath,
    storage: {
      databaseBytes: sizes.databaseBytes,
      walBytes: sizes.walBytes,
      reusableBytes: 0,
      embeddingCacheBytes: sizes.cacheBytes,
      embeddingCacheEntries: cache.entries,
    },
    extraPaths: status.extraPaths,
    sources: status.sources,
    sourceCounts: status.sourceCounts,
    cache,
    fts: status.fts,
    ...(fallback && { fallback }),
    vector: {
      ...vectorMode,
      storeAvailable: vector.available,
      semanticAvailable: vector.available && embedding.texts > 0,
      index: {
        state: embedding.missing > 0 ? "incomplete" : embedding.texts > 0 ? "complete" : "empty",
      },
    },
    batch: { ...batchMode, ...(problem !== undefined && { lastError: problem, lastProvider: provider }) },
    custom: { searchMode: vector.available ? "hybrid" : "fts-only", longhand: status },
  };
}
