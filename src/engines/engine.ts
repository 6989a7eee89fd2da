import type { BatchTrouble } from "../embedders/batch-jobs/batch-jobs.ts";
import type { Fallback } from "../embedders/fallback-chain.ts";
import type { EmbedderCheck } from "../search/embedder-check.ts";
import type { SearchAnswer, Searcher, SearchOptions } from "../search/search.ts";
import type { SkippedEntry } from "../sources/source.ts";
import type { PurgeReport, StoreDescription, StoreStatistics, VectorStatistics } from "../stores/store.ts";
import type { RefusedTexts } from "../sync/embedding-record.ts";
import type { SyncFailure } from "../sync/prepare.ts";
import type { SharingTrouble } from "../sync/sharing.ts";
import type { SyncOptions, SyncReport } from "../sync/sync.ts";
import type { SyncRecord } from "../sync/sync-history.ts";
import type { WatchEvent } from "../sync/watch.ts";
import type { SourceName } from "../text/document.ts";

export interface EngineStatus {
  readonly statistics: StoreStatistics;
  /** Where the derived index lives, and whether its keyword part works. */
  readonly dbPath: string;
  readonly keyword: { readonly available: boolean; readonly error?: string };
  /** Absent without an embedder. */
  readonly vectors?: VectorStatistics;
  /** Which texts the embedder refused, what the last pass could not do, and what the missing texts will cost. */
  readonly embedding?: {
    readonly refused: RefusedTexts;
    readonly problems: readonly string[];
    /** By the list price; null where that is not known, 0 for an embedder that costs nothing. */
    readonly missingCostUsd: number | null;
    /** How well the embedder was seen to know the notes; absent while that is not known or not asked. */
    readonly check?: EmbedderCheck;
  };
  readonly description: StoreDescription;
  /** Absent without an embedder that has batch jobs. */
  readonly batch?: BatchStatus;
  readonly onDisk: {
    readonly files: number;
    /** All that a sync would do: `added` and `gone` are part of it. */
    readonly changed: number;
    readonly added: number;
    readonly gone: number;
    /** How long the oldest change has been waiting to be indexed, as far as times of files tell. */
    readonly lagMs?: number;
    readonly skipped: readonly SkippedEntry[];
  };
  readonly lastSync?: { readonly at: string; readonly reason: string; readonly failed: number };
  /** The latest passes that did something, the newest first. */
  readonly syncs?: readonly SyncRecord[];
  /** What machines on one index have lately done to each other's notes; absent for nothing. */
  readonly sharing?: SharingTrouble;
  readonly watcher: WatcherStatus;
  /** Who is asked first, where that is not the builtin engine; `fallback` while the builtin one answers instead. */
  readonly preferred?: PreferredStatus & {
    readonly name: string;
    readonly fallback?: Fallback;
    readonly retryAt?: string;
  };
  /** Processes that are indexing or embedding at this moment, in large work that others leave to them. */
  readonly atWork: readonly WorkStatus[];
}

export interface WorkStatus {
  readonly pid: number;
  readonly doing: string;
  readonly since: string;
}

export interface BatchStatus extends BatchTrouble {
  /** False when there were too many failures in this process. */
  readonly isOn: boolean;
  /** Of all processes. An id is missing while it is not known yet. */
  readonly pending: readonly { readonly id?: string; readonly texts: number; readonly since: string }[];
}

/** Who keeps the index fresh by itself; a search looks for changes in any case. */
export interface WatcherStatus {
  /** `none`: no process on this machine. `paused`: one that does not move. */
  readonly mode: "watching" | "polling" | "paused" | "none";
  readonly pid?: number;
  readonly since?: string;
}

export interface WatchOptions {
  /** `configured`: only as `sync.watch` and `sync.intervalMinutes` say, for a process that merely stays. */
  readonly when?: "always" | "configured";
  readonly onEvent?: (event: WatchEvent) => void;
  /** Called with the progress of each sync. */
  readonly progress?: SyncOptions["progress"];
  /** Ends it, as disposing of it does. */
  readonly signal?: AbortSignal;
}

export interface FreshenOptions extends Pick<SyncOptions, "signal" | "progress"> {
  readonly reason: string;
  /** A first build is not waited for any longer than other passes. */
  readonly neverLong?: boolean;
}

export interface Freshness {
  /** Something on disk may not be in the index. */
  readonly stale: boolean;
  readonly degraded: readonly string[];
  /** Where time ran out: what the check found by now, or null while it goes on or when it found changes. */
  readonly settled?: () => Freshness | null;
}

export interface EngineSyncOptions extends SyncOptions {
  /**
   * `later` does not wait for an embedder that may be slow: vectors follow in the background. `never` does not ask the
   * embedder at all.
   */
  readonly vectors?: "wait" | "later" | "never";
}

export interface PurgeOutcome extends PurgeReport {
  /** Chunks that the index does not have any more. */
  readonly chunks: number;
  /** Other indexes of the same notes that were purged, too. */
  readonly alsoPurged?: readonly string[];
  /** Why the text may come back, or be left elsewhere, a sentence each. */
  readonly problems?: readonly string[];
}

/** Called when the notes have been edited. */
export type Purge = (edited: Edited) => Promise<PurgeOutcome>;

export interface Edited {
  /** Notes that are gone altogether. */
  readonly gone: readonly string[];
  /** What the notes had. */
  readonly texts: readonly string[];
  /** The texts are not known any more, because the process that removed them was killed. */
  readonly rewrite?: boolean;
}

/** Sync and search over one index. */
export interface Engine extends Searcher, AsyncDisposable {
  sync(options?: EngineSyncOptions): Promise<SyncReport>;
  /** Puts a few documents into the index at once, whatever else is going on. A later pass does all that is left. */
  index(source: SourceName, paths: readonly string[]): Promise<readonly SyncFailure[]>;
  /** Looks for changes, for no longer than a search would, and says what that could not do. */
  freshen(options: FreshenOptions): Promise<Freshness>;
  /** Keeps the index fresh until it is disposed of, or the engine is. */
  watch(options?: WatchOptions): Promise<AsyncDisposable>;
  /** Called before notes are edited: what goes can be counted only while it is there. */
  preparePurge(paths: readonly string[]): Promise<Purge>;
  /** Paths that are still in the index although their notes have vanished; a search leaves them out. */
  pendingRemovals(): Promise<ReadonlySet<string>>;
  status(): Promise<EngineStatus>;
}

/** An answer, and the documents whose latest text was not there to be searched yet. */
interface PreferredAnswer {
  readonly answer: SearchAnswer;
  readonly behind: ReadonlySet<string>;
}

interface PreferredStatus {
  readonly version: string | null;
  /** What it does and how, in a few words. */
  readonly detail: string;
  readonly documents: number;
  readonly sizeBytes: number;
  readonly updatedAt?: string;
  /** How long it took to answer just now. */
  readonly answeredInMs?: number;
  /** Why it cannot be used at present. */
  readonly problem?: string;
}

/**
 * An engine that depends on what may be missing or out of order: another program. Whatever it rejects with means that it
 * cannot answer now, but for a cancelled call or a question that cannot be asked.
 */
export interface PreferredEngine extends AsyncDisposable {
  readonly name: string;
  search(query: string, options: SearchOptions): Promise<PreferredAnswer>;
  /** Makes its index that of the notes. Gives reasons why the result is weaker than it could be. */
  sync(options: { signal?: AbortSignal | undefined }): Promise<readonly string[]>;
  /** Called when text was taken out of notes: leaves nothing of it in its own files. */
  forget(): Promise<void>;
  status(): Promise<PreferredStatus>;
}
