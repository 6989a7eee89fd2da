import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { test } from "node:test";
import { getLoadablePath } from "sqlite-vec";
import { createConceptEmbedder } from "./support/concept-embedder.ts";
import { makeMemoryFixture, withMemorySearch } from "./support/memory-fixture.ts";
import { skipOnWindows } from "./support/platform.ts";

const notes = {
  "memory/animals.md": "# Animals\n\nThe quokka has a pouch.\n",
  "memory/weather.md": "# Weather\n\nA storm brings rain.\n",
};

test("status says which code searches vectors, and both give the same answer", {
  skip: skipOnWindows("sqlite-vec is installed for this system only"),
}, async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  {
    // A query teaches the memory about the embedder once, which may change the scores.
    await using memory = await fixture.open({
      config: withMemorySearch({}),
      embedder: createConceptEmbedder(),
    });
    await memory.search("marsupial");
  }
  const scores = [];
  for (const [extensionPath, path, problem] of [
    [undefined, "builtin", undefined],
    [getLoadablePath(), "sqlite-vec", undefined],
    ["sqlite-vec", "sqlite-vec", undefined],
    ["/nowhere/vec0", "builtin", /^sqlite-vec could not be loaded from \/nowhere\/vec0: /],
  ] as const) {
    const vector = extensionPath === undefined ? {} : { extensionPath };
    const memory = await fixture.open({
      config: withMemorySearch({ store: { vector } }),
      embedder: createConceptEmbedder(),
    });
    await memory.sync();
    const { results, degraded } = await memory.search("marsupial");
    assert.equal(results[0]?.path, "memory/animals.md");
    assert.deepEqual(degraded, []);
    scores.push(results.map(({ score, vectorScore }) => [score, vectorScore]));
    const { vector: found, cache } = await memory.status();
    assert.equal(found.path, path);
    if (problem === undefined) assert.equal(found.loadError, undefined);
    else assert.match(found.loadError!, problem);
    assert.equal(cache.entries, 2);
    await memory.close();
  }
  assert.deepEqual(scores[1], scores[0]);
  assert.deepEqual(scores[2], scores[0]);
  assert.deepEqual(scores[3], scores[0]);
});

test("a note that is moved, or goes and comes back, is embedded once", async (t) => {
  const fixture = makeMemoryFixture(t, notes);
  const asked: string[] = [];
  const embedder = createConceptEmbedder();
  const memory = await fixture.open({
    config: withMemorySearch({}),
    embedder: {
      ...embedder,
      embedDocuments: (texts, options) => {
        asked.push(...texts);
        return embedder.embedDocuments(texts, options);
      },
    },
  });
  assert.equal((await memory.sync()).embedded, 2);
  renameSync(fixture.at("memory/animals.md"), fixture.at("memory/moved.md"));
  const moved = await memory.sync();
  assert.deepEqual([moved.embedded, moved.cached], [0, 1]);
  renameSync(fixture.at("memory/moved.md"), fixture.at("away.txt"));
  await memory.sync({ force: true });
  renameSync(fixture.at("away.txt"), fixture.at("memory/back.md"));
  const back = await memory.sync();
  assert.deepEqual([back.added, back.embedded, back.cached], [1, 0, 1]);
  assert.equal(asked.length, 2);
});

test("store.vector.enabled false compares vectors in our own code, also with a provider of the settings", {
  skip: skipOnWindows("sqlite-vec is installed for this system only"),
}, async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/car.md": "The car broke down.\n" });
  const vector = { enabled: false, extensionPath: getLoadablePath() };
  const memory = await fixture.open({ config: withMemorySearch({ provider: "builtin", store: { vector } }) });
  const { results, mode, degraded } = await memory.search("automobile");
  assert.deepEqual([results[0]?.path, mode, degraded], ["memory/car.md", "hybrid", []]);
  const { vector: found } = await memory.status();
  assert.deepEqual([found.enabled, found.available, found.path], [false, true, "builtin"]);
  assert.equal(found.loadError, undefined);
});
