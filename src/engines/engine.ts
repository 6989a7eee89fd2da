import type { Searcher } from "../search/search.ts";
import type { SkippedEntry } from "../sources/source.ts";
import type { StoreStatistics } from "../stores/store.ts";
import type { EmbeddingHistory } from "../sync/embedding-record.ts";
import type { SyncOptions, SyncReport } from "../sync/sync.ts";

export interface EngineStatus {
  readonly statistics: StoreStatistics;
  /** Where the derived index lives, and whether its keyword part works. */
  readonly dbPath: string;
  readonly keyword: { readonly available: boolean; readonly error?: string };
  /** Absent without an embedder. */
  readonly vectors?: { readonly texts: number; readonly missing: number; readonly dims?: number };
  /** What embedding has cost so far, which texts were refused, and what the last pass could not do. */
  readonly embedding?: EmbeddingHistory & { readonly problems: readonly string[] };
  readonly onDisk: {
    readonly files: number;
    readonly changed: number;
    readonly skipped: readonly SkippedEntry[];
  };
  readonly lastSync?: { readonly at: string; readonly reason: string; readonly failed: number };
}

export interface EngineSyncOptions extends SyncOptions {
  /** `later` does not wait for an embedder that may be slow: vectors follow in the background. */
  readonly vectors?: "wait" | "later";
}

/** Sync and search over one index. */
export interface Engine extends Searcher, AsyncDisposable {
  sync(options?: EngineSyncOptions): Promise<SyncReport>;
  status(): Promise<EngineStatus>;
}
