import { type EmbeddedText, type Embedder, isRefused } from "../embedders/embedder.ts";
import { failureOf, type ProviderFailure } from "../embedders/fallback-chain.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import type { VectorStore } from "../stores/store.ts";
import type { MissingText, NarrowTexts, VectorEntry } from "../stores/store-vectors.ts";
import { dropOrigins } from "../text/entry-line.ts";
import type { Slices } from "../timing.ts";
import { embedByJobs } from "./embed-by-jobs.ts";
import { createUsageMeter, recordProblem, recordRefused } from "./embedding-record.ts";
import { type EmbeddingEstimate, estimateEmbedding } from "./estimate-embedding.ts";
import { pinIdentity } from "./follow-dimensions.ts";

export interface EmbedParts {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /** Set for a fallback: the vectors of the embedder it replaces are not collected as garbage. */
  readonly isStandIn?: boolean | undefined;
  readonly slices: Slices;
  readonly now: () => Date;
}

interface EmbeddingProgress {
  readonly completed: number;
  readonly total: number;
  /** Reports what embedding waits for, other than the embedder. */
  readonly label?: string;
  /** Set once, before the first request to a service. */
  readonly estimate?: EmbeddingEstimate;
}

export interface EmbedMissingOptions {
  readonly signal: AbortSignal | undefined;
  readonly onEmbedded: (state: EmbeddingProgress) => void;
}

export interface Embedded {
  /** Texts that the embedder embedded now, and texts whose vectors already existed. */
  readonly embedded: number;
  readonly reused: number;
  /** Why some texts have no vectors; null when the set is complete. */
  readonly problem: string | null;
  /** The same if the embedder failed, so that another could take over. */
  readonly failure?: ProviderFailure | undefined;
  /** Texts that wait for batch jobs. */
  readonly waiting: number;
  /** Texts that the embedder refused although it accepted others: keyword search alone finds them. */
  readonly refused: readonly { readonly hash: string; readonly reason: string }[];
}

/**
 * Gives vectors to all texts that lack them. An embedder that fails stops this and nothing else: keyword search works
 * without it, and the next sync resumes where this one stopped. Vectors that the store already has for a text are reused
 * first. Those of other embedders stay at least until this one's are complete, so that a change of model never leaves
 * semantic search without vectors.
 */
export async function embedMissing(parts: EmbedParts, options: EmbedMissingOptions): Promise<Embedded> {
  for (let attempt = 1; ; attempt++) {
    const embedder = pinIdentity(parts.embedder);
    const embedded = await embedUnderOneId({ ...parts, embedder }, options);
    const isSame = parts.embedder.id === embedder.id;
    if (embedded.problem === null || isSame || attempt === maxIds) return embedded;
  }
}

/** A service whose vectors keep changing their length is left to the next sync. */
const maxIds = 3;

async function embedUnderOneId(parts: EmbedParts, options: EmbedMissingOptions): Promise<Embedded> {
  const { store, embedder, now } = parts;
  const seen = new Set<string>();
  const refused: { hash: string; reason: string }[] = [];
  let reused = embedder.vectorsPerText === "one" ? ((await store.reuseVectors?.(embedder)) ?? 0) : 0;
  const take: Dealt["take"] = (limit, narrow) =>
    takeMissing({ store, embedder, onReused: (count) => (reused += count) }, limit, narrow);
  const meter = createUsageMeter(store, embedder);
  const estimate = await estimateEmbedding(store, embedder);
  if (estimate !== null) options.onEmbedded({ completed: 0, total: estimate.texts, estimate });
  let failed: Failed | null = null;
  let waiting = 0;
  try {
    const { pending, holdsRest } = await embedByJobs(parts, options, { seen, take });
    if (!holdsRest)
      failed = await embedGroups(parts, options, { seen, refused, except: pending, take, meter });
    if (holdsRest || pending.size > 0) waiting = await countMissing(parts);
  } finally {
    await meter(0);
    await recordRefused(store, embedder.id, { texts: refused, at: now() });
  }
  const problem = failed?.problem ?? null;
  if (embedder.isSlow) await recordProblem(store, embedder.id, problem);
  if (problem === null && !parts.isStandIn) await store.collectGarbage?.(embedder);
  const embedded = seen.size - refused.length;
  return { embedded, reused, problem, failure: failed?.failure, waiting, refused };
}

/** Why a group was not embedded. */
interface Failed {
  readonly problem: string;
  /** Absent if the embedder is not at fault. */
  readonly failure?: ProviderFailure;
}

function failedBy(error: unknown): Failed {
  const failure = failureOf(error);
  return { problem: failure.reason, failure };
}

async function countMissing({ store, embedder }: EmbedParts): Promise<number> {
  return (await store.vectorStatistics(embedder.id)).missing;
}

/** Finished texts, by hash: those in the store, and those that were refused. */
export interface Dealt {
  readonly seen: Set<string>;
  readonly refused: { hash: string; reason: string }[];
  /** Texts that another process is embedding. */
  readonly except: ReadonlySet<string>;
  /** Texts that need the embedder. */
  readonly take: (limit: number, narrow?: NarrowTexts) => Promise<MissingText[]>;
  readonly meter: (texts: number) => Promise<void>;
}

async function embedGroups(
  parts: EmbedParts,
  { signal, onEmbedded }: EmbedMissingOptions,
  { seen, refused, except, take, meter }: Dealt,
): Promise<Failed | null> {
  const { embedder } = parts;
  const groupSize = Math.max(textsPerCommit, embedder.maxBatch);
  let total = 0;
  for (;;) {
    const missing = await take(groupSize, { except });
    if (missing.length === 0) return null;
    // A store that loses vectors must not keep a paid embedder busy forever.
    if (missing.some(({ hash }) => seen.has(hash))) {
      return { problem: "the index lost vectors that it was given; another process may have dropped them" };
    }
    if (total === 0 && missing.length === groupSize) {
      total = (await countMissing(parts)) - except.size;
    }
    const known = seen.size;
    total = Math.max(total, known + missing.length);
    let completed = known;
    const stopping = new AbortController();
    const commits = createCommits(parts, {
      async onKept(entries) {
        for (const { hash } of entries) seen.add(hash);
        await meter(entries.length);
      },
      // Later vectors would be refused, too, and may cost money.
      onRefusal: () => stopping.abort(),
    });
    const failure = await embedGroup(missing, parts, {
      signal: signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal,
      onText(place, text) {
        const { hash } = missing[place]!;
        if (isRefused(text)) refused.push({ hash, reason: text.refused });
        commits.add(place, { hash, vectors: isRefused(text) ? [] : text });
        onEmbedded({ completed: ++completed, total });
      },
    });
    // Even if the caller has cancelled meanwhile: these may have cost money.
    const refusal = await commits.finish();
    throwIfAborted(signal);
    if (refusal !== null || failure !== null) return refusal ?? failure;
  }
}

/** One transaction for many texts. Vectors that wait for it are lost if the process is killed, so the wait is short. */
const textsPerCommit = 256;
const maxWaitMs = 250;
/** Threads and requests answer out of order. Vectors that are stored in the order of their texts take less space. */
const maxLate = 256;

/** Embeds the texts of one group and passes each on when it is done; returns why the rest failed. */
async function embedGroup(
  missing: readonly MissingText[],
  { embedder, slices }: EmbedParts,
  { signal, onText }: { signal: AbortSignal; onText: (place: number, text: EmbeddedText) => void },
): Promise<Failed | null> {
  for (let at = 0; at < missing.length && !signal.aborted; at += embedder.maxBatch) {
    const batch = missing.slice(at, at + embedder.maxBatch);
    const reported = new Set<number>();
    const tell = (index: number, text: EmbeddedText): void => {
      if (reported.has(index) || batch[index] === undefined) return;
      reported.add(index);
      onText(at + index, text);
    };
    try {
      const texts = batch.map(({ text }) => dropOrigins(text));
      const embedded = await embedder.embedDocuments(texts, { signal, onEmbedded: tell });
      if (embedded.length !== batch.length) {
        const counts = `${embedded.length} lists of vectors for ${batch.length} texts`;
        return failedBy(new Error(`${embedder.provider} gave ${counts}`));
      }
      for (const [index, text] of embedded.entries()) tell(index, text);
    } catch (error) {
      return failedBy(error);
    }
    if (slices.isOver()) await slices.next();
  }
  return null;
}

interface Commits {
  /** `place` is the position of its text in the group. */
  add(place: number, entry: VectorEntry): void;
  /** Writes the rest. Returns what is wrong with the vectors; any other failure is the store's, and is thrown. */
  finish(): Promise<Failed | null>;
}

/** Writes vectors in groups, one after the other, while the embedder works on the following texts. */
function createCommits(
  { store, embedder }: EmbedParts,
  {
    onKept,
    onRefusal,
  }: { onKept: (entries: readonly VectorEntry[]) => Promise<void>; onRefusal: () => void },
): Commits {
  let pending: { readonly place: number; readonly entry: VectorEntry }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let refusal: Failed | null = null;
  let last: Promise<void> = Promise.resolve();

  const commit = (kept = 0): void => {
    pending.sort((a, b) => a.place - b.place);
    const entries = pending.slice(0, pending.length - kept).map(({ entry }) => entry);
    pending = pending.slice(pending.length - kept);
    clearTimeout(timer);
    timer = kept === 0 ? undefined : setTimeout(commit, maxWaitMs);
    last = last.then(() => keep(entries));
    // Awaited when all have been written; until then a rejection must not count as unhandled.
    last.catch(onRefusal);
  };
  const keep = async (entries: readonly VectorEntry[]): Promise<void> => {
    if (refusal !== null || entries.length === 0) return;
    try {
      await store.putVectors(embedder, entries, { vectorsPerText: embedder.vectorsPerText });
      await onKept(entries);
    } catch (error) {
      if (!(error instanceof LonghandError) || error.code !== "vectors-invalid") throw error;
      refusal = failedBy(error);
      onRefusal();
    }
  };

  return {
    add(place, entry) {
      pending.push({ place, entry });
      if (pending.length >= textsPerCommit + maxLate) commit(maxLate);
      else timer ??= setTimeout(commit, maxWaitMs);
    },
    async finish() {
      commit();
      await last;
      return refusal;
    },
  };
}

interface MissingParts {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /** Called with the number of texts that already had vectors. */
  readonly onReused: (count: number) => void;
}

/**
 * Texts that only the embedder can give vectors. Notes are indexed at the same time, so each group is first looked up
 * among the existing vectors: a text that comes back must not be paid for again.
 */
async function takeMissing(
  { store, embedder, onReused }: MissingParts,
  limit: number,
  narrow: NarrowTexts = {},
): Promise<MissingText[]> {
  for (;;) {
    const missing = await store.missingVectors(embedder.id, limit, narrow);
    if (missing.length === 0 || embedder.vectorsPerText !== "one") return missing;
    const only = missing.map(({ hash }) => hash);
    const reused = (await store.reuseVectors?.(embedder, { only })) ?? 0;
    if (reused === 0) return missing;
    onReused(reused);
    const left = await store.missingVectors(embedder.id, limit, { ...narrow, only });
    if (left.length > 0) return left;
  }
}
