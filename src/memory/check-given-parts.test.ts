import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";

test("an embedder of another shape is refused with a hint how to wrap it", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  const provider = { embedQuery: async () => [1], embedBatch: async () => [[1]] };
  await assert.rejects(fixture.open({ embedder: provider as never }), {
    code: "not-supported",
    message: /the given embedder has no method embedDocuments/,
    hint: /fromEmbeddingProvider/,
  });
  for (const embedder of [null, {}, "openai"]) {
    await assert.rejects(fixture.open({ embedder: embedder as never }), { code: "not-supported" });
  }
});

test("a store of another shape is refused by name", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  await assert.rejects(fixture.open({ store: { put() {} } as never }), {
    code: "not-supported",
    message: /the given store has no method versions/,
  });
});
