import assert from "node:assert/strict";
import { test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
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

test("an embedder with a wrong field is refused, and the error names the field", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  const cases: readonly [changes: Readonly<Record<string, unknown>>, message: RegExp][] = [
    [{ maxBatch: 0 }, /maxBatch of the given embedder must be a whole number, 1 or more.*, but is 0/],
    [{ maxBatch: Number.NaN }, /maxBatch .* but is NaN/],
    [{ maxBatch: undefined }, /maxBatch .* but is missing/],
    [{ maxBatch: 1.5 }, /maxBatch .* but is 1.5/],
    [{ maxBatch: "8" }, /maxBatch .* but is a string/],
    [{ dimensions: 0 }, /dimensions .* but is 0/],
    [{ dimensions: undefined }, /dimensions .* but is missing/],
    [{ id: "" }, /id of the given embedder must be a text/],
    [{ provider: undefined }, /provider .* but is missing/],
    [{ model: null }, /model .* but is null/],
    [{ vectorsPerText: undefined }, /vectorsPerText .* must be "one" or "several"/],
    [{ isSlow: "no" }, /isSlow .* must be true or false/],
    [{ usage: {} }, /usage .* must be a function/],
    [{ [Symbol.asyncDispose]: undefined }, /no method Symbol\(Symbol.asyncDispose\)/],
  ];
  for (const [changes, message] of cases) {
    const embedder = { ...createConceptEmbedder(), ...changes } as never;
    await assert.rejects(fixture.open({ embedder }), { code: "not-supported", message });
  }
  for (const maxBatch of [1, 10_000, Number.POSITIVE_INFINITY]) {
    const memory = await fixture.open({ embedder: createConceptEmbedder({ maxBatch, dimensions: null }) });
    assert.deepEqual((await memory.sync()).degraded, []);
    await memory.close();
  }
});

test("a store of another shape is refused by name", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  await assert.rejects(fixture.open({ store: { put() {} } as never }), {
    code: "not-supported",
    message: /the given store has no method versions/,
  });
});
