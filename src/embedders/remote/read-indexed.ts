import { orderByIndex } from "../validate-vectors.ts";
import type { ServiceAnswer } from "./service.ts";

interface Item {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/** The answer that OpenAI defined and others took over: `{data: [{index, embedding}], usage: {total_tokens}}`. */
export function readIndexed(json: unknown, from: string): ServiceAnswer | null {
  const { data, usage } = (json ?? {}) as { data?: unknown; usage?: { total_tokens?: unknown } | null };
  if (!Array.isArray(data)) return null;
  const items = (data as (Item | null)[]).map((item) => ({
    index: typeof item?.index === "number" ? item.index : null,
    vector: item?.embedding,
  }));
  if (
    !items.every((item): item is { index: number | null; vector: number[] } => Array.isArray(item.vector))
  ) {
    return null;
  }
  const tokens = usage?.total_tokens;
  return { vectors: orderByIndex(items, from), tokens: typeof tokens === "number" ? tokens : null };
}
