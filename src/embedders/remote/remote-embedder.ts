import { LonghandError, throwIfAborted } from "../../errors.ts";
import { systemClock } from "../../timing.ts";
import type { BatchJobs } from "../batch-jobs/batch-jobs.ts";
import { checkVectors } from "../check-vectors.ts";
import { type EmbeddedText, type Embedder, type EmbedderUsage, isRefused } from "../embedder.ts";
import { cutToTokens, estimateTokens } from "./estimate-tokens.ts";
import { type Redact, redactText } from "./mask.ts";
import { createRetry, type RetryClock } from "./retrying.ts";
import { type EmbeddingService, isFailure, type Purpose, type ServiceFailure } from "./service.ts";
import {
  type CheckedVector,
  createSplittingSender,
  type KnownLimits,
  type PendingText,
} from "./splitting-sender.ts";

export interface RemoteEmbedderOptions {
  /** Concurrent requests. */
  readonly concurrency?: number;
  /** Applied to every text before it leaves the machine; by default it masks what looks like a secret. */
  readonly redact?: Redact | undefined;
  readonly deadlineMs?: Readonly<Record<Purpose, number>>;
  readonly clock?: RetryClock;
  /** Batch jobs of the same service. */
  readonly batches?: BatchJobs | undefined;
}

/** Texts per call: enough that the end of a call, where concurrency drops, hardly matters. */
const maxBatch = 2048;
/** Estimated tokens per request. */
const requestTokens = 8000;

/** An embedder from a service: batches, concurrent requests, retries, deadlines, and one check for all vectors. */
export function createRemoteEmbedder(
  service: EmbeddingService,
  {
    concurrency = 4,
    redact = redactText,
    deadlineMs = { query: 60_000, document: 120_000 },
    clock = systemClock,
    batches,
  }: RemoteEmbedderOptions = {},
): Embedder {
  const { provider, model, providerKey, usdPerMillionTokens } = service;
  const from = `${provider} ${model}`;
  const closing = new AbortController();
  const spent = { requests: 0, tokens: 0 };
  let dimensions = service.dimensions;
  let knownLimits: KnownLimits | null = null;

  const retry = createRetry({ from, clock });

  async function limitsOf(): Promise<KnownLimits> {
    const { items, inputTokens } = await service.limits;
    knownLimits ??= { items, inputTokens, tokens: requestTokens };
    return knownLimits;
  }

  async function request(
    texts: readonly string[],
    { purpose, signal }: { purpose: Purpose; signal: AbortSignal },
  ): Promise<readonly CheckedVector[] | ServiceFailure> {
    const answer = await retry({ deadlineMs: deadlineMs[purpose], signal }, async (limited) => {
      spent.requests++;
      const received = await service.send(texts, { purpose, signal: limited });
      if (!isFailure(received)) spent.tokens += received.tokens ?? sum(texts.map(estimateTokens));
      return received;
    });
    if (isFailure(answer)) return answer;
    try {
      const expected = { from, count: texts.length, dimensions: service.dimensions };
      const vectors = checkVectors(answer.vectors, expected);
      // The model behind a name can change; `followDimensions` gives the vectors of the new one their own id.
      dimensions = vectors.find((vector) => vector instanceof Float32Array)?.length ?? dimensions;
      return vectors;
    } catch (error) {
      if (error instanceof LonghandError) return { kind: "final", error };
      throw error;
    }
  }

  async function embedAll(
    texts: readonly string[],
    { purpose, signal: caller }: { purpose: Purpose; signal: AbortSignal | undefined },
    onDone: (index: number, text: EmbeddedText) => void,
  ): Promise<void> {
    throwIfAborted(caller);
    const signal = caller ? AbortSignal.any([caller, closing.signal]) : closing.signal;
    throwIfAborted(signal);
    const limits = await limitsOf();
    const pending: number[] = [];
    for (const [index, text] of texts.entries()) {
      if (text.trim() === "") onDone(index, []);
      else pending.push(index);
    }
    const prepared: (PendingText & { readonly tokens: number })[] = [];
    /** One request after another, as needed: preparing all at once would keep host and service waiting. */
    const prepare = (at: number) => {
      const known = prepared[at];
      if (known !== undefined) return known;
      const index = pending[at]!;
      const text = cutToTokens(redact(texts[index]!).toWellFormed(), limits.inputTokens);
      prepared[at] = { index, text, tokens: estimateTokens(text) };
      return prepared[at];
    };
    const sendApart = createSplittingSender({
      from,
      request: (some) => request(some, { purpose, signal }),
      limits,
      onDone,
      signal,
    });
    const failures: unknown[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      // After a failure no new request starts, but pending ones may still succeed, and are paid for.
      while (next < pending.length && failures.length === 0) {
        const start = next;
        next = endOfRequest({ start, count: pending.length, tokensOf: (at) => prepare(at).tokens }, limits);
        await sendApart(prepared.slice(start, next)).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    throwIfAborted(signal);
    if (failures.length > 0) throw failures[0];
  }

  return {
    specificationVersion: 1,
    id: `${provider}:${model}:${providerKey.slice(0, 16)}`,
    provider,
    model,
    providerKey,
    get dimensions() {
      return dimensions;
    },
    maxBatch,
    vectorsPerText: "one",
    isSlow: true,
    usdPerMillionTokens,
    async embedDocuments(texts, { signal, onEmbedded } = {}) {
      const embedded: EmbeddedText[] = [];
      await embedAll(texts, { purpose: "document", signal }, (index, text) => {
        embedded[index] = text;
        onEmbedded?.(index, text);
      });
      return embedded;
    },
    async embedQuery(query, { signal } = {}) {
      const answers: EmbeddedText[] = [];
      await embedAll([query], { purpose: "query", signal }, (_, text) => answers.push(text));
      const [answer = []] = answers;
      if (!isRefused(answer)) return answer[0] ?? null;
      throw new LonghandError("provider-refused", answer.refused, { hint: "Ask in other words." });
    },
    usage: () => {
      const costUsd = usdPerMillionTokens === null ? null : (spent.tokens / 1e6) * usdPerMillionTokens;
      return addUsage({ ...spent, costUsd }, batches?.usage());
    },
    ...(batches === undefined ? {} : { batches }),
    async [Symbol.asyncDispose]() {
      closing.abort();
    },
  };
}

function addUsage(one: EmbedderUsage, other: EmbedderUsage | undefined): EmbedderUsage {
  if (other === undefined) return one;
  return {
    requests: one.requests + other.requests,
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

interface RequestLimits {
  readonly items: number;
  readonly tokens: number;
}

interface WaitingTexts {
  /** The first text of the request. */
  readonly start: number;
  /** How many texts there are. */
  readonly count: number;
  /** Read in order, and no further than needed. */
  readonly tokensOf: (at: number) => number;
}

/** The end of a request (exclusive): as many texts as fit, in their order, and at least one. */
export function endOfRequest({ start, count, tokensOf }: WaitingTexts, limits: RequestLimits): number {
  let tokens = 0;
  for (let at = start; at < count; at++) {
    if (at > start && at - start >= limits.items) return at;
    tokens += tokensOf(at);
    if (at > start && tokens > limits.tokens) return at;
  }
  return count;
}
