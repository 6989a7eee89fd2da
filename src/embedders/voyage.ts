import { createProviderBatches, type ProviderOptions } from "./batch-jobs/provider-batches.ts";
import { createVoyageBatches } from "./batch-jobs/voyage-batches.ts";
import type { Embedder } from "./embedder.ts";
import { createHttpAccess } from "./remote/http-access.ts";
import { createHttpService, type HttpProvider } from "./remote/http-service.ts";
import { readIndexed } from "./remote/read-indexed.ts";
import { createRemoteEmbedder } from "./remote/remote-embedder.ts";

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
      ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    },
  }),
  read: (json, { model }) => readIndexed(json, `voyage ${model}`),
};

export function createVoyageEmbedder(options: ProviderOptions): Embedder {
  const access = createHttpAccess(voyage, options, options.redact);
  const batches = createProviderBatches(createVoyageBatches, access, options);
  return createRemoteEmbedder(createHttpService(voyage, access), { ...options, batches });
}
