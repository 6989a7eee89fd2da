import type { BatchAdapter } from "./batch-jobs/adapter.ts";
import type { BatchWire } from "./batch-jobs/batch-wire.ts";
import { createFileBatches } from "./batch-jobs/file-batches.ts";
import type { Embedder } from "./embedder.ts";
import { familyOfName } from "./local/model-family.ts";
import type { HttpAccess } from "./remote/http-access.ts";
import {
  createProviderEmbedder,
  type HttpProvider,
  type ProviderOptions,
  readIndexed,
} from "./remote/http-service.ts";

const baseUrl = "https://api.openai.com/v1";
const openai: HttpProvider = {
  provider: "openai",
  baseUrl,
  models: {
    "text-embedding-3-small": { dimensions: 1536, usdPerMillionTokens: 0.02 },
    "text-embedding-3-large": { dimensions: 3072, usdPerMillionTokens: 0.13 },
  },
  limits: { items: 2048, inputTokens: 8192 },
  keyVariable: "OPENAI_API_KEY",
  authorise: (key) => ["authorization", `Bearer ${key}`],
  promptsOf: familyOfName,
  ask: ({ texts, model, prompt, dimensions }) => ({
    path: "embeddings",
    // Servers of local models add no prompts, and OpenAI's own models need none.
    body: {
      model,
      input: prompt === "" ? texts : texts.map((text) => prompt + text),
      dimensions,
    },
  }),
  packed: { encoding_format: "base64" },
  read: (json, { model }) => readIndexed(json, `openai ${model}`),
  // OpenAI's own models have no such prefix; other services, such as OpenRouter, need it.
  modelName: (model, options) =>
    (options.baseUrl ?? baseUrl).startsWith(baseUrl) ? model.replace(/^openai\//, "") : model,
  createBatches: createOpenAiBatches,
};

/** OpenAI, or any service with a compatible API: vLLM, Ollama, LM Studio, OpenRouter, a proxy. */
export function createOpenAiEmbedder(options: ProviderOptions): Embedder {
  return createProviderEmbedder(openai, options);
}

const endpoint = "/v1/embeddings";

/** https://platform.openai.com/docs/guides/batch */
export function createOpenAiBatches(
  { model, prompts, askedDimensions }: HttpAccess,
  wire: BatchWire,
): BatchAdapter {
  const dimensions = askedDimensions === undefined ? {} : { dimensions: askedDimensions };
  return createFileBatches({
    wire,
    priceFactor: 0.5,
    // 200 MB are allowed, but the file is built in memory.
    limits: { items: 50_000, bytes: 64 * 2 ** 20 },
    lineOf: ({ key, text }) => ({
      custom_id: key,
      method: "POST",
      url: endpoint,
      body: { model, input: prompts.document + text, ...dimensions },
    }),
    order: { endpoint, completion_window: "24h" },
  });
}
