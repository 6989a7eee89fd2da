import type { Searcher } from "../search/search.ts";
import type { SkippedEntry } from "../sources/source.ts";
import type { StoreStatistics } from "../stores/store.ts";
import type { SyncOptions, SyncReport } from "../sync/sync.ts";

export interface EngineStatus {
  readonly statistics: StoreStatistics;
  /** Where the derived index lives, and whether its keyword part works. */
  readonly dbPath: string;
  readonly keyword: { readonly available: boolean; readonly error?: string };
  /** Absent without an embedder. */
  readonly vectors?: { readonly texts: number; readonly missing: number; readonly dims?: number };
  readonly onDisk: {
    readonly files: number;
    readonly changed: number;
    readonly skipped: readonly SkippedEntry[];
  };
  readonly lastSync?: { readonly at: string; readonly reason: string; readonly failed: number };
}

/** Sync and search over one index. */
export interface Engine extends Searcher, AsyncDisposable {
  sync(options?: SyncOptions): Promise<SyncReport>;
  status(): Promise<EngineStatus>;
}
