import type { Settings } from "./config/settings.ts";
import type { EngineStatus } from "./engines/engine.ts";
import type { SourceName } from "./text/document.ts";

export interface MemoryStatus {
  readonly backend: "builtin" | "qmd";
  readonly provider: string;
  readonly model?: string;
  readonly requestedProvider: string;
  readonly files: number;
  readonly chunks: number;
  /** Something on disk is not in the index yet. */
  readonly dirty: boolean;
  readonly agentId: string;
  readonly workspaceDir: string;
  readonly dbPath: string;
  readonly extraPaths: readonly string[];
  readonly sources: readonly SourceName[];
  readonly sourceCounts: readonly { source: SourceName; files: number; chunks: number }[];
  readonly cache: { readonly enabled: boolean; readonly entries: number; readonly maxEntries: number };
  readonly fts: { readonly enabled: boolean; readonly available: boolean; readonly error?: string };
  readonly vector: {
    readonly enabled: boolean;
    readonly available: boolean;
    readonly path: "sqlite-vec" | "builtin";
    readonly dims?: number;
    readonly loadError?: string;
  };
  readonly batch: { readonly enabled: boolean; readonly failures: number; readonly limit: number };
  readonly fallback?: { readonly from: string; readonly reason: string };
  readonly onDisk: EngineStatus["onDisk"];
  readonly sizeBytes: number;
  readonly lastSync?: EngineStatus["lastSync"];
}

/** Which embedder is in use, and why not the one that was asked for. */
export interface EmbedderChoice {
  readonly provider: string;
  readonly model?: string;
  readonly fallback?: { readonly from: string; readonly reason: string };
}

export function describeStatus(
  engine: EngineStatus,
  settings: Settings,
  chosen: EmbedderChoice,
): MemoryStatus {
  const { memorySearch, agentId, workspaceDir, memory } = settings;
  const { statistics, keyword, vectors, onDisk, lastSync, dbPath } = engine;
  const { provider, model, fallback } = chosen;
  return {
    backend: memory.backend,
    provider,
    ...(model === undefined ? {} : { model }),
    requestedProvider: memorySearch.provider,
    files: statistics.files,
    chunks: statistics.chunks,
    dirty: onDisk.changed > 0 || (vectors?.missing ?? 0) > 0,
    agentId,
    workspaceDir,
    dbPath,
    extraPaths: memorySearch.extraPaths,
    sources: memorySearch.sources,
    sourceCounts: statistics.sources,
    // Vectors of the builtin model cost no call, so there is nothing to cache.
    cache: { enabled: memorySearch.cache.enabled, entries: 0, maxEntries: memorySearch.cache.maxEntries },
    fts: { enabled: true, ...keyword },
    vector: {
      enabled: memorySearch.store.vector.enabled,
      available: vectors !== undefined,
      path: "builtin",
      ...(vectors?.dims === undefined ? {} : { dims: vectors.dims }),
      ...(fallback && vectors === undefined ? { loadError: fallback.reason } : {}),
    },
    batch: { enabled: memorySearch.remote.batch.enabled, failures: 0, limit: 2 },
    ...(fallback === undefined ? {} : { fallback }),
    onDisk,
    sizeBytes: statistics.sizeBytes,
    ...(lastSync === undefined ? {} : { lastSync }),
  };
}
