import { createGeminiBatches } from "./batch-jobs/gemini-batches.ts";
import { createProviderBatches, type ProviderOptions } from "./batch-jobs/provider-batches.ts";
import type { Embedder } from "./embedder.ts";
import { geminiRequest } from "./gemini-request.ts";
import { createHttpAccess } from "./remote/http-access.ts";
import { createHttpService, type HttpProvider } from "./remote/http-service.ts";
import { createRemoteEmbedder } from "./remote/remote-embedder.ts";

const gemini: HttpProvider = {
  provider: "gemini",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  models: { "gemini-embedding-001": { dimensions: 3072, usdPerMillionTokens: 0.15 } },
  limits: { items: 100, inputTokens: 2048 },
  keyVariable: "GEMINI_API_KEY",
  authorise: (key) => ["x-goog-api-key", key],
  ask: (request) => {
    const { texts, model, purpose } = request;
    const path = `models/${encodeURIComponent(model)}`;
    const requests = texts.map((text) => geminiRequest(text, request));
    // A question is one text, for which there is a call of its own.
    if (purpose === "query") return { path: `${path}:embedContent`, body: requests[0] };
    return { path: `${path}:batchEmbedContents`, body: { requests } };
  },
  read: (json, { purpose }) => {
    const { embedding, embeddings } = (json ?? {}) as { embedding?: unknown; embeddings?: unknown };
    const items = purpose === "query" ? [embedding] : embeddings;
    if (!Array.isArray(items)) return null;
    const vectors = (items as ({ values?: unknown } | null | undefined)[]).map((item) => item?.values);
    return vectors.every((values): values is number[] => Array.isArray(values))
      ? { vectors, tokens: null }
      : null;
  },
};

export function createGeminiEmbedder(options: ProviderOptions): Embedder {
  // People write the name with and without its folder.
  const model = options.model?.replace(/^models\//, "");
  const named = model === undefined ? options : { ...options, model };
  const access = createHttpAccess(gemini, named, options.redact);
  const batches = createProviderBatches(createGeminiBatches, access, options);
  return createRemoteEmbedder(createHttpService(gemini, access), { ...options, batches });
}
