import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import {
  type MemoryFixture,
  makeMemoryFixture,
  withMemorySearch,
} from "../../test/support/memory-fixture.ts";
import { skipDeletingOpenFiles, skipWithoutLinks } from "../../test/support/platform.ts";
import type { PartialConfig } from "../config/options.ts";
import { fromEmbeddingProvider } from "../embedders/embedding-provider.ts";
import { createSearchManager, type SearchManager } from "./search-manager.ts";

/**
 * The behaviour that hosts written for OpenClaw's manager rely on. docs/differences-from-openclaw.md lists deliberate
 * differences.
 */
type MemorySearch = Parameters<typeof withMemorySearch>[0];

const notes = {
  "MEMORY.md": "Quince knowledge base entry.\n",
  "memory/2026-01-12.md": "# Log\nApple memory line.\nHeron memory line.\nAnother line.\n",
};

/** Counts two words, so a text with neither has a zero vector. */
function countingProvider(model = "counts") {
  const calls = { batches: 0 };
  let isBroken = false;
  const count = (text: string) =>
    ["apple", "quince"].map((word) => text.toLowerCase().split(word).length - 1);
  const provider = {
    id: "host",
    model,
    embedQuery: async (text: string) => count(text),
    async embedBatch(texts: string[]) {
      calls.batches++;
      if (isBroken) throw new Error("the provider is down");
      return texts.map(count);
    },
  };
  return {
    calls,
    embedder: () => fromEmbeddingProvider(provider),
    breakDown() {
      isBroken = true;
    },
  };
}

async function open(
  t: TestContext,
  fixture: MemoryFixture,
  {
    memorySearch = {},
    provider,
    rest = {},
  }: {
    memorySearch?: MemorySearch;
    provider?: ReturnType<typeof countingProvider>;
    rest?: PartialConfig;
  } = {},
): Promise<SearchManager> {
  const memory = await fixture.open({
    config: withMemorySearch(memorySearch, rest),
    ...(provider && { embedder: provider.embedder() }),
  });
  const manager = await createSearchManager(memory);
  t.after(() => manager.close());
  return manager;
}

suite("A host that knows OpenClaw's manager", () => {
  test("finds notes by vector, and reports consistent counts per source", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const manager = await open(t, fixture, { provider: countingProvider() });
    await manager.sync({ force: true });
    const [hit] = await manager.search("apple");
    assert.equal(hit?.path, "memory/2026-01-12.md");
    const { files, chunks, sourceCounts } = manager.status();
    assert.deepEqual(sourceCounts, [{ source: "memory", files, chunks }]);
  });

  test("embeds nothing twice, even if everything is reindexed", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const provider = countingProvider();
    const manager = await open(t, fixture, { provider });
    await manager.sync({ force: true });
    const { batches } = provider.calls;
    assert.ok(batches > 0);
    await manager.sync({ force: true });
    assert.equal(provider.calls.batches, batches);
  });

  test("finds notes after the model has changed", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const first = await open(t, fixture, { provider: countingProvider("one") });
    await first.sync({ force: true });
    await first.close();
    const second = await open(t, fixture, { provider: countingProvider("two") });
    await second.sync();
    assert.equal((await second.search("apple"))[0]?.path, "memory/2026-01-12.md");
    assert.equal(second.status().model, "two");
  });

  test("keeps the index and finds keywords when the provider fails, and says so", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const provider = countingProvider();
    const manager = await open(t, fixture, { provider });
    await manager.sync();
    const before = manager.status();
    provider.breakDown();
    writeFileSync(fixture.at("memory/new.md"), "A bittern was seen.\n");
    await manager.sync();
    const after = manager.status();
    assert.equal(after.files, before.files + 1);
    assert.match(after.lastSyncError ?? "", /the provider is down/);
    assert.equal((await manager.search("bittern"))[0]?.path, "memory/new.md");
  });

  test("finds keywords when the vector of the question is zero", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const manager = await open(t, fixture, { provider: countingProvider() });
    await manager.sync();
    assert.equal((await manager.search("heron"))[0]?.path, "memory/2026-01-12.md");
  });

  test("follows weights that the user sets", async (t) => {
    const fixture = makeMemoryFixture(t, {
      ...notes,
      "memory/vector-only.md": "Apple quince. Apple quince. Apple quince. Apple quince.\n",
      "memory/keyword-only.md": `${"Apple ".repeat(200)} quince id123.\n`,
    });
    const scores = async (vectorWeight: number, textWeight: number) => {
      const manager = await open(t, fixture, {
        provider: countingProvider(),
        memorySearch: {
          query: {
            maxResults: 50,
            hybrid: { fusion: "weighted", vectorWeight, textWeight, candidateMultiplier: 10 },
          },
        },
      });
      await manager.sync();
      const hits = await manager.search("apple quince id123");
      await manager.close();
      const scoreOf = (path: string) => hits.find((hit) => hit.path === path)?.score ?? 0;
      return { vector: scoreOf("memory/vector-only.md"), keyword: scoreOf("memory/keyword-only.md") };
    };
    const byVector = await scores(0.99, 0.01);
    assert.ok(byVector.vector > byVector.keyword && byVector.keyword > 0, JSON.stringify(byVector));
    const byKeyword = await scores(0.01, 0.99);
    assert.ok(byKeyword.keyword > byKeyword.vector && byKeyword.vector > 0, JSON.stringify(byKeyword));
  });

  test("sees in the status what a probe of vectors found", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const manager = await open(t, fixture, { provider: countingProvider() });
    await manager.sync();
    const available = await manager.probeVectorAvailability();
    assert.deepEqual([manager.status().vector.enabled, manager.status().vector.available], [true, available]);
  });

  test("works without an embedder, and says so", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const manager = await open(t, fixture);
    await manager.sync();
    const { provider, custom, files } = manager.status();
    assert.deepEqual([provider, custom.searchMode, files], ["none", "fts-only", 2]);
    assert.equal((await manager.search("heron")).length, 1);
  });

  test("indexes each file once, however often extraPaths names it", async (t) => {
    const fixture = makeMemoryFixture(t, { ...notes, "extra/a.md": "Walrus.\n", "solo.md": "Narwhal.\n" });
    const extraPaths = ["./extra", fixture.at("extra"), "solo.md", fixture.workspace, ".", "/does/not/exist"];
    const manager = await open(t, fixture, { memorySearch: { extraPaths } });
    await manager.sync();
    assert.equal(manager.status().files, 4);
    for (const word of ["walrus", "narwhal", "quince"]) assert.equal((await manager.search(word)).length, 1);
  });

  test("continues when the index was removed under it", { skip: skipDeletingOpenFiles }, async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const manager = await open(t, fixture);
    await manager.sync();
    const { dbPath } = manager.status();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${dbPath}${end}`, { force: true });
    writeFileSync(fixture.at("memory/new.md"), "A bittern was seen.\n");
    await manager.sync();
    assert.equal((await manager.search("bittern"))[0]?.path, "memory/new.md");
    assert.equal((await manager.search("heron"))[0]?.path, "memory/2026-01-12.md");
  });

  test("finds nothing of a note that was deleted", async (t) => {
    const fixture = makeMemoryFixture(t, { "memory/2026-01-12.md": notes["memory/2026-01-12.md"] });
    const manager = await open(t, fixture);
    await manager.sync();
    rmSync(fixture.at("memory/2026-01-12.md"));
    await manager.sync({ force: true });
    assert.deepEqual([manager.status().files, manager.status().chunks], [0, 0]);
    assert.deepEqual(await manager.search("heron"), []);
  });

  test("reads files in a folder of extraPaths by the path in a hit, but no links", {
    skip: skipWithoutLinks,
  }, async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    mkdirSync(fixture.at("extra"));
    writeFileSync(fixture.at("extra/extra.md"), "Extra content.\n");
    symlinkSync(fixture.at("extra/extra.md"), fixture.at("extra/linked.md"));
    const manager = await open(t, fixture, { memorySearch: { extraPaths: [fixture.at("extra")] } });
    await manager.sync();
    const [hit] = await manager.search("extra content");
    const read = await manager.readFile({ relPath: hit!.path });
    assert.equal(read.text, "Extra content.");
    await assert.rejects(manager.readFile({ relPath: hit!.path.replace("extra.md", "linked.md") }));
    await assert.rejects(manager.readFile({ relPath: "NOTES.md" }), { code: "path-outside-memory" });
  });

  test("reads lines within a note, and none beyond its end", async (t) => {
    const fixture = makeMemoryFixture(t, notes);
    const manager = await open(t, fixture);
    const middle = await manager.readFile({ relPath: "memory/2026-01-12.md", from: 2, lines: 1 });
    assert.equal(middle.text, "Apple memory line.");
    const beyond = await manager.readFile({ relPath: "memory/2026-01-12.md", from: 10, lines: 5 });
    assert.deepEqual([beyond.status, beyond.text], ["ok", ""]);
    const before = await manager.readFile({ relPath: " ./memory/2026-01-12.md", from: -5, lines: 2 });
    assert.deepEqual([before.path, before.text], ["memory/2026-01-12.md", "# Log\nApple memory line."]);
  });
});
