import { LonghandError, messageOf, throwIfAborted } from "../errors.ts";
import { type Clock, settleWithin, systemClock } from "../timing.ts";
import { checkVectors, vectorsInvalid } from "./check-vectors.ts";
import { delegateTo, type EmbeddedText, type Embedder, isRefused } from "./embedder.ts";

export interface GivenEmbedderLimits {
  /**
   * How long it may embed documents without finishing one: its first call may have to load a model. With many texts at
   * once, a slow one may take `perTextMs` for each.
   */
  readonly silentMs?: number;
  readonly perTextMs?: number;
  readonly queryMs?: number;
  readonly closeMs?: number;
  readonly clock?: Pick<Clock, "after">;
}

/** More texts per call would only be kept in memory for longer. */
const maxTexts = 2048;

/**
 * An embedder that a program brings, as the rest of longhand may rely on it: a call that was cancelled ends, whether the
 * embedder looks at the signal or not; so does one that never answers, which would keep locks forever; and no vector of
 * another length than it promises gets into an index.
 */
export function createGivenEmbedder(given: Embedder, limits: GivenEmbedderLimits = {}): Embedder {
  const {
    silentMs = 300_000,
    perTextMs = 1000,
    queryMs = 60_000,
    closeMs = 5000,
    clock = systemClock,
  } = limits;
  const from = `${given.provider} ${given.model}`;
  let isProven = false;

  /** Waits for the embedder until it was silent for too long, or the caller cancels. */
  async function ask<T>(
    limitMs: number,
    caller: AbortSignal | undefined,
    call: (signal: AbortSignal, onSign: () => void) => Promise<T>,
  ): Promise<T> {
    throwIfAborted(caller);
    const silence = new AbortController();
    const listen = () => clock.after(limitMs, () => silence.abort());
    let stopListening = listen();
    let isOver = false;
    const onSign = (): void => {
      if (isOver) return;
      stopListening();
      stopListening = listen();
    };
    const signal = caller ? AbortSignal.any([caller, silence.signal]) : silence.signal;
    try {
      const answering = call(signal, onSign).then((answer) => ({ answer }));
      const settled = await settleWithin(null, answering, { signal });
      throwIfAborted(caller);
      if (settled === undefined) throw silent(from, limitMs);
      return settled.answer;
    } catch (error) {
      throwIfAborted(caller);
      throw explained(error);
    } finally {
      isOver = true;
      stopListening();
    }
  }

  /** The vectors of one text as they may be stored; `refused` if only this text may be at fault. */
  function check(text: EmbeddedText): EmbeddedText {
    if (typeof text !== "object" || text === null) throw vectorsInvalid(from, "a text has no list of them");
    if (isRefused(text)) return text;
    if (!Array.isArray(text)) throw vectorsInvalid(from, "those of a text are not a list of vectors");
    if (!text.every(hasLength)) throw vectorsInvalid(from, "what is in the list of a text is no vector");
    const checked = checkVectors(text, { from, count: text.length, dimensions: given.dimensions });
    return checked.find((vector) => "refused" in vector) ?? (checked as Float32Array[]);
  }

  /** What is odd is looked at when the call has ended. */
  function isWhole(text: EmbeddedText): boolean {
    try {
      return isRefused(text) || !isRefused(check(text));
    } catch {
      return false;
    }
  }

  return {
    ...delegateTo(given),
    ...(given.providerKey !== undefined && { providerKey: given.providerKey }),
    // Some learn it from the first answer.
    get dimensions() {
      return given.dimensions;
    },
    maxBatch: Math.min(given.maxBatch, maxTexts),
    async embedDocuments(texts, { signal, onEmbedded } = {}) {
      let isOver = false;
      const limitMs = Math.max(silentMs, texts.length * perTextMs);
      const embedded = await ask(limitMs, signal, async (either, onSign) =>
        given.embedDocuments(texts, {
          signal: either,
          onEmbedded(index, text) {
            onSign();
            if (!isOver && !either.aborted && isWhole(text)) onEmbedded?.(index, check(text));
          },
        }),
      ).finally(() => {
        isOver = true;
      });
      if (!Array.isArray(embedded) || embedded.length !== texts.length) {
        const count = Array.isArray(embedded) ? `${embedded.length} results` : "no list of results";
        throw vectorsInvalid(from, `${count} came back for ${texts.length} texts`);
      }
      const checked = embedded.map(check);
      isProven ||= checked.some((text) => !isRefused(text) && text.length > 0);
      const fault = checked.find((text, at) => isRefused(text) && text !== embedded[at]);
      if (fault !== undefined && isRefused(fault) && !isProven) throw vectorsInvalid(from, fault.refused);
      return checked;
    },
    async embedQuery(text, { signal } = {}) {
      const vector = await ask(queryMs, signal, async (either) => given.embedQuery(text, { signal: either }));
      if (vector === null) return null;
      if (!hasLength(vector)) throw vectorsInvalid(from, "a query was given something else");
      const [checked] = checkVectors([vector], { from, count: 1, dimensions: given.dimensions });
      if (checked instanceof Float32Array) return checked;
      throw vectorsInvalid(from, checked!.refused);
    },
    async [Symbol.asyncDispose]() {
      await settleWithin(closeMs, Promise.resolve(given[Symbol.asyncDispose]()));
    },
  };
}

function hasLength(vector: unknown): boolean {
  return typeof (vector as ArrayLike<number> | null | undefined)?.length === "number";
}

function silent(from: string, limitMs: number): LonghandError {
  return new LonghandError("provider-refused", `${from} gave no answer within ${limitMs / 1000} seconds.`, {
    hint: "If it needs longer, let it call onEmbedded for each finished text, or take fewer texts with a smaller maxBatch.",
    retryable: true,
  });
}

/** Whatever a program's own embedder throws is a failure that keyword search survives. */
function explained(error: unknown): LonghandError {
  if (error instanceof LonghandError) return error;
  return new LonghandError("provider-refused", messageOf(error), {
    hint: "Check the embedder that was given to openMemory.",
    cause: error,
  });
}
