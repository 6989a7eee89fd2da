import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "../errors.ts";
import type { SourceName } from "../text/document.ts";
import { monotonicMs, type Slices, settleWithin } from "../timing.ts";
import type { Prepared, PrepareRequest } from "./prepare.ts";

/** Workers that prepare the documents of one source, each in its own thread. */
export interface WorkerPool {
  readonly source: SourceName;
  /** With fewer documents, starting a worker takes longer than the work. */
  readonly minDocuments: number;
  start(): readonly Preparer[];
}

/** A pool that may start its workers before the documents are known. */
export interface EarlyPool extends WorkerPool, Disposable {
  startEarly(): void;
}

/** The workers that started early are the first to be used; those that are not used are stopped with the pool. */
export function createEarlyPool(pool: WorkerPool): EarlyPool {
  let early: readonly Preparer[] | undefined;
  const takeEarly = (): readonly Preparer[] | undefined => {
    const taken = early;
    early = undefined;
    return taken;
  };
  return {
    source: pool.source,
    minDocuments: pool.minDocuments,
    startEarly() {
      early ??= pool.start();
    },
    start: () => takeEarly() ?? pool.start(),
    [Symbol.dispose]() {
      for (const preparer of takeEarly() ?? []) preparer.stop();
    },
  };
}

export interface Preparer {
  /** In the order of the requests. Rejects when the worker fails; a problem of a document is in its result. */
  prepare(requests: readonly PrepareRequest[]): Promise<readonly Prepared[]>;
  stop(): void;
}

export interface PreparedRequest extends PrepareRequest {
  readonly prepared: Prepared;
}

interface PrepareAheadParts {
  readonly inPlace: (request: PrepareRequest) => Promise<Prepared>;
  readonly slices: Slices;
  readonly signal: AbortSignal | undefined;
  readonly workers: WorkerPool | undefined;
  readonly patienceMs?: number;
  /** Called when the next document is not ready: the caller may do what would be due later. */
  readonly beforeWaiting?: () => Promise<void>;
}

/** A message costs as much as preparing a note or two, yet batches in flight should take little memory. */
const batchSize = 16;
/** While the caller commits a transaction, for some 30 ms, it gives a worker nothing new. */
const batchesAtOnce = 16;
/** Documents are prepared ahead until this number of batches, or of bytes, is waiting. */
const maxAhead = 24;
const maxBytesAhead = 8 * 1024 * 1024;
/** Large documents go alone. */
const batchBytes = maxBytesAhead / maxAhead;
/** About the time by which the workers' code is slower in this thread, until it is compiled here, too. */
const defaultPatienceMs = 400;

/**
 * Prepares documents in the order in which they are requested. With many documents and a worker pool, the caller stores
 * some while others are prepared. Once it has waited for workers for too long, this thread prepares some, too, and also
 * what a worker fails at; the outcome is always the same.
 */
export async function* prepareAhead(
  requests: readonly PrepareRequest[],
  { inPlace, slices, signal, workers, patienceMs = defaultPatienceMs, beforeWaiting }: PrepareAheadParts,
): AsyncGenerator<PreparedRequest> {
  const prepareHere = async function* (some: readonly PrepareRequest[]): AsyncGenerator<PreparedRequest> {
    for (const request of some) {
      throwIfAborted(signal);
      yield { ...request, prepared: await inPlace(request) };
      if (slices.isOver()) await slices.next();
    }
  };
  // A document that proves unchanged costs little, and often many do: workers would cost more than the work.
  let here = 0;
  let news = 0;
  for (; here < requests.length && news <= here / 2; here++) {
    if (requests[here]!.before === undefined) break;
    for await (const each of prepareHere([requests[here]!])) {
      if (each.prepared.kind !== "same") news++;
      yield each;
    }
  }
  const rest = requests.slice(here);
  if (workers === undefined || rest.length < workers.minDocuments) return yield* prepareHere(rest);

  const batches = cut(rest);
  const preparers = workers.start();
  // In turns: the first batches are needed first, so no preparer should have many of them.
  const free = Array.from({ length: batchesAtOnce }, () => preparers).flat();
  const answers = new Map<number, Answer>();
  let [turn, next, bytesAhead] = [0, 0, 0];
  let waitedMs = 0;
  const isRoom = (): boolean =>
    next < batches.length && next - turn < maxAhead && (next === turn || bytesAhead < maxBytesAhead);
  const takeNext = (): number => {
    bytesAhead += batches[next]!.sizeBytes;
    return next++;
  };
  const assign = (): void => {
    while (free.length > 0 && isRoom()) ask(takeNext(), free.shift()!);
  };
  const ask = (number: number, preparer: Preparer): void => {
    const answer: Answer = { done: Promise.resolve(), isThere: false, prepared: null };
    answers.set(number, answer);
    answer.done = preparer.prepare(batches[number]!.requests).then(
      (prepared) => {
        Object.assign(answer, { isThere: true, prepared });
        free.push(preparer);
        assign();
      },
      // It gets no more requests, and this thread prepares the batch when its turn comes.
      () => void Object.assign(answer, { isThere: true }),
    );
  };

  try {
    for (; turn < batches.length; turn++) {
      throwIfAborted(signal);
      assign();
      // Only without any preparer left.
      if (turn === next) takeNext();
      const answer = answers.get(turn);
      while (answer?.isThere === false) {
        // An answer may have arrived that has not been processed yet.
        await setImmediate();
        if (answer.isThere) break;
        await beforeWaiting?.();
        if (answer.isThere) break;
        if (waitedMs >= patienceMs && isRoom()) await prepareEarly(takeNext());
        else await waitFor(answer);
      }
      answers.delete(turn);
      const { requests: batch, sizeBytes } = batches[turn]!;
      bytesAhead -= sizeBytes;
      if (answer?.prepared == null) {
        yield* prepareHere(batch);
        continue;
      }
      for (const [index, prepared] of answer.prepared.entries()) {
        throwIfAborted(signal);
        yield { ...batch[index]!, prepared };
        if (slices.isOver()) await slices.next();
      }
    }
  } finally {
    for (const preparer of preparers) preparer.stop();
  }

  async function waitFor(answer: Answer): Promise<void> {
    const sinceMs = monotonicMs();
    await settleWithin(waitedMs < patienceMs ? patienceMs - waitedMs : null, answer.done, { signal });
    throwIfAborted(signal);
    waitedMs += monotonicMs() - sinceMs;
  }

  async function prepareEarly(number: number): Promise<void> {
    const prepared: Prepared[] = [];
    for await (const each of prepareHere(batches[number]!.requests)) prepared.push(each.prepared);
    answers.set(number, { done: Promise.resolve(), isThere: true, prepared });
  }
}

/** A batch that a worker prepares; resolves with null if that failed. */
interface Answer {
  done: Promise<void>;
  isThere: boolean;
  prepared: readonly Prepared[] | null;
}

interface Batch {
  readonly requests: PrepareRequest[];
  sizeBytes: number;
}

function cut(requests: readonly PrepareRequest[]): Batch[] {
  const batches: Batch[] = [];
  for (const request of requests) {
    const { sizeBytes = 0 } = request;
    const last = batches.at(-1);
    if (last && last.requests.length < batchSize && last.sizeBytes + sizeBytes <= batchBytes) {
      last.requests.push(request);
      last.sizeBytes += sizeBytes;
    } else batches.push({ requests: [request], sizeBytes });
  }
  return batches;
}
