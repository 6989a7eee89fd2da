import assert from "node:assert/strict";
import { test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import type { Embedder } from "../embedders/embedder.ts";

const never = (): Promise<never> => new Promise(() => {});
const notes = {
  "MEMORY.md": "# Animals\n\nThe quokka lives on Rottnest Island.\n",
  "memory/trips.md": "# Trips\n\nWe book the ferry on Fridays.\n",
};
/** Searches do not wait for vectors. */
const config = withMemorySearch({ sync: { searchWaitMs: 0, watch: false } });

for (const isSlow of [false, true]) {
  test(`closing ends although an embedder that is ${isSlow ? "" : "not "}slow never answers`, async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const asked = Promise.withResolvers<void>();
    const embedder = createConceptEmbedder({
      isSlow,
      embedDocuments() {
        asked.resolve();
        return never();
      },
    });
    const memory = await fixture.open({ embedder, config });
    const syncing = assert.rejects(memory.sync(), { code: "aborted" });
    await asked.promise;
    const { results, degraded } = await memory.search("quokka");
    assert.equal(results[0]?.path, "MEMORY.md");
    assert.deepEqual(degraded, [
      "0 of 2 chunks have their vectors of test; the others are found by keyword search meanwhile",
    ]);
    await memory.close();
    await syncing;
    assert.equal(embedder.closings, 1);

    const healed = await fixture.open({ embedder: createConceptEmbedder({ isSlow }), config });
    assert.equal((await healed.sync()).embedded, 2);
    assert.deepEqual((await healed.search("quokka")).degraded, []);
  });
}

test("vectors of a wrong length are reported, and a repaired embedder takes over", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const short = new Float32Array(3).fill(1);
  const wrong: Partial<Embedder> = {
    embedDocuments: async (texts) => texts.map(() => [short]),
    embedQuery: async () => short,
  };
  const broken = await fixture.open({ embedder: createConceptEmbedder(wrong), config });
  const { degraded } = await broken.sync();
  assert.match(degraded.join("\n"), /test cannot be used: .* has 3 numbers instead of 64/);
  assert.match((await broken.search("quokka")).degraded.join("\n"), /3 numbers instead of 64/);
  await broken.close();

  const repaired = await fixture.open({ embedder: createConceptEmbedder(), config });
  assert.deepEqual((await repaired.sync()).degraded, []);
  const answer = await repaired.search("a marsupial");
  assert.deepEqual([answer.provider, answer.degraded], ["test", []]);
});

test("an embedder whose vectors change their length under the same id embeds everything again", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const short = new Float32Array([0, 1, 0]);
  const earlier = createConceptEmbedder({
    dimensions: 3,
    embedDocuments: async (texts) => texts.map(() => [short]),
    embedQuery: async () => short,
  });
  const before = await fixture.open({ embedder: earlier, config });
  assert.deepEqual((await before.sync()).degraded, []);
  await before.close();

  for (const dimensions of [64, null]) {
    const after = await fixture.open({ embedder: createConceptEmbedder({ dimensions }), config });
    await after.search("a marsupial");
    assert.deepEqual((await after.sync()).degraded, []);
    const answer = await after.search("a marsupial");
    assert.deepEqual([answer.provider, answer.degraded], ["test", []]);
    await after.close();
  }
});
