import type { HttpAccess } from "../remote/http-access.ts";
import type { BatchAdapter } from "./adapter.ts";
import type { BatchWire } from "./batch-wire.ts";
import { createFileBatches } from "./file-batches.ts";

/** https://docs.voyageai.com/docs/batch-inference: as OpenAI's, but model and options are said once for the job. */
export function createVoyageBatches({ model, askedDimensions }: HttpAccess, wire: BatchWire): BatchAdapter {
  const dimensions = askedDimensions === undefined ? {} : { output_dimension: askedDimensions };
  return createFileBatches({
    wire,
    priceFactor: 0.67,
    // 100,000 are allowed; a file is made in memory.
    limits: { items: 50_000, bytes: 64 * 2 ** 20 },
    lineOf: ({ key, text }) => ({ custom_id: key, body: { input: [text] } }),
    order: {
      endpoint: "/v1/embeddings",
      completion_window: "12h",
      request_params: { model, input_type: "document", ...dimensions },
    },
  });
}
