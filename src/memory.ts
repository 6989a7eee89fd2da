import type { EngineStatus } from "./engines/engine.ts";
import type { SearchAnswer, SearchOptions } from "./search/search.ts";
import type { SourceName } from "./text/document.ts";
import type { SyncOptions, SyncReport } from "./sync/sync.ts";

export interface ReadFileRequest {
  readonly relPath: string;
  /** First line, 1-based. */
  readonly from?: number;
  readonly lines?: number;
  readonly sessionKey?: string;
  readonly signal?: AbortSignal;
}

export interface ReadFileResult {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  /** How many lines `text` holds. */
  readonly lines: number;
  readonly totalLines: number;
  /** Where to go on reading; absent at the end. */
  readonly nextFrom?: number;
}

export interface AddOptions {
  /** `daily` (default), `long-term`, or the path of a note. */
  readonly to?: string;
  /** Put the entry at the end of this section, made when it is missing. */
  readonly heading?: string;
  readonly signal?: AbortSignal;
}

export interface AddResult {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The same text stood there already and was not written again. */
  readonly duplicate: boolean;
}

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

/** Notes and an engine: what every surface is given. */
export interface Memory extends AsyncDisposable {
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  readFile(request: ReadFileRequest): Promise<ReadFileResult>;
  add(text: string, options?: AddOptions): Promise<AddResult>;
  sync(options?: SyncOptions): Promise<SyncReport>;
  status(): Promise<MemoryStatus>;
  close(): Promise<void>;
}
