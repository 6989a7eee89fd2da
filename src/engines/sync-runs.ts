import type { Embedder } from "../embedders/embedder.ts";
import { describeFallback, type FallbackChain } from "../embedders/fallback-chain.ts";
import type { Listing, Source } from "../sources/source.ts";
import { requireVectors, type Store } from "../stores/store.ts";
import { embedAlongside, embedByFree, embedThroughChain, probeFailing } from "../sync/embed-runs.ts";
import { readProblems } from "../sync/embedding-record.ts";
import { createSyncLoop } from "../sync/loop.ts";
import { vanishedFact } from "../sync/plan.ts";
import {
  describeProblem,
  type SyncOptions,
  type SyncParts,
  type SyncReport,
  syncVectors,
  syncWords,
  type VectorReport,
  vectorProblems,
  withVectors,
} from "../sync/sync.ts";
import type { Watcher } from "../sync/watch.ts";
import type { EngineSyncOptions } from "./engine.ts";
import { scaleEstimates } from "./scale-estimates.ts";

export interface SyncRunsParts extends Omit<SyncParts, "embedder" | "onListed"> {
  /** Without it, search is by keywords alone. */
  readonly chain: FallbackChain | undefined;
  /** The chosen one, the first of the chain. */
  readonly embedder?: Embedder | undefined;
  /** Called for every sync and every new problem. */
  readonly watchers: ReadonlySet<Watcher>;
  /** Cancels all syncs. */
  readonly closing: AbortSignal;
}

/** The syncs of one process over its index, and their results. */
interface SyncRuns {
  /** Tokens and vectors. */
  sync(options?: EngineSyncOptions): Promise<SyncReport>;
  fillWords(request: SyncOptions): Promise<SyncReport>;
  /** Null without an embedder. */
  embed(request: SyncOptions): Promise<VectorReport | null>;
  /** The failures of the last sync: of this process, or until it ran one, of any process. */
  problems(): Promise<readonly string[]>;
  /** Embeds with the free model, the fallback for the others. */
  embedByFree(request: SyncOptions): Promise<void>;
  /** Whether the chosen embedder fails, and the free model that could answer instead has not embedded all notes yet. */
  lacksFallbackVectors(): Promise<boolean>;
  /** Documents that are hidden, because they vanished all at once. */
  pendingRemovals(): Promise<ReadonlySet<string>>;
  /** Whether the index is not the one that the last sync filled. */
  isLost(): Promise<boolean>;
  /** How long the last sync took without embedding; 0 before the first. */
  lastSyncMs(): number;
  /** Settles with the latest embedding run. */
  embedding(): Promise<unknown>;
  close(): Promise<void>;
}

/** After this many deletions of the index during one search, the answer is marked stale. */
export const maxAttempts = 3;

/**
 * Indexing and embedding have separate loops. Embedding many notes through a service takes minutes, or never ends if
 * the service hangs, and meanwhile notes change and searches arrive.
 */
export function createSyncRuns({
  store,
  sources,
  chunker,
  chain,
  embedder: chosen,
  locks,
  workers,
  seen,
  watchers,
  closing,
  now,
}: SyncRunsParts): SyncRuns {
  const words = createSyncLoop(fill);
  const vectors =
    chain &&
    createSyncLoop((request) =>
      embedThroughChain(chain, (by) =>
        syncVectors({ ...by, store: requireVectors(store), now, locks }, request),
      ),
    );
  /** Without the lock, and alongside a run that may hang: it takes seconds and costs nothing. */
  const freeVectors =
    chain &&
    createSyncLoop((request) =>
      embedByFree(chain, (by) => syncVectors({ ...by, store: requireVectors(store), now }, request)),
    );
  /** The index that the last sync filled, and how long that took. */
  let filled: string | null = null;
  let lastDurationMs = 0;
  let pendingRemovals = async (): Promise<ReadonlySet<string>> => new Set();
  /** The latest embedding run, and the failures of the last complete one. */
  let embedding: Promise<unknown> = Promise.resolve();
  let problems: readonly string[] | null = null;
  let warned: readonly string[] = [];

  /**
   * If the index is deleted during a sync, it is filled again, because the sync skipped what the old one already had.
   */
  async function fill(request: SyncOptions): Promise<SyncReport> {
    for (let attempt = 1; ; attempt++) {
      const indexId = await ensureIndexId(store);
      const listings = new Map<string, Listing>();
      const onListed = (name: string, listing: Listing) => listings.set(name, listing);
      const ends = await Promise.all([...watchers].map((watcher) => watcher.begin()));
      await seen?.open(indexId);
      const embedder = chain?.isFailing() ? undefined : chosen;
      const report = await syncWords(
        { sources, store, chunker, now, ...(embedder && { embedder }), locks, workers, seen, onListed },
        request,
      );
      await seen?.save();
      if (attempt < maxAttempts && (await readIndexId(store)) !== indexId) continue;
      filled = indexId;
      lastDurationMs = report.durationMs;
      for (const end of ends) end({ listings: [...listings.values()], report });
      return report;
    }
  }

  const untilClosed = <Request extends SyncOptions>(request: Request): Request => ({
    ...request,
    signal: request.signal ? AbortSignal.any([request.signal, closing]) : closing,
  });

  async function fillWords(request: SyncOptions): Promise<SyncReport> {
    const report = await words.request(untilClosed(request));
    if (report.left === 0)
      pendingRemovals = await createPendingRemovals({ store, sources }, report.pendingRemovals);
    return report;
  }

  async function embed(request: SyncOptions): Promise<VectorReport | null> {
    if (vectors === undefined) return null;
    const run = vectors.request(untilClosed(request));
    embedding = run.catch(() => {});
    const report = await run;
    problems = vectorProblems(report);
    await warn(problems);
    return report;
  }

  /** Each problem is reported to watchers once, and again when it returns. */
  async function warn(found: readonly string[]): Promise<void> {
    const fallback = await chain?.describe();
    const warnings = [...found, ...(fallback ? [describeFallback(fallback)] : [])];
    for (const warning of warnings.filter((each) => !warned.includes(each))) {
      for (const watcher of watchers) watcher.warn(warning);
    }
    warned = warnings;
  }

  /** The embedder that would be used now; null without one. */
  async function nextEmbedder(): Promise<Embedder | null> {
    for (const link of chain?.usable("documents") ?? []) {
      const embedder = await link.open();
      if (embedder !== null) return embedder;
    }
    return null;
  }

  const isLost = async (): Promise<boolean> => (await readIndexId(store)) !== filled;

  async function sync({ vectors: when = "wait", ...options }: EngineSyncOptions = {}): Promise<SyncReport> {
    const scaled = scaleEstimates(options.progress);
    const request = { ...options, ...(scaled && { progress: scaled.vectors }) };
    // A caller that waits for vectors should learn now whether a provider is back.
    if (when === "wait") await chain?.retryNow();
    else await chain?.learn();
    const embedder = await nextEmbedder();
    for (let attempt = 1; ; attempt++) {
      const filling = fillWords({ ...request, ...(scaled && { progress: scaled.words }) });
      if (when === "never") return await filling;
      if (when === "later" && embedder?.isSlow) {
        const report = await filling;
        // Failures are kept in `problems`; a failing store fails the next read.
        embed(request).catch(() => {});
        return report;
      }
      // A batch job should contain all texts, so it waits for the indexing.
      const isAlongside = embedder?.isSlow && !embedder.batches?.isOn();
      const [report, embedded] = isAlongside
        ? await Promise.all([filling, embedAlongside(filling, async () => (await embed(request))!)])
        : [await filling, await embed(request)];
      if (attempt < maxAttempts && (await isLost())) continue;
      if (when === "wait" && chain !== undefined) await probeFailing(chain, options.signal);
      return embedded === null ? report : withVectors(report, embedded);
    }
  }

  return {
    sync,
    fillWords,
    embed,
    async problems() {
      if (problems !== null) return problems;
      const embedder = await chain?.inUse();
      return embedder ? (await readProblems(store, embedder.id)).map(describeProblem) : [];
    },
    async embedByFree(request) {
      await freeVectors?.request(untilClosed(request));
    },
    async lacksFallbackVectors() {
      if (!chain?.isFailing()) return false;
      for (const link of chain.usable("query")) {
        const embedder = await link.open();
        if (embedder === null || embedder.isSlow) continue;
        return (await requireVectors(store).missingVectors(embedder.id, 1)).length > 0;
      }
      return false;
    },
    pendingRemovals: () => pendingRemovals(),
    isLost,
    lastSyncMs: () => lastDurationMs,
    embedding: () => embedding,
    async close() {
      await words.close();
      await vectors?.close();
      await freeVectors?.close();
      await seen?.[Symbol.asyncDispose]();
    },
  };
}

const indexIdFact = "mark";

/**
 * An index keeps its id for life, so another id, or none, means that the index was deleted and recreated at the
 * same path. What was known about the old one does not hold for the new one.
 */
async function ensureIndexId(store: Store): Promise<string> {
  const known = await readIndexId(store);
  if (known !== null) return known;
  const indexId = crypto.randomUUID();
  await store.writeFact(indexIdFact, indexId);
  return indexId;
}

export async function readIndexId(store: Store): Promise<string | null> {
  return await store.readFact(indexIdFact);
}

/**
 * Documents that vanished all at once: still in the index, but hidden. Another process may since have seen them return,
 * or confirmed the removal; its decision is in the store, and then this list is obsolete.
 */
async function createPendingRemovals(
  { store, sources }: { store: Store; sources: readonly Source[] },
  paths: readonly string[],
): Promise<() => Promise<ReadonlySet<string>>> {
  const none: ReadonlySet<string> = new Set();
  if (paths.length === 0) return async () => none;
  const pending = new Set(paths);
  const readDoubts = async (): Promise<string> =>
    JSON.stringify(await Promise.all(sources.map(({ name }) => store.readFact(vanishedFact(name)))));
  const doubts = await readDoubts();
  return async () => ((await readDoubts()) === doubts ? pending : none);
}
