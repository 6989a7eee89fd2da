import { throwIfAborted } from "../../errors.ts";
import { vectorsInvalid } from "../check-vectors.ts";
import type { EmbeddedText, RefusedText } from "../embedder.ts";
import { cutToTokens, estimateTokens } from "./estimate-tokens.ts";
import { isFailure, type ServiceFailure } from "./service.ts";

/** The known limits; they only become smaller. */
export interface KnownLimits {
  items: number;
  /** Of one request. */
  tokens: number;
  /** Of one text. */
  inputTokens: number;
}

export interface PendingText {
  readonly index: number;
  readonly text: string;
}

export type CheckedVector = Float32Array | RefusedText;

interface SplittingSenderOptions {
  /** The name of the service, for messages. */
  readonly from: string;
  /** One request whose vectors were checked. */
  readonly request: (texts: readonly string[]) => Promise<readonly CheckedVector[] | ServiceFailure>;
  readonly limits: KnownLimits;
  readonly onDone: (index: number, text: EmbeddedText) => void;
  readonly signal: AbortSignal;
}

/** A word that every embedding service accepts: if it is refused, the texts are not the cause. */
const harmless = "memory";
/** A text of this length that is refused as too long is refused for another reason. */
const minTokens = 16;

/**
 * Embeds texts in one request, and in smaller ones if the service refuses them together. Too many texts or tokens: halves,
 * and the limit is remembered. A text that the service refuses: halves until it is alone, so that the others get their
 * vectors. Rejects if no text would be accepted.
 */
export function createSplittingSender({ from, request, limits, onDone, signal }: SplittingSenderOptions) {
  let isProven = false;
  let probe: Promise<boolean> | null = null;
  let cuts = 0;

  /** Whether the service accepts other texts; only then is a text the cause of a refusal. */
  async function takesOthers(): Promise<boolean> {
    if (isProven) return true;
    probe ??= request([harmless]).then((answer) => !isFailure(answer) && answer[0] instanceof Float32Array);
    return await probe;
  }

  async function send(texts: readonly PendingText[]): Promise<void> {
    throwIfAborted(signal);
    const cut = texts.map(({ index, text }) => ({ index, text: cutToTokens(text, limits.inputTokens) }));
    const answer = await request(cut.map(({ text }) => text));
    if (!isFailure(answer)) return await keep(cut, answer);
    const { kind, error } = answer;
    if (kind === "limit") return await shrink(cut, answer);
    if (kind !== "input" || !(await takesOthers())) throw error;
    if (cut.length > 1) return await sendHalves(cut);
    onDone(cut[0]!.index, { refused: error.message });
  }

  async function keep(texts: readonly PendingText[], vectors: readonly CheckedVector[]): Promise<void> {
    isProven ||= vectors.some((vector) => vector instanceof Float32Array);
    for (const [at, { index }] of texts.entries()) {
      const vector = vectors[at]!;
      if (vector instanceof Float32Array) onDone(index, [vector]);
      else if (await takesOthers()) onDone(index, vector);
      else throw vectorsInvalid(from, vector.refused);
    }
  }

  async function sendHalves(texts: readonly PendingText[]): Promise<void> {
    const middle = Math.ceil(texts.length / 2);
    await send(texts.slice(0, middle));
    await send(texts.slice(middle));
  }

  async function shrink(texts: readonly PendingText[], { error, limit }: ServiceFailure): Promise<void> {
    const [only] = texts;
    if (texts.length === 1 && only !== undefined) {
      const tokens = Math.floor(estimateTokens(only.text) / 2);
      if (tokens < minTokens) {
        if (!(await takesOthers())) throw error;
        onDone(only.index, { refused: error.message });
        return;
      }
      cuts++;
      limits.inputTokens = Math.min(limits.inputTokens, tokens);
      return await send([only]);
    }
    const before = cuts;
    await sendHalves(texts);
    // One text that was too long on its own says nothing about the size of a request.
    if (cuts !== before) return;
    // If a service does not say which limit was exceeded, both are lowered.
    if (limit !== "items") {
      const tokens = texts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
      limits.tokens = Math.min(limits.tokens, Math.ceil(tokens / 2));
    }
    if (limit !== "tokens") limits.items = Math.min(limits.items, Math.ceil(texts.length / 2));
  }

  return send;
}
