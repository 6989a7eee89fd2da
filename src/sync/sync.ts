import type { Embedder } from "../embedders/embedder.ts";
import type { Listing, SkippedEntry, Source } from "../sources/source.ts";
import type { SeenContents } from "../stores/seen-contents.ts";
import { requireVectors, type Store } from "../stores/store.ts";
import type { WorkHolder, WorkLock } from "../stores/work-lock.ts";
import type { Chunker, SourceName } from "../text/document.ts";
import { createSlices, monotonicMs, sliceMs } from "../timing.ts";
import { acquireWorkLock } from "./acquire-work-lock.ts";
import { type Embedded, type EmbedMissingOptions, type EmbedParts, embedMissing } from "./embed.ts";
import type { EmbeddingEstimate } from "./estimate-embedding.ts";
import { indexDocuments } from "./index-documents.ts";
import type { SyncFailure } from "./prepare.ts";
import type { WorkerPool } from "./prepare-ahead.ts";
import { describeSharing, recordSharing, recordSync } from "./sync-records.ts";

export interface SyncProgress {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
  /** Set while this sync waits for another process that indexes the same notes. */
  readonly waitingFor?: WorkHolder;
  /** What is about to be sent to a service; called before the request. */
  readonly estimate?: EmbeddingEstimate;
}

export interface SyncOptions {
  /** Index every document again, and accept that most of the known ones are gone. */
  readonly force?: boolean;
  /** Why this sync runs: "cli", "search", "add", … Kept with the last sync. */
  readonly reason?: string;
  /** No caller waits for this sync, so small changes may wait for the next. */
  readonly background?: boolean;
  /** If another process is doing the same work: wait for it (the default), or leave the work to it. */
  readonly whenBusy?: "wait" | "leave";
  readonly progress?: (progress: SyncProgress) => void;
  readonly signal?: AbortSignal;
}

export interface SyncReport {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  /** A document that could not be indexed is listed here; the sync goes on. */
  readonly failed: readonly SyncFailure[];
  /** Files that look like notes and are not indexed, with the reason: the first ones of `skippedCount`. */
  readonly skipped: readonly SkippedEntry[];
  readonly skippedCount: number;
  /** Chunks written by this sync. */
  readonly chunks: number;
  /**
   * Texts that an embedder gave vectors to, and those that did not need it: their vectors are taken from the cache, or
   * from another chunk with the same text.
   */
  readonly embedded: number;
  readonly cached: number;
  readonly durationMs: number;
  /** Documents that vanished all at once (more than half): kept until a later sync sees the same, or `force`. */
  readonly pendingRemovals: readonly string[];
  /** Documents left to another process, which is indexing them. */
  readonly left: number;
  /** What else this sync could not do, a sentence each; all documents are indexed for keyword search nevertheless. */
  readonly degraded: readonly string[];
}

/** A report names this many skipped files; `status` names all of them. */
export const maxSkippedNamed = 100;

/** Whether a sync changed or reports anything. */
export function isEventful({
  added,
  updated,
  removed,
  embedded,
  failed,
  pendingRemovals,
}: SyncReport): boolean {
  return added + updated + removed + embedded + failed.length + pendingRemovals.length > 0;
}

export interface SyncParts {
  readonly sources: readonly Source[];
  readonly store: Store;
  readonly chunker: Chunker;
  readonly now: () => Date;
  /** Without one, there is keyword search only. */
  readonly embedder?: Embedder;
  /** Called with each listing that the sync acts on; the last one of a source counts. */
  readonly onListed?: (source: SourceName, listing: Listing) => void;
  /** Prevent two processes from doing the same large work. */
  readonly locks?: SyncLocks | undefined;
  /** Prepare many documents in parallel. */
  readonly workers?: WorkerPool | undefined;
  /** Where machines share the index: what this one has indexed of its files. Opened by the caller. */
  readonly seen?: SeenContents | undefined;
}

export interface SyncLocks {
  readonly documents: WorkLock;
  readonly vectors: WorkLock;
  /** A lock holder without a heartbeat for this long is not waited for. */
  readonly silentLimitMs?: number;
}

/** The store's fact about the last complete sync: JSON `{at, reason, failed}`. */
export const lastSyncFact = "last_sync";

/**
 * Makes the store equal to the sources, once. It can be repeated at any time: without changes it costs a listing. To run
 * it from several places use `loop.ts`, which runs syncs one at a time.
 */
export async function syncOnce(parts: SyncParts, options: SyncOptions = {}): Promise<SyncReport> {
  const { embedder } = parts;
  const report = await syncWords(parts, options);
  // After the keyword index, which is fast and needs nothing else: a sync that is cancelled here has indexed all notes.
  return embedder
    ? withVectors(
        report,
        await syncVectors({ ...parts, store: requireVectors(parts.store), embedder }, options),
      )
    : report;
}

/**
 * The first half of a sync: every document and its tokens, and the vectors of many new ones if the embedder has them at
 * once.
 */
export async function syncWords(parts: SyncParts, options: SyncOptions = {}): Promise<SyncReport> {
  const { store, now } = parts;
  const { reason = "sync" } = options;
  const startedMs = monotonicMs();
  const { applied, skipped, left, problems: unlisted } = await indexDocuments(parts, options);
  const sum = (count: "added" | "updated" | "removed" | "unchanged" | "chunks" | "embedded"): number =>
    applied.reduce((total, each) => total + each[count], 0);
  const failed = applied.flatMap((each) => each.failed);
  // Files that the user excluded come last.
  const byPurpose = skipped.toSorted(
    (left, right) => Number(left.reason === "excluded") - Number(right.reason === "excluded"),
  );
  const changes = sum("added") + sum("updated") + sum("removed");
  const problems = describeSharing({
    restored: applied.flatMap((each) => each.restored),
    foreign: applied.flatMap((each) => each.foreign),
  });
  await recordSharing(store, { at: now().toISOString(), problems });
  // Every search asks for a sync, and most find nothing to do: recording those would make each search a write.
  if (left === 0 && (changes > 0 || !isRoutine(reason))) {
    const at = now().toISOString();
    await store.writeFact(lastSyncFact, JSON.stringify({ at, reason, failed: failed.length }));
    const durationMs = Math.round(monotonicMs() - startedMs);
    const counts = { added: sum("added"), updated: sum("updated"), removed: sum("removed") };
    await recordSync(store, { at, reason, ...counts, failed, durationMs });
  }

  return {
    added: sum("added"),
    updated: sum("updated"),
    removed: sum("removed"),
    unchanged: sum("unchanged"),
    failed,
    skipped: byPurpose.slice(0, maxSkippedNamed),
    skippedCount: skipped.length,
    chunks: sum("chunks"),
    embedded: sum("embedded"),
    cached: 0,
    durationMs: Math.round(monotonicMs() - startedMs),
    pendingRemovals: applied.flatMap((each) => each.pendingRemovals),
    left,
    degraded: [...unlisted, ...problems],
  };
}

/** Reasons of recurring syncs. */
function isRoutine(reason: string): boolean {
  return reason.split(", ").every((each) => each === "search" || each === "watch");
}

/** What the second half of a sync did. */
export interface VectorReport extends Embedded {
  readonly durationMs: number;
}

/** The second half of a sync: vectors for every text that lacks them, which with a service may take long. */
export async function syncVectors(
  {
    store,
    embedder,
    isStandIn,
    now,
    locks,
  }: Pick<SyncParts, "now" | "locks"> & Pick<EmbedParts, "store" | "embedder" | "isStandIn">,
  options: SyncOptions = {},
): Promise<VectorReport> {
  const { progress, signal } = options;
  const startedMs = monotonicMs();
  const parts = { store, embedder, isStandIn, now, slices: createSlices(sliceMs), locks };
  const embedding = await embedUnderLock(parts, options, {
    signal,
    onEmbedded: (state) => progress?.({ label: "embedding", ...state }),
  });
  return { ...embedding, durationMs: Math.round(monotonicMs() - startedMs) };
}

/** Both halves as one report. */
export function withVectors(words: SyncReport, vectors: VectorReport): SyncReport {
  const { reused, refused } = vectors;
  const embedded = words.embedded + vectors.embedded;
  // A chunk that was written and not embedded took its vectors from the cache or from another chunk with the same text.
  const inherited =
    vectors.problem === null && vectors.waiting === 0 ? words.chunks - embedded - refused.length : 0;
  return {
    ...words,
    embedded,
    cached: Math.max(reused, inherited),
    durationMs: words.durationMs + vectors.durationMs,
    degraded: [...words.degraded, ...vectorProblems(vectors)],
  };
}

export function vectorProblems({ problem, waiting, refused }: VectorReport): string[] {
  const [first] = refused;
  const count = waiting === 1 ? "one text waits" : `${waiting} texts wait`;
  return [
    ...(waiting === 0 ? [] : [`${count} for a batch job of the embedder; a later sync collects the vectors`]),
    ...(problem === null ? [] : [describeProblem(problem)]),
    ...(first === undefined
      ? []
      : [
          refused.length === 1
            ? `one text was refused by the embedder and is found by keyword search only: ${first.reason}`
            : `${refused.length} texts were refused by the embedder and are found by keyword search only; the first: ${first.reason}`,
        ]),
  ];
}

export function describeProblem(problem: string): string {
  return `texts could not be embedded: ${problem}`;
}

/**
 * Embeds what is missing, unless another process does so at the moment: vectors can cost time and money, and nobody
 * should pay twice. That process, or the next sync, also embeds what came later.
 */
async function embedUnderLock(
  { locks, ...parts }: EmbedParts & { locks: SyncLocks | undefined },
  { whenBusy, progress }: SyncOptions,
  { signal, onEmbedded }: EmbedMissingOptions,
): Promise<Embedded> {
  const { store, embedder } = parts;
  const isNeeded = locks !== undefined && (await store.missingVectors(embedder.id, 1)).length > 0;
  if (!isNeeded) return await embedMissing(parts, { signal, onEmbedded });
  const acquired = await acquireWorkLock(locks.vectors, {
    doing: "embedding",
    waits: whenBusy !== "leave",
    progress,
    signal,
    silentLimitMs: locks.silentLimitMs,
  });
  if (acquired.kind === "busy") return { embedded: 0, reused: 0, problem: null, waiting: 0, refused: [] };
  await using work = acquired.kind === "held" ? acquired.work : null;
  return await embedMissing(parts, {
    signal,
    onEmbedded: (state) => {
      work?.report(`${state.label ?? "embedding"}, ${state.completed} of ${state.total} texts done`);
      onEmbedded(state);
    },
  });
}
