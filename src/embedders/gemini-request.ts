import type { Purpose } from "./remote/service.ts";

export interface GeminiRequestOptions {
  readonly model: string;
  readonly purpose: Purpose;
  readonly dimensions: number | undefined;
}

/** One text as Gemini wants it, alone or among others. */
export function geminiRequest(text: string, { model, purpose, dimensions }: GeminiRequestOptions): unknown {
  return {
    model: `models/${model}`,
    content: { parts: [{ text }] },
    taskType: purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
    ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
  };
}
