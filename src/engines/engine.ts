import type { BatchTrouble } from "../embedders/batch-jobs/batch-jobs.ts";
import type { Fallback } from "../embedders/fallback-chain.ts";
import type { EmbedderCheck } from "../search/embedder-check.ts";
import type { SearchAnswer, Searcher, SearchOptions } from "../search/search.ts";
import type { SkippedEntry } from "../sources/source.ts";
import type { PurgeReport, StoreDescription, StoreStatistics } from "../stores/store.ts";
import type { VectorStatistics } from "../stores/store-vectors.ts";
import type { RefusedTexts } from "../sync/embedding-record.ts";
import type { SyncFailure } from "../sync/prepare.ts";
import type { SyncOptions, SyncReport } from "../sync/sync.ts";
import type { SharingTrouble, SyncRecord } from "../sync/sync-records.ts";
import type { WatchEvent } from "../sync/watch.ts";
import type { SourceName } from "../text/document.ts";

export interface EngineStatus {
  readonly statistics: StoreStatistics;
  /** Where the index is, and whether its keyword search works. */
  readonly dbPath: string;
  readonly keyword: { readonly available: boolean; readonly error?: string };
  /** Absent without an embedder. */
  readonly vectors?: VectorStatistics;
  /** Texts that the embedder refused, failures of the last sync, and the cost of the missing texts. */
  readonly embedding?: {
    readonly refused: RefusedTexts;
    readonly problems: readonly string[];
    /** By list price; null if unknown, 0 for a free embedder. */
    readonly missingCostUsd: number | null;
    /** How well the embedder fits the notes; absent while unknown or not requested. */
    readonly check?: EmbedderCheck;
  };
  readonly description: StoreDescription;
  /** Absent without an embedder that has batch jobs. */
  readonly batch?: BatchStatus;
  readonly onDisk: {
    readonly files: number;
    /** Everything a sync would change, including `added` and `gone`. */
    readonly changed: number;
    readonly added: number;
    readonly gone: number;
    /** How long the oldest change has been waiting to be indexed, according to file times. */
    readonly lagMs?: number;
    readonly skipped: readonly SkippedEntry[];
  };
  readonly lastSync?: { readonly at: string; readonly reason: string; readonly failed: number };
  /** The latest syncs that changed something, newest first. */
  readonly syncs?: readonly SyncRecord[];
  /** Recent conflicts between machines that share the index; absent if there are none. */
  readonly sharing?: SharingTrouble;
  readonly watcher: WatcherStatus;
  /** The preferred engine, if it is not the builtin one; `fallback` while the builtin one answers instead. */
  readonly preferred?: PreferredStatus & {
    readonly name: string;
    readonly fallback?: Fallback;
    readonly retryAt?: string;
  };
  /** Processes that are currently indexing or embedding under a work lock. */
  readonly atWork: readonly WorkStatus[];
}

export interface WorkStatus {
  readonly pid: number;
  readonly doing: string;
  readonly since: string;
}

export interface BatchStatus extends BatchTrouble {
  /** False after too many failures in this process. */
  readonly isOn: boolean;
  /** Of all processes. An id is missing until it is known. */
  readonly pending: readonly { readonly id?: string; readonly texts: number; readonly since: string }[];
}

/** The process that watches for changes; a search checks for changes in any case. */
export interface WatcherStatus {
  /** `none`: no process on this machine. `paused`: its process does not run. */
  readonly mode: "watching" | "polling" | "paused" | "none";
  readonly pid?: number;
  readonly since?: string;
}

export interface WatchOptions {
  /** `configured`: only if `sync.watch` or `sync.intervalMinutes` say so, for a process that runs for other reasons. */
  readonly when?: "always" | "configured";
  readonly onEvent?: (event: WatchEvent) => void;
  /** Called with the progress of each sync. */
  readonly progress?: SyncOptions["progress"];
  /** Stops watching, as disposing does. */
  readonly signal?: AbortSignal;
}

export interface FreshenOptions extends Pick<SyncOptions, "signal" | "progress"> {
  readonly reason: string;
  /** Do not wait longer for a first build than for other syncs. */
  readonly neverLong?: boolean;
}

export interface Freshness {
  /** Something on disk may not be in the index. */
  readonly stale: boolean;
  readonly degraded: readonly string[];
  /** After a timeout: the result of the check, or null while it continues or if it found changes. */
  readonly settled?: () => Freshness | null;
}

export interface EngineSyncOptions extends SyncOptions {
  /** `later` does not wait for a slow embedder: vectors follow in the background. `never` does not use the embedder. */
  readonly vectors?: "wait" | "later" | "never";
}

export interface PurgeOutcome extends PurgeReport {
  /** Chunks that were removed from the index. */
  readonly chunks: number;
  /** Other indexes of the same notes that were purged, too. */
  readonly alsoPurged?: readonly string[];
  /** Why the text may come back, or remain elsewhere, one sentence each. */
  readonly problems?: readonly string[];
}

/** Called after the notes have been edited. */
export type Purge = (edited: Edited) => Promise<PurgeOutcome>;

export interface Edited {
  /** Notes that were deleted. */
  readonly gone: readonly string[];
  /** What the notes contained. */
  readonly texts: readonly string[];
  /** The texts are unknown, because the process that removed them was killed. */
  readonly rewrite?: boolean;
}

/** Sync and search over one index. */
export interface Engine extends Searcher, AsyncDisposable {
  sync(options?: EngineSyncOptions): Promise<SyncReport>;
  /** Indexes a few documents immediately, whatever else is running. A later sync does the rest. */
  index(source: SourceName, paths: readonly string[]): Promise<readonly SyncFailure[]>;
  /** Syncs, for no longer than a search would, and reports what failed. */
  freshen(options: FreshenOptions): Promise<Freshness>;
  /** Keeps the index fresh until it, or the engine, is disposed. */
  watch(options?: WatchOptions): Promise<AsyncDisposable>;
  /** Called before notes are edited: chunks can be counted only while they exist. */
  preparePurge(paths: readonly string[]): Promise<Purge>;
  /** Paths that are still in the index although their notes have vanished; a search leaves them out. */
  pendingRemovals(): Promise<ReadonlySet<string>>;
  status(): Promise<EngineStatus>;
}

/** An answer, and the documents whose latest text was not searchable yet. */
interface PreferredAnswer {
  readonly answer: SearchAnswer;
  readonly outdated: ReadonlySet<string>;
}

export interface PreferredStatus {
  readonly version: string | null;
  /** Its state in a few words. */
  readonly detail: string;
  readonly documents: number;
  readonly sizeBytes: number;
  readonly updatedAt?: string;
  /** How long the last answer took. */
  readonly answeredInMs?: number;
  /** Why it is unavailable. */
  readonly problem?: string;
}

/**
 * An engine that depends on another program, which may be missing or broken. Any rejection means that it cannot answer
 * now, except a cancelled call or an invalid query.
 */
export interface PreferredEngine extends AsyncDisposable {
  readonly name: string;
  search(query: string, options: SearchOptions): Promise<PreferredAnswer>;
  /** Updates its index from the notes. Returns reasons why results are degraded. */
  sync(options: { signal?: AbortSignal | undefined }): Promise<readonly string[]>;
  /** Called after text was removed from notes: leaves no trace of it in its own files. */
  forget(): Promise<void>;
  status(): Promise<PreferredStatus>;
}
