import { orderByIndex } from "../judge-vectors.ts";
import type { ServiceAnswer } from "./service.ts";

interface Item {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/**
 * The answer that OpenAI defined and others took over: `{data: [{index, embedding}], usage: {total_tokens}}`. A vector
 * is a list of numbers, or base64 of four bytes each, whichever was asked for.
 */
export function readIndexed(json: unknown, from: string): ServiceAnswer | null {
  const { data, usage } = (json ?? {}) as { data?: unknown; usage?: { total_tokens?: unknown } | null };
  if (!Array.isArray(data)) return null;
  const items: { index: number | null; vector: ArrayLike<number> }[] = [];
  for (const item of data as (Item | null)[]) {
    const vector = readVector(item?.embedding);
    if (vector === null) return null;
    items.push({ index: typeof item?.index === "number" ? item.index : null, vector });
  }
  return { vectors: orderByIndex(items, from), tokens: readCount(usage?.total_tokens) };
}

function readVector(embedding: unknown): ArrayLike<number> | null {
  if (Array.isArray(embedding)) return embedding;
  if (typeof embedding !== "string") return null;
  const bytes = Buffer.from(embedding, "base64");
  if (bytes.length % 4 !== 0) return null;
  // Views of four bytes must begin at a multiple of four.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, bytes.length / 4);
}

/** A number of tokens as a service counts them; null when it is none. */
function readCount(tokens: unknown): number | null {
  return Number.isSafeInteger(tokens) && (tokens as number) >= 0 ? (tokens as number) : null;
}
