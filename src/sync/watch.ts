import { setImmediate as nextTurn } from "node:timers/promises";
import { LonghandError, messageOf } from "../errors.ts";
import type { ListedFolder, Listing } from "../sources/source.ts";
import type { LocalWorkLock, WorkHolder } from "../stores/work-lock.ts";
import { type Clock, systemClock } from "../timing.ts";
import { createDebounce } from "./debounce.ts";
import { createFolderWatch, type FolderWatch, type FolderWatchOptions } from "./folder-watch.ts";
import { isEventful, type SyncReport } from "./sync.ts";

/**
 * - `watching`: the system reports changes, and a sweep looks for missed ones once a minute.
 * - `polling`: a sweep looks for changes every few seconds, because the system does not report them.
 * - `following`: another process watches and indexes; this one takes over when that one ends.
 */
export type WatchMode = "watching" | "polling" | "following";

export type WatchEvent =
  | { readonly kind: "mode"; readonly mode: WatchMode; readonly holder?: WorkHolder }
  /** A sync by the watcher has ended. */
  | { readonly kind: "synced"; readonly report: SyncReport }
  /** Another process has changed the index, or a sync of this one that another caller requested. */
  | { readonly kind: "changed" }
  /** Sent once per problem, until it is resolved. */
  | { readonly kind: "warning"; readonly message: string };

export interface WatcherParts {
  /** Runs one sync. The engine announces every sync to the watcher, this one too, by `begin`. */
  readonly sync: (signal: AbortSignal) => Promise<SyncReport>;
  /** Held by the one process that watches. Absent: this one does. */
  readonly lock?: LocalWorkLock | undefined;
  readonly revision?: (() => Promise<string>) | undefined;
}

export interface WatcherOptions {
  readonly debounceMs: number;
  /** The longest time between two checks for changes. */
  readonly sweepMs: number;
  /** False: no folder is watched; sweeps alone find changes. */
  readonly watchesFolders: boolean;
  readonly onEvent: (event: WatchEvent) => void;
  readonly clock?: Pick<Clock, "now" | "after"> | undefined;
  readonly folders?: Pick<FolderWatchOptions, "maxWatches" | "kindOf"> | undefined;
}

export interface Watcher extends AsyncDisposable {
  readonly mode: WatchMode;
  /** Called when any sync begins; the returned function is called when it has succeeded. */
  begin(): Promise<(pass: { listings: readonly Listing[]; report: SyncReport }) => void>;
  /** True when nothing can have changed since the last sync began: a search needs no sync of its own. */
  isCurrent(): Promise<boolean>;
  /** Reports a problem of a sync that is not in its report. */
  warn(message: string): void;
}

/** How often a file that is appended to all the time is indexed; together with the sync itself, below 5 s. */
const maxWaitMs = 4000;
const retryMs = 5000;
/** How often the process that already watches is checked, and how long it may be silent. */
const followMs = 2000;
const silentLimitMs = 30_000;
const minPollMs = 2000;
/** Polling may take at most one part in this many of the time. */
const pollShare = 20;

/** Keeps an index fresh while this process lives. Nothing depends on it: each sync finds the changes itself. */
export function openWatcher(parts: WatcherParts, options: WatcherOptions): Watcher {
  const { sync, lock, revision } = parts;
  const { debounceMs, sweepMs, watchesFolders, onEvent, clock = systemClock } = options;
  const closing = new AbortController();
  let mode: WatchMode | undefined;
  let held: ReturnType<LocalWorkLock["tryAcquire"]> = null;
  let folders: FolderWatch | undefined;
  let settled: { hints: number; revision: string; folders: readonly ListedFolder[] } | undefined;
  let passing: Promise<void> | undefined;
  let isAgain = false;
  let stopTimer = (): void => {};
  let lastFailure = "";
  let failedListener: string | undefined;
  let hasToldOfSilence = false;
  let seenRevision: string | undefined;
  let sweptMs = Number.NEGATIVE_INFINITY;
  let againMs = Number.POSITIVE_INFINITY;

  const debounce = createDebounce(
    { quietMs: debounceMs, maxWaitMs: Math.max(maxWaitMs, debounceMs), clock },
    () => {
      // A search may have synced first.
      if (settled?.hints !== folders?.hints) runPass();
    },
  );

  function tell(event: WatchEvent): void {
    if (closing.signal.aborted) return;
    try {
      // A listener may be an async function, though nothing waits for it.
      const result = onEvent(event) as unknown;
      if (result instanceof Promise) result.catch(reportListener);
    } catch (error) {
      reportListener(error);
    }
  }

  /** A listener that fails must stop neither the watcher nor the process. */
  function reportListener(error: unknown): void {
    const message = messageOf(error);
    if (failedListener !== message) {
      process.emitWarning(`A listener of the watch failed: ${message}`, {
        type: "LonghandWarning",
        ...(error instanceof Error && error.stack !== undefined && { detail: error.stack }),
      });
    }
    failedListener = message;
  }

  function tellFailure(error: unknown): void {
    const message =
      error instanceof LonghandError ? `${error.message} ${error.hint}` : String((error as Error)?.message);
    if (message !== lastFailure) tell({ kind: "warning", message });
    lastFailure = message;
  }

  function enter(next: WatchMode, holder: WorkHolder | null = null): void {
    if (next === mode) return;
    mode = next;
    tell({ kind: "mode", mode, ...(holder && { holder }) });
  }

  function wait(ms: number, then: () => void): void {
    stopTimer();
    if (!closing.signal.aborted) stopTimer = clock.after(ms, then);
  }

  /** Acquires the lock and leads, or follows its holder. */
  function start(): void {
    held = lock?.tryAcquire("watching") ?? null;
    if (lock !== undefined && held === null) follow();
    else lead();
  }

  function lead(): void {
    hasToldOfSilence = false;
    if (watchesFolders) {
      folders = createFolderWatch({
        ...options.folders,
        onHint: debounce.hint,
        onUnusable: (reason) => {
          enter("polling");
          held?.report("polling");
          const message = `Changes are looked for every few seconds instead of being watched: ${reason}.`;
          tell({ kind: "warning", message });
        },
      });
    }
    enter(watchesFolders ? "watching" : "polling");
    runPass();
  }

  function stopLeading(): void {
    debounce.cancel();
    folders?.[Symbol.dispose]();
    held?.[Symbol.dispose]();
    [folders, held, settled] = [undefined, null, undefined];
  }

  function follow(): void {
    const holder = lock!.holder();
    enter("following", holder);
    attempt(lookAtRevision);
    wait(followMs, () => {
      attempt(async () => {
        await lookAtRevision();
        if ((holder?.silentMs ?? 0) <= silentLimitMs || clock.now() - sweptMs < sweepMs) return start();
        const message = `Process ${holder!.pid}, which watches the notes, does not respond; this one looks for changes meanwhile.`;
        if (!hasToldOfSilence) tell({ kind: "warning", message });
        hasToldOfSilence = true;
        runPass();
      });
    });
  }

  async function lookAtRevision(): Promise<void> {
    const before = seenRevision;
    seenRevision = await revision?.();
    if (before !== undefined && before !== seenRevision) tell({ kind: "changed" });
  }

  /** Failures are retried later. */
  function attempt(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      tellFailure(error);
      wait(retryMs, restart);
    });
  }

  function restart(): void {
    attempt(async () => start());
  }

  function runPass(): void {
    if (passing !== undefined) isAgain = true;
    else if (!closing.signal.aborted) passing = pass();
  }

  async function pass(): Promise<void> {
    stopTimer();
    isAgain = false;
    sweptMs = clock.now();
    let nextMs = retryMs;
    try {
      const report = await sync(closing.signal);
      lastFailure = "";
      tell({ kind: "synced", report });
      if (report.left === 0) nextMs = Math.min(pauseAfter(report), againMs);
    } catch (error) {
      tellFailure(error);
    }
    passing = undefined;
    if (closing.signal.aborted) return;
    if (mode === "following" || held?.isIntact() === false) {
      stopLeading();
      restart();
    } else if (isAgain) runPass();
    else wait(nextMs, runPass);
  }

  function pauseAfter({ durationMs }: SyncReport): number {
    if (mode === "watching" || !watchesFolders) return sweepMs;
    return Math.min(sweepMs, Math.max(minPollMs, durationMs * pollShare));
  }

  restart();
  return {
    get mode() {
      return mode ?? "following";
    },
    async begin() {
      const [leading, hints] = [folders, folders?.hints];
      const before = await revision?.();
      return ({ listings, report }) => {
        const listed = listings.flatMap((listing) => listing.folders ?? []);
        leading?.follow(listed);
        againMs = Math.min(...listings.map(({ againInMs }) => againInMs ?? Number.POSITIVE_INFINITY));
        const isWatched = listings.every((listing) => listing.folders && listing.hidesChanges !== true);
        const isKnown = leading === folders && hints !== undefined && before !== undefined;
        settled =
          isKnown && isWatched && isComplete(report)
            ? { hints, revision: before, folders: listed }
            : undefined;
        // The watch itself will not find those changes again.
        if (passing === undefined && isEventful(report)) tell({ kind: "changed" });
      };
    },
    warn: (message) => tell({ kind: "warning", message }),
    async isCurrent() {
      if (settled === undefined || mode !== "watching") return false;
      // The system queues its events before the changing call returns. Two turns of the event loop drain
      // that queue, whatever phase of a turn this is.
      await nextTurn();
      await nextTurn();
      // The watcher may be closed while the revision is read.
      const last = settled;
      if (last === undefined || last.hints !== folders?.hints || !folders.isSure()) return false;
      return last.revision === (await revision?.()) && last.folders.every((folder) => folder.isUnchanged());
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      stopTimer();
      await passing;
      stopLeading();
    },
  };
}

function isComplete({ failed, pendingRemovals, degraded, left }: SyncReport): boolean {
  return left === 0 && [failed, pendingRemovals, degraded].every(({ length }) => length === 0);
}
