import type { Embedder } from "../embedders/embedder.ts";
import { chainOf, type FallbackChain } from "../embedders/fallback-chain.ts";
import { messageOf, throwIfAborted } from "../errors.ts";
import type { SearchAnswer, Searcher, SearchOptions } from "../search/search.ts";
import type { StoreStatistics } from "../stores/store.ts";
import type { LocalWorkLock } from "../stores/work-lock.ts";
import { indexPaths } from "../sync/index-paths.ts";
import { lastSyncFact, type SyncLocks, type SyncReport } from "../sync/sync.ts";
import type { Watcher, WatcherParts } from "../sync/watch.ts";
import { settleWithin } from "../timing.ts";
import type { Engine, EngineStatus, EngineSyncOptions, FreshenOptions, Freshness } from "./engine.ts";
import { createSyncRuns, maxAttempts, type SyncRunsParts } from "./sync-runs.ts";
import type { WatchingOptions } from "./watch-as-configured.ts";

export interface BuiltinEngineOptions extends Omit<SyncRunsParts, "chain" | "watchers" | "closing"> {
  readonly dbPath: string;
  readonly searcher: Searcher;
  /** The chosen embedder; without one, search is by keywords alone. */
  readonly embedder?: Embedder | undefined;
  /** The same with its fallbacks. Closed with the engine. */
  readonly chain?: FallbackChain | undefined;
  /** How long a search waits for vectors of the free model when it becomes the fallback. */
  readonly fallbackWaitMs?: number | undefined;
  /** Sync before each search, and how long the search waits for it. */
  readonly syncOnSearch: boolean;
  readonly searchWaitMs: number;
  readonly watching?: WatchingOptions | undefined;
  /** If a sync takes less than this, every search runs one, whatever a watcher says. */
  readonly quickSyncMs?: number | undefined;
  /** Share the work with other processes on the same index. */
  readonly locks?: (SyncLocks & { readonly watch: LocalWorkLock }) | undefined;
}

/** An empty index answers nothing, so its first search waits up to this long. */
const firstBuildWaitMs = 30_000;

/**
 * Checking a few hundred notes takes this long: hardly more than asking a watcher, and it depends on no other process.
 */
const defaultQuickSyncMs = 3;

/** How long closing waits for a slow embedder, so that paid vectors are stored. */
const closeWaitMs = 1000;

/** How long a purge waits for texts that are being embedded in this process. */
const embeddingWaitMs = 2000;

/** The builtin engine: sync and search over one store. */
export function createBuiltinEngine(options: BuiltinEngineOptions): Engine {
  const { store, dbPath, sources, chunker, searcher, embedder, syncOnSearch, searchWaitMs, now } = options;
  const { locks, workers, seen, watching, quickSyncMs = defaultQuickSyncMs, fallbackWaitMs = 0 } = options;
  const chain = options.chain ?? (embedder && chainOf(embedder));
  const closing = new AbortController();
  const watchers = new Set<Watcher>();
  const syncs = createSyncRuns({
    ...{ store, sources, chunker, chain, embedder, locks, workers, seen, watchers, now },
    closing: closing.signal,
  });

  /** Whether a watcher of this process knows that nothing has changed. It is not consulted if a check is fast. */
  async function isCurrent(): Promise<boolean> {
    if (syncs.lastSyncMs() < quickSyncMs || (await syncs.isLost())) return false;
    for (const watcher of watchers) if (await watcher.isCurrent()) return true;
    return false;
  }

  let reportedQuarantined = 0;
  /** Reported once, by whichever call comes first. */
  function newlyQuarantined({ quarantined = [] }: StoreStatistics): string[] {
    const news = quarantined.slice(reportedQuarantined);
    reportedQuarantined = quarantined.length;
    return news.map(
      ({ reason, movedTo }) =>
        `the index was damaged (${reason}) and is built again; the old one is kept as ${movedTo}`,
    );
  }

  /** Lets the index catch up, and reports what failed. */
  async function freshen({
    reason,
    signal,
    progress,
    neverLong = false,
  }: FreshenOptions): Promise<Freshness> {
    if (await isCurrent()) return { stale: false, degraded: await syncs.problems() };
    const isBuilt = (await store.readFact(lastSyncFact)) !== null;
    const isShort = isBuilt || neverLong;
    const waitMs = isShort ? searchWaitMs : Math.max(searchWaitMs, firstBuildWaitMs);
    const request: EngineSyncOptions = {
      reason,
      vectors: "later",
      whenBusy: isShort ? "leave" : "wait",
      ...(progress ? { progress } : {}),
    };
    let settled: Freshness | null = null;
    const running = syncs.sync(request).then(
      async (report) => {
        const freshness = {
          stale: report.pendingRemovals.length > 0 || report.left > 0,
          degraded: [
            ...new Set([...report.degraded, ...(embedder?.isSlow ? await syncs.problems() : [])]),
            ...failuresOf(report),
          ],
        };
        if (report.added + report.updated + report.removed === 0) settled = freshness;
        return freshness;
      },
      (error: unknown) => ({ stale: true, degraded: [`notes could not be checked: ${messageOf(error)}`] }),
    );
    const freshness = await settleWithin(waitMs, running, { signal });
    return freshness ?? { stale: true, degraded: [], settled: () => settled };
  }

  /** If the index was deleted between the sync and the search, it is filled and searched again. */
  async function searchFresh(query: string, request: SearchOptions): Promise<SearchAnswer> {
    for (let attempt = 1; ; attempt++) {
      const before = await freshen({ ...request, reason: "search" });
      const answer = await searcher.search(query, request);
      // The check continued during the search. If it found no change, the answer is fresh after all.
      const { stale, degraded } = before.settled?.() ?? before;
      const isLost = !stale && (await syncs.isLost());
      if (isLost && attempt < maxAttempts) continue;
      return {
        ...answer,
        stale: stale || isLost || answer.stale,
        degraded: [...degraded, ...answer.degraded],
      };
    }
  }

  /** True if the free model now has the vectors that a query just lacked. */
  async function prepareFallbackVectors({ provider }: SearchAnswer): Promise<boolean> {
    if (provider !== "none" || !(await syncs.lacksFallbackVectors())) return false;
    const request = { reason: "search", whenBusy: "leave" } as const;
    syncs.embed(request).catch(() => {});
    await settleWithin(
      fallbackWaitMs,
      syncs.embedByFree(request).catch(() => {}),
    );
    return true;
  }

  return {
    async sync(request) {
      const report = await syncs.sync(request);
      return { ...report, degraded: [...newlyQuarantined(await store.stats()), ...report.degraded] };
    },
    async search(query: string, request: SearchOptions = {}): Promise<SearchAnswer> {
      throwIfAborted(request.signal);
      const embedderId = embedder?.id;
      const ask = syncOnSearch ? searchFresh : searcher.search;
      const first = await ask(query, request);
      const isReady = !request.keywordOnly && (await prepareFallbackVectors(first));
      const answer = isReady ? await ask(query, request) : first;
      // The query vector had other dimensions than those of the notes, which are embedded again now.
      if (embedder?.id !== embedderId) syncs.embed({ reason: "search", whenBusy: "leave" }).catch(() => {});
      const hidden = await syncs.pendingRemovals();
      const results = answer.results.filter(({ path }) => !hidden.has(path));
      const statistics = await store.stats();
      const { readOnly } = statistics;
      const limits = readOnly === undefined ? [] : [`changes cannot be indexed: ${readOnly}`];
      return {
        ...answer,
        results,
        degraded: [...newlyQuarantined(statistics), ...limits, ...answer.degraded],
      };
    },
    freshen,
    async index(name, paths) {
      const source = sources.find((each) => each.name === name);
      if (source === undefined) return [];
      const failed = await indexPaths({ source, store, chunker, seen }, paths);
      // Keyword search already finds them. Failures here are kept in `problems`, or recur in the next sync.
      syncs.embed({ reason: "add", whenBusy: "leave" }).catch(() => {});
      return failed;
    },
    async preparePurge(paths) {
      const source = sources.find(({ name }) => name === "memory")!;
      const settle = async (): Promise<void> => {
        await syncs.fillWords({ reason: "forget", whenBusy: "leave" });
        // The store refuses vectors of texts that no chunk contains any more, however late they come.
        await settleWithin(embeddingWaitMs, syncs.embedding());
      };
      const { preparePurge } = await import("./purge.ts");
      const purge = await preparePurge({ source, store, chunker, settle, lock: locks?.documents }, paths);
      return async (edited) => {
        const outcome = await purge(edited);
        syncs.embed({ reason: "forget", whenBusy: "leave" }).catch(() => {});
        return outcome;
      };
    },
    async watch(request = {}) {
      const { watchAsConfigured } = await import("./watch-as-configured.ts");
      throwIfAborted(closing.signal);
      const parts: WatcherParts = {
        sync: (signal) =>
          syncs.sync({
            reason: "watch",
            background: true,
            vectors: "later",
            whenBusy: "leave",
            signal,
            ...(request.progress && { progress: request.progress }),
          }),
        lock: locks?.watch,
        revision: store.revision && (async () => await store.revision!()),
      };
      return watchAsConfigured({ ...parts, watchers }, watching, request);
    },
    pendingRemovals: () => syncs.pendingRemovals(),
    async status(): Promise<EngineStatus> {
      const [{ describeEngine }, problems] = [await import("./describe-engine.ts"), await syncs.problems()];
      const { id: chunkerId } = chunker;
      return await describeEngine({
        store,
        dbPath,
        sources,
        chunkerId,
        embedder: (await chain?.inUse()) ?? embedder,
        problems,
        locks,
        seen,
        now,
      });
    },
    async [Symbol.asyncDispose]() {
      // Waiting for a batch job can be abandoned at any time.
      const isWorking = embedder?.isSlow && !embedder.batches?.isWaiting();
      await settleWithin(isWorking ? closeWaitMs : 0, syncs.embedding());
      closing.abort();
      await Promise.all([...watchers].map((watcher) => watcher[Symbol.asyncDispose]()));
      await syncs.close();
      await store[Symbol.asyncDispose]();
      await chain?.[Symbol.asyncDispose]();
    },
  };
}

/** A note that cannot be read may contain the answer. */
function failuresOf({ failed }: SyncReport): string[] {
  if (failed.length === 0) return [];
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : "";
  return [`not all notes could be read: ${failed[0]!.message.replace(/\.$/, "")}${more}`];
}
