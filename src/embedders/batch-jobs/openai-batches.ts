import type { HttpAccess } from "../remote/http-access.ts";
import type { BatchAdapter } from "./adapter.ts";
import type { BatchWire } from "./batch-wire.ts";
import { createFileBatches } from "./file-batches.ts";

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
    // 200 MB are allowed; a file is made in memory.
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
