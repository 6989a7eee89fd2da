import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryPlace } from "../../test/support/memory-place.ts";

test("an embedder of another shape is refused with the way to wrap it", async (t) => {
  const place = makeMemoryPlace(t, { "MEMORY.md": "# Memory\n" });
  const provider = { embedQuery: async () => [1], embedBatch: async () => [[1]] };
  await assert.rejects(place.open({ embedder: provider as never }), {
    code: "not-supported",
    message: /the given embedder has no method embedDocuments/,
    hint: /fromEmbeddingProvider/,
  });
  for (const embedder of [null, {}, "openai"]) {
    await assert.rejects(place.open({ embedder: embedder as never }), { code: "not-supported" });
  }
});

test("a store of another shape is refused by name", async (t) => {
  const place = makeMemoryPlace(t, { "MEMORY.md": "# Memory\n" });
  await assert.rejects(place.open({ store: { put() {} } as never }), {
    code: "not-supported",
    message: /the given store has no method versions/,
  });
});
