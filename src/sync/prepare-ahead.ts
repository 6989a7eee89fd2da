import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "../errors.ts";
import type { SourceName } from "../text/document.ts";
import type { Pace } from "./pace.ts";
import type { Prepared, PrepareRequest } from "./prepare.ts";

/** Those who prepare documents of one source, in threads of their own. */
export interface Crew {
  readonly source: SourceName;
  /** With fewer documents, to start somebody takes longer than the work. */
  readonly fewestDocuments: number;
  start(): readonly Preparer[];
}

export interface Preparer {
  /** In the order of the requests. Rejects when it cannot work (any more); of a document, the outcome tells. */
  prepare(requests: readonly PrepareRequest[]): Promise<readonly Prepared[]>;
  stop(): void;
}

export interface PreparedRequest extends PrepareRequest {
  readonly prepared: Prepared;
}

export interface PrepareAheadParts {
  readonly inPlace: (request: PrepareRequest) => Promise<Prepared>;
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
  readonly crew: Crew | undefined;
}

/** A message costs as much as preparing a note or two, and what is under way should not be much to hold. */
const batchSize = 16;
/** A preparer has its next batch at hand when it is done with one. */
const batchesAtOnce = 3;
/** Documents are prepared ahead until so many batches, or so many bytes, wait for their turn. */
const mostAhead = 24;
const mostBytesAhead = 8 * 1024 * 1024;
/** Large documents go alone. */
const batchBytes = mostBytesAhead / mostAhead;

/**
 * Prepares documents in the order in which they are asked for. Where many are and somebody helps, the caller stores some
 * while others are prepared; and where the next ones are not ready, because the preparers start or are the slower ones,
 * it prepares some here, so nobody is idle. What a preparer cannot do is done here too, so the outcome is always the same.
 */
export async function* prepareAhead(
  requests: readonly PrepareRequest[],
  { inPlace, pace, signal, crew }: PrepareAheadParts,
): AsyncGenerator<PreparedRequest> {
  const prepareHere = async function* (some: readonly PrepareRequest[]): AsyncGenerator<PreparedRequest> {
    for (const request of some) {
      throwIfAborted(signal);
      yield { ...request, prepared: await inPlace(request) };
      await pace();
    }
  };
  // A document that proves to be as indexed costs little, and often many are: the help would cost more than the work.
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
  if (crew === undefined || rest.length < crew.fewestDocuments) return yield* prepareHere(rest);

  const batches = cut(rest);
  const preparers = crew.start();
  const free = preparers.flatMap((preparer) => Array.from({ length: batchesAtOnce }, () => preparer));
  const answers = new Map<number, Answer>();
  let [turn, next, bytesAhead] = [0, 0, 0];
  const isRoom = (): boolean =>
    next < batches.length && next - turn < mostAhead && (next === turn || bytesAhead < mostBytesAhead);
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
      // It is not asked again, and the batch is prepared here when its turn comes.
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
        // An answer may have come that only waits to be heard.
        await setImmediate();
        if (answer.isThere) break;
        if (!isRoom()) await answer.done;
        else await prepareEarly(takeNext());
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
        await pace();
      }
    }
  } finally {
    for (const preparer of preparers) preparer.stop();
  }

  async function prepareEarly(number: number): Promise<void> {
    const prepared: Prepared[] = [];
    for await (const each of prepareHere(batches[number]!.requests)) prepared.push(each.prepared);
    answers.set(number, { done: Promise.resolve(), isThere: true, prepared });
  }
}

/** A batch that somebody else prepares; null when that failed. */
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
