import type { Embedder } from "../embedders/embedder.ts";
import { messageOf, throwIfAborted } from "../errors.ts";
import type { SearchAnswer, Searcher, SearchOptions } from "../search/search.ts";
import type { Listing, Source } from "../sources/source.ts";
import type { Store } from "../stores/store.ts";
import type { LocalWorkLock } from "../stores/work-lock.ts";
import { embedAlongside } from "../sync/embed-alongside.ts";
import { readProblems } from "../sync/embedding-record.ts";
import { indexPaths } from "../sync/index-paths.ts";
import { createSyncLoop } from "../sync/loop.ts";
import {
  describeProblem,
  lastSyncFact,
  type SyncLocks,
  type SyncOptions,
  type SyncReport,
  syncVectors,
  syncWords,
  type VectorReport,
  vectorProblems,
  withVectors,
} from "../sync/sync.ts";
import type { Watcher, WatcherParts } from "../sync/watch.ts";
import type { Chunker } from "../text/document.ts";
import type { Engine, EngineStatus, EngineSyncOptions, FreshenOptions, Freshness } from "./engine.ts";
import { markIndex, readMark } from "./index-mark.ts";
import { scaleEstimates } from "./scale-estimates.ts";
import type { WatchingOptions } from "./watch-as-configured.ts";
import { createWithheld } from "./withheld-documents.ts";

export interface BuiltinEngineOptions {
  readonly store: Store;
  readonly dbPath: string;
  readonly sources: readonly Source[];
  readonly chunker: Chunker;
  readonly searcher: Searcher;
  /** Absent indexes words alone. It is closed with the engine. */
  readonly embedder?: Embedder | undefined;
  /** Look for changes before each search, and how long the search waits for that. */
  readonly syncOnSearch: boolean;
  readonly searchWaitMs: number;
  readonly watching?: WatchingOptions;
  /** Share the work with other processes on the same index. */
  readonly locks?: (SyncLocks & { readonly watch: LocalWorkLock }) | undefined;
  readonly now: () => Date;
}

/** An index that was never filled answers nothing, so its first search waits longer: up to this. */
const firstBuildWaitMs = 30_000;

/** A search that can look at all notes within this time does so, whatever a watcher says. */
const quickPassMs = 25;

/** Somebody who keeps deleting the index is told that answers are behind. */
const mostAttempts = 3;

/** How long closing waits for a slow embedder, so that what was just paid for is kept. */
const closeWaitMs = 1000;

/**
 * Sync and search over one store: the engine that needs nothing else.
 *
 * Words and vectors are brought up to date by loops of their own. Embedding many notes through a service takes minutes,
 * or never ends when the service hangs, and meanwhile notes change and questions are asked.
 */
export function createBuiltinEngine(options: BuiltinEngineOptions): Engine {
  const { store, dbPath, sources, chunker, searcher, embedder, syncOnSearch, searchWaitMs, now } = options;
  const { locks, watching } = options;
  const closing = new AbortController();
  const words = createSyncLoop(fill);
  const vectors =
    embedder && createSyncLoop((request) => syncVectors({ store, embedder, now, locks }, request));
  const watchers = new Set<Watcher>();
  /** The index that the last pass filled, and how long that took. */
  let filled: string | null = null;
  let passMs = 0;
  let withheld = async (): Promise<ReadonlySet<string>> => new Set();
  /** The latest pass that embeds, and what the last complete one could not do. */
  let embedding: Promise<unknown> = Promise.resolve();
  let problems: readonly string[] | null = null;

  /** An index that is deleted under a pass is filled again, because the pass left out what the first one had. */
  async function fill(request: SyncOptions): Promise<SyncReport> {
    for (let attempt = 1; ; attempt++) {
      const mark = await markIndex(store);
      const listings = new Map<string, Listing>();
      const onListed = (name: string, listing: Listing) => listings.set(name, listing);
      const ends = await Promise.all([...watchers].map((watcher) => watcher.begin()));
      const report = await syncWords({ sources, store, chunker, now, locks, onListed }, request);
      if (attempt < mostAttempts && (await readMark(store)) !== mark) continue;
      filled = mark;
      passMs = report.durationMs;
      for (const end of ends) end({ listings: [...listings.values()], report });
      return report;
    }
  }

  const untilClosed = <Request extends SyncOptions>(request: Request): Request => ({
    ...request,
    signal: request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal,
  });

  async function fillWords(request: SyncOptions): Promise<SyncReport> {
    const report = await words.request(untilClosed(request));
    if (report.left === 0) withheld = await createWithheld({ store, sources }, report.withheld);
    return report;
  }

  /** Null when there is no embedder. */
  async function embed(request: SyncOptions): Promise<VectorReport | null> {
    if (vectors === undefined) return null;
    const pass = vectors.request(untilClosed(request));
    embedding = pass.catch(() => {});
    const report = await pass;
    const before = problems ?? [];
    problems = vectorProblems(report);
    for (const problem of problems.filter((each) => !before.includes(each))) {
      for (const watcher of watchers) watcher.warn(problem);
    }
    return report;
  }

  /** Until a pass of this process has tried, what the last one of any process could not do. */
  const knownProblems = async (): Promise<readonly string[]> =>
    problems ?? (embedder ? (await readProblems(store, embedder.id)).map(describeProblem) : []);

  async function sync({ vectors: when = "wait", ...options }: EngineSyncOptions = {}): Promise<SyncReport> {
    const told = scaleEstimates(options.progress);
    const request = { ...options, ...(told && { progress: told.vectors }) };
    for (let attempt = 1; ; attempt++) {
      const filling = fillWords({ ...request, ...(told && { progress: told.words }) });
      if (when === "never") return await filling;
      if (when === "later" && embedder?.isSlow) {
        const report = await filling;
        // What it cannot do is kept in `problems`; a failure of the store meets the next one who reads it.
        embed(request).catch(() => {});
        return report;
      }
      // A batch job is best made of all texts, so it waits for the words.
      const isAlongside = embedder?.isSlow && !embedder.batches?.isOn();
      const [report, embedded] = isAlongside
        ? await Promise.all([filling, embedAlongside(filling, async () => (await embed(request))!)])
        : [await filling, await embed(request)];
      const isLost = (await readMark(store)) !== filled;
      if (isLost && attempt < mostAttempts) continue;
      return embedded === null ? report : withVectors(report, embedded);
    }
  }

  /** A watcher of this process knows that nothing has changed. Where looking is quick, it is not asked. */
  async function isCurrent(): Promise<boolean> {
    if (passMs < quickPassMs || filled === null || (await readMark(store)) !== filled) return false;
    for (const watcher of watchers) if (await watcher.isCurrent()) return true;
    return false;
  }

  /** Gives the index a chance to catch up, and says what it could not do. */
  async function freshen({
    reason,
    signal,
    progress,
    neverLong = false,
  }: FreshenOptions): Promise<Freshness> {
    if (await isCurrent()) return { stale: false, degraded: await knownProblems() };
    const isBuilt = (await store.readFact(lastSyncFact)) !== null;
    const isShort = isBuilt || neverLong;
    const waitMs = isShort ? searchWaitMs : Math.max(searchWaitMs, firstBuildWaitMs);
    const request: EngineSyncOptions = {
      reason,
      vectors: "later",
      whenBusy: isShort ? "leave" : "wait",
      ...(progress ? { progress } : {}),
    };
    const pass = sync(request).then(
      async (report) => ({
        stale: report.withheld.length > 0 || report.left > 0,
        degraded: [...(embedder?.isSlow ? await knownProblems() : report.degraded), ...failuresOf(report)],
      }),
      (error: unknown) => ({ stale: true, degraded: [`notes could not be checked: ${messageOf(error)}`] }),
    );
    const late = waitFor(waitMs, signal);
    try {
      return await Promise.race([pass, late.elapsed.then(() => ({ stale: true, degraded: [] }))]);
    } finally {
      late.cancel();
    }
  }

  /** What was deleted between the pass and the question is filled and asked again. */
  async function searchFresh(query: string, request: SearchOptions): Promise<SearchAnswer> {
    for (let attempt = 1; ; attempt++) {
      const { stale, degraded } = await freshen({ ...request, reason: "search" });
      const answer = await searcher.search(query, request);
      const isLost = !stale && (await readMark(store)) !== filled;
      if (isLost && attempt < mostAttempts) continue;
      return { ...answer, stale: stale || isLost, degraded: [...degraded, ...answer.degraded] };
    }
  }

  return {
    sync,
    async search(query: string, request: SearchOptions = {}): Promise<SearchAnswer> {
      throwIfAborted(request.signal);
      const answer = await (syncOnSearch ? searchFresh : searcher.search)(query, request);
      const hidden = await withheld();
      const results = answer.results.filter(({ path }) => !hidden.has(path));
      const { readOnly } = await store.stats();
      const limits = readOnly === undefined ? [] : [`changes cannot be indexed: ${readOnly}`];
      return { ...answer, results, degraded: [...limits, ...answer.degraded] };
    },
    freshen,
    async index(name, paths) {
      const source = sources.find((each) => each.name === name);
      if (source === undefined) return [];
      const failed = await indexPaths({ source, store, chunker }, paths);
      // Found by their words already. What goes wrong here is kept in `problems`, or met by the next pass.
      embed({ reason: "add", whenBusy: "leave" }).catch(() => {});
      return failed;
    },
    async preparePurge(paths) {
      const source = sources.find(({ name }) => name === "memory")!;
      const settle = async (): Promise<void> => {
        await fillWords({ reason: "forget", whenBusy: "leave" });
      };
      const { preparePurge } = await import("./purge.ts");
      const purge = await preparePurge({ source, store, chunker, settle }, paths);
      return async (edited) => {
        const outcome = await purge(edited);
        embed({ reason: "forget", whenBusy: "leave" }).catch(() => {});
        return outcome;
      };
    },
    async watch(request = {}) {
      const { watchAsConfigured } = await import("./watch-as-configured.ts");
      throwIfAborted(closing.signal);
      const parts: WatcherParts = {
        sync: (signal) =>
          sync({
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
    async status(): Promise<EngineStatus> {
      const [{ describeEngine }, problems] = [await import("./describe-engine.ts"), await knownProblems()];
      const { id: chunkerId } = chunker;
      return await describeEngine({ store, dbPath, sources, chunkerId, embedder, problems, locks, now });
    },
    async [Symbol.asyncDispose]() {
      // Waiting for a batch job can be left off at any time.
      const isWorking = embedder?.isSlow && !embedder.batches?.isWaiting();
      const late = waitFor(isWorking ? closeWaitMs : 0, undefined);
      await Promise.race([embedding, late.elapsed]);
      late.cancel();
      closing.abort();
      await Promise.all([...watchers].map((watcher) => watcher[Symbol.asyncDispose]()));
      await words.close();
      await vectors?.close();
      await store[Symbol.asyncDispose]();
      await embedder?.[Symbol.asyncDispose]();
    },
  };
}

/** A note that cannot be read may hold the answer. */
function failuresOf({ failed }: SyncReport): string[] {
  if (failed.length === 0) return [];
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : "";
  return [`not all notes could be read: ${failed[0]!.message.replace(/\.$/, "")}${more}`];
}

/** A timer that a caller can end early, and that ends with the caller's signal. */
function waitFor(
  ms: number,
  signal: AbortSignal | undefined,
): { elapsed: Promise<void>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const end = (): void => resolve();
  signal?.addEventListener("abort", end, { once: true });
  return {
    elapsed: promise,
    cancel: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    },
  };
}
