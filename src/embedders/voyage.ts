import type { BatchAdapter } from "./batch-jobs/adapter.ts";
import type { BatchWire } from "./batch-jobs/batch-wire.ts";
import { createFileBatches } from "./batch-jobs/file-batches.ts";
import type { Embedder } from "./embedder.ts";
import type { HttpAccess } from "./remote/http-access.ts";
import {
  createProviderEmbedder,
  type HttpProvider,
  type ProviderOptions,
  readIndexed,
} from "./remote/http-service.ts";

const voyage: HttpProvider = {
  provider: "voyage",
  baseUrl: "https://api.voyageai.com/v1",
  models: {
    "voyage-4-large": { dimensions: 1024, usdPerMillionTokens: 0.12 },
    "voyage-4": { dimensions: 1024, usdPerMillionTokens: 0.06 },
    "voyage-4-lite": { dimensions: 1024, usdPerMillionTokens: 0.02 },
  },
  limits: { items: 1000, inputTokens: 32_000 },
  keyVariable: "VOYAGE_API_KEY",
  authorise: (key) => ["authorization", `Bearer ${key}`],
  ask: ({ texts, model, purpose, dimensions }) => ({
    path: "embeddings",
    body: {
      model,
      input: texts,
      input_type: purpose,
      output_dimension: dimensions,
    },
  }),
  read: (json, { model }) => readIndexed(json, `voyage ${model}`),
  modelName: (model) => model.replace(/^voyage\//, ""),
  createBatches: createVoyageBatches,
};

export function createVoyageEmbedder(options: ProviderOptions): Embedder {
  return createProviderEmbedder(voyage, options);
}

/** https://docs.voyageai.com/docs/batch-inference: like OpenAI's, but model and options are given once per job. */
function createVoyageBatches({ model, askedDimensions }: HttpAccess, wire: BatchWire): BatchAdapter {
  const dimensions = askedDimensions === undefined ? {} : { output_dimension: askedDimensions };
  return createFileBatches({
    wire,
    priceFactor: 0.67,
    // 100,000 are allowed, but the file is built in memory.
    limits: { items: 50_000, bytes: 64 * 2 ** 20 },
    lineOf: ({ key, text }) => ({ custom_id: key, body: { input: [text] } }),
    order: {
      endpoint: "/v1/embeddings",
      completion_window: "12h",
      request_params: { model, input_type: "document", ...dimensions },
    },
  });
}
