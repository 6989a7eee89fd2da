import { LonghandError, throwIfAborted } from "../errors.ts";
import type { SkippedEntry } from "../sources/source.ts";
import { hasVectors, type Store } from "../stores/store.ts";
import { createSlices, sliceMs } from "../timing.ts";
import { type Acquired, acquireWorkLock } from "./acquire-work-lock.ts";
import { type Applied, applyPlan, type SourceWork } from "./apply.ts";
import { mayEmbedAtOnce, openEmbedAtOnce } from "./embed-at-once.ts";
import { planSync } from "./plan.ts";
import { createEarlyPool, type EarlyPool } from "./prepare-ahead.ts";
import type { SyncOptions, SyncParts } from "./sync.ts";

interface IndexedDocuments {
  readonly applied: readonly Applied[];
  /** Neither indexed nor among the failures. */
  readonly skipped: readonly SkippedEntry[];
  /** Left to other processes that are working on them. */
  readonly left: number;
  /** Sources that could not be listed, a sentence each. */
  readonly problems: readonly string[];
}

const report = (works: readonly SourceWork[], applied: readonly Applied[]): IndexedDocuments => ({
  applied,
  skipped: works.flatMap(({ skipped, plan }) => skipped.filter((entry) => !plan.unreadable.includes(entry))),
  left: applied.reduce((sum, { contended }) => sum + contended.length, 0),
  problems: works.flatMap(({ problem }) => problem ?? []),
});

/**
 * Plans and applies. A few documents are indexed at once, even if another process does the same: that is fast, and the
 * store never replaces newer content with older. A large backlog is the work of one process at a time; a process that
 * waited for it plans again and finds little left.
 */
export async function indexDocuments(given: SyncParts, options: SyncOptions): Promise<IndexedDocuments> {
  const { locks } = given;
  const { progress, signal, whenBusy } = options;
  using workers = given.workers && createEarlyPool(given.workers);
  const parts = { ...given, workers };
  let works = await plan(parts, options);
  if (locks === undefined || countOf(works) <= fewDocuments) {
    return report(works, await apply(works, parts, options));
  }
  const acquired = await acquireWorkLock(locks.documents, {
    doing: `indexing ${countOf(works)} documents`,
    waits: whenBusy !== "leave",
    progress,
    signal,
    silentLimitMs: locks.silentLimitMs,
  });
  if (acquired.kind === "busy") return { ...report(works, []), left: countOf(works) };
  await using work = acquired.kind === "held" ? acquired.work : null;
  if (acquired.kind === "beside" || acquired.waited) works = await plan(parts, options);
  try {
    const onDone = (completed: number, total: number): void =>
      work?.report(`indexing, ${completed} of ${total} documents done`);
    return report(works, await apply(works, parts, { ...options, onDone }));
  } catch (error) {
    throw nameHolder(error, acquired);
  }
}

/** As many as one transaction of `group.ts` writes. */
const fewDocuments = 32;

interface IndexingParts extends SyncParts {
  readonly workers: EarlyPool | undefined;
}

async function plan(
  { sources, store, chunker, seen, onListed, workers }: IndexingParts,
  { force = false, background = false, signal }: SyncOptions,
): Promise<SourceWork[]> {
  const works: SourceWork[] = [];
  for (const source of sources) {
    throwIfAborted(signal);
    // In this order: what is then found in the files is newer than `asOf`, so the store can refuse older content.
    const asOf = await store.documentState?.();
    const known = await store.versions(source.name);
    // All that a first listing finds has to be prepared, so workers can start while it goes on.
    const early = known.size === 0 && workers?.source === source.name ? workers : undefined;
    const onProgress = (count: number): void => {
      if (early !== undefined && count >= early.minDocuments) early.startEarly();
    };
    const listing = await source.list({
      known,
      background,
      ...(early ? { onProgress } : {}),
      ...(signal ? { signal } : {}),
    });
    onListed?.(source.name, listing);
    const options = {
      chunkerId: chunker.id,
      force,
      seen: seen && ((path: string) => seen.find(source.name, path)),
    };
    const problem = listing.problem && `the source ${source.name} could not be read: ${listing.problem}`;
    works.push({
      source,
      asOf,
      known,
      plan: planSync(listing, known, options),
      skipped: listing.skipped,
      problem,
    });
  }
  return works;
}

function countOf(works: readonly SourceWork[]): number {
  return works.reduce((sum, { plan }) => sum + plan.added.length + plan.changed.length, 0);
}

interface ApplyOptions extends SyncOptions {
  readonly onDone?: (completed: number, total: number) => void;
}

async function apply(
  works: readonly SourceWork[],
  { store, chunker, now, embedder, workers, seen }: SyncParts,
  { force = false, progress, signal, onDone }: ApplyOptions,
): Promise<Applied[]> {
  const total = countOf(works);
  let completed = 0;
  const onRead = (path: string): void => {
    completed++;
    onDone?.(completed, total);
    progress?.({ completed, total, label: path });
  };
  const applied: Applied[] = [];
  const slices = createSlices(sliceMs);
  // The vectors of a few documents are as fast afterwards.
  const embedding =
    embedder !== undefined && total > fewDocuments && hasVectors(store) && mayEmbedAtOnce(embedder)
      ? await openEmbedAtOnce({ store, embedder, slices })
      : undefined;
  for (const work of works) {
    const parts = { store, chunker, now, slices, workers, embedding, seen };
    applied.push(await applyPlan(work, parts, { force, signal, onRead }));
  }
  if (force) applied.push(await removeOthers(works, store));
  return applied;
}

/** Documents of a source that only another program knows stay, unless everything is rebuilt. */
async function removeOthers(works: readonly SourceWork[], store: Store): Promise<Applied> {
  const names = new Set(works.map(({ source }) => source.name));
  let removed = 0;
  for (const { source } of (await store.stats()).sources) {
    if (names.has(source)) continue;
    const paths = [...(await store.versions(source)).keys()];
    await store.remove(source, paths);
    removed += paths.length;
  }
  const counts = { added: 0, updated: 0, removed, unchanged: 0, chunks: 0 };
  return {
    ...counts,
    embedded: 0,
    failed: [],
    pendingRemovals: [],
    contended: [],
    restored: [],
    foreign: [],
  };
}

/** A process that was paused in the middle of a write still locks the store itself. */
function nameHolder(error: unknown, acquired: Acquired): unknown {
  const isBusy = error instanceof LonghandError && error.code === "index-busy";
  if (!isBusy || acquired.kind !== "beside" || acquired.holder === null) return error;
  const { pid, doing, silentMs } = acquired.holder;
  const silent = `has not moved for ${Math.round(silentMs / 1000)} s`;
  return new LonghandError(
    "index-busy",
    `Could not write to the index: process ${pid} (${doing}) ${silent} and keeps it locked.`,
    { hint: `Resume it (kill -CONT ${pid}) or end it, then try again.`, retryable: true, cause: error },
  );
}
