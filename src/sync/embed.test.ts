import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { hangLimitMs } from "../../test/support/hang-limit.ts";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import type { BatchJobs } from "../embedders/batch-jobs/batch-jobs.ts";
import { type Embedder, isRefused } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import { document } from "../stores/contract/fixture.ts";
import { createWorkLock } from "../stores/work-lock-file.ts";
import { createChunker } from "../text/chunk.ts";
import { sha256 } from "../text/hash.ts";
import { readRefused } from "./embedding-record.ts";
import {
  lastSyncFact,
  type SyncOptions,
  type SyncProgress,
  syncOnce,
  syncVectors,
  syncWords,
} from "./sync.ts";

interface WordEmbedder extends Embedder {
  /** The texts it was given, call by call. */
  readonly calls: string[][];
  beforeCall: (texts: readonly string[]) => unknown;
}

/** One vector for each word; every word has its own direction. */
function createWordEmbedder(id = "words", options: Partial<Embedder> = {}): WordEmbedder {
  const directionOf = (word: string) =>
    Float32Array.from(hash("sha256", word, "buffer"), (byte) => byte - 127.5);
  const embedder: WordEmbedder = {
    specificationVersion: 1,
    id,
    provider: "test",
    model: id,
    dimensions: 32,
    maxBatch: 3,
    vectorsPerText: "several",
    calls: [],
    beforeCall: () => {},
    async embedDocuments(texts) {
      embedder.calls.push([...texts]);
      await embedder.beforeCall(texts);
      return texts.map((text) => (text.match(/\w+/g) ?? []).map(directionOf));
    },
    embedQuery: async (text) => directionOf(text),
    async [Symbol.asyncDispose]() {},
    ...options,
  };
  return embedder;
}

async function setUp(t: TestContext, texts: Record<string, string>, embedder = createWordEmbedder()) {
  const source = createTextSource(texts);
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const store = await openAt(path);
  t.after(() => store[Symbol.asyncDispose]());
  const chunker = createChunker({ tokens: 400, overlap: 80 });
  const parts = { sources: [source], store, chunker, now: () => new Date(0) };
  const sync = (options?: SyncOptions, by: Embedder = embedder) =>
    syncOnce({ ...parts, embedder: by }, options);
  const find = async (word: string, by: Embedder = embedder) => {
    const query = await by.embedQuery(word);
    const { candidates } = await store.byVector(by.id, query!, { limit: 1 });
    return (await store.chunks(candidates.map(({ id }) => id))).map((chunk) => chunk.path);
  };
  return { path, source, store, embedder, parts, sync, find };
}

const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.md`, `Note word${index}`]));

suite("a sync with an embedder", () => {
  test("gives every text its vectors, in batches, and does nothing the second time", async (t) => {
    const bench = await setUp(t, numbered(8));
    const seen: SyncProgress[] = [];
    const report = await bench.sync({ progress: (state) => seen.push(state) });
    assert.deepEqual([report.embedded, report.cached, report.degraded], [8, 0, []]);
    assert.deepEqual(
      bench.embedder.calls.map((texts) => texts.length),
      [3, 3, 2],
    );
    assert.deepEqual(
      seen
        .filter(({ label }) => label === "embedding")
        .map(({ completed, total }) => `${completed}/${total}`),
      Array.from({ length: 8 }, (_, index) => `${index + 1}/8`),
    );
    assert.deepEqual(await bench.find("word5"), ["5.md"]);

    const again = await bench.sync();
    assert.deepEqual([again.embedded, again.cached, again.degraded], [0, 0, []]);
    assert.equal(bench.embedder.calls.length, 3);
  });

  test("embeds more texts than one group holds, and says how many there are", async (t) => {
    const bench = await setUp(t, numbered(600), createWordEmbedder("words", { maxBatch: 100 }));
    const totals = new Set<number>();
    const report = await bench.sync({
      progress: ({ label, total }) => label === "embedding" && totals.add(total),
    });
    assert.equal(report.embedded, 600);
    assert.deepEqual([...totals], [600]);
    assert.deepEqual(await bench.find("word599"), ["599.md"]);
  });

  test("embeds nothing again for a note that is moved or copied, or whose text moves in an edit", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta" });
    await bench.sync();
    bench.embedder.calls.length = 0;
    bench.source.texts.delete("a.md");
    bench.source.texts.set("moved/a.md", "Alpha");
    bench.source.texts.set("copy.md", "Beta");
    const report = await bench.sync();
    assert.deepEqual([report.added, report.removed, report.embedded, report.cached], [2, 1, 0, 2]);
    assert.deepEqual(bench.embedder.calls, []);
    assert.deepEqual(await bench.find("Alpha"), ["moved/a.md"]);
    bench.source.texts.set("b.md", "Better");
    assert.equal((await bench.sync()).embedded, 1);
    assert.deepEqual(bench.embedder.calls, [["Better"]]);
  });

  test("asks once for a text with nothing to embed", async (t) => {
    const bench = await setUp(t, { "a.md": "---", "b.md": "Beta" });
    assert.equal((await bench.sync()).embedded, 2);
    assert.equal((await bench.sync()).embedded, 0);
    assert.equal(bench.embedder.calls.length, 1);
  });

  test("keeps the old vectors until the new model's are complete", async (t) => {
    const bench = await setUp(t, numbered(8));
    await bench.sync();
    const newer = createWordEmbedder("newer");
    newer.beforeCall = () => {
      if (newer.calls.length === 2) throw new Error("the service is down");
    };
    const half = await bench.sync({}, newer);
    assert.deepEqual([half.embedded, half.degraded.length], [3, 1]);
    assert.deepEqual(await bench.find("word5"), ["5.md"]);
    const rest = await bench.sync({}, newer);
    assert.deepEqual([rest.embedded, rest.degraded], [5, []]);
    assert.deepEqual(await bench.find("word5", newer), ["5.md"]);
    // Another process may still use the old model.
    assert.deepEqual(await bench.find("word5"), ["5.md"]);
    assert.deepEqual(
      (await bench.store.vectorSets()).map(({ id, missing }) => [id, missing]),
      [
        ["words", 0],
        ["newer", 0],
      ],
    );
  });

  test("garbage-collects other vectors when its own are complete, unless the embedder is a fallback", async (t) => {
    const { store, embedder, parts, sync } = await setUp(t, numbered(2));
    await sync();
    const collected: string[] = [];
    const collectGarbage: typeof store.collectGarbage = async ({ id }) => void collected.push(id);
    const counting = { ...store, collectGarbage };
    await syncVectors({ ...parts, store: counting, embedder, isStandIn: true });
    assert.deepEqual(collected, []);
    await syncVectors({ ...parts, store: counting, embedder, isStandIn: false });
    assert.deepEqual(collected, [embedder.id]);
  });

  test("asks nothing for a text that comes back after it was removed, and counts it as cached", async (t) => {
    const single = createWordEmbedder("single", { vectorsPerText: "one" });
    const { embedDocuments } = single;
    const embedder: WordEmbedder = {
      ...single,
      embedDocuments: async (texts) =>
        (await embedDocuments(texts)).map((vectors) => (isRefused(vectors) ? vectors : vectors.slice(-1))),
    };
    const bench = await setUp(t, numbered(8), embedder);
    assert.equal((await bench.sync()).embedded, 8);
    const texts = [...bench.source.texts];
    bench.source.texts.clear();
    assert.equal((await bench.sync({ force: true })).removed, 8);
    for (const [path, text] of texts) bench.source.texts.set(`again/${path}`, text);
    single.calls.length = 0;
    const report = await bench.sync();
    assert.deepEqual([report.added, report.embedded, report.cached], [8, 0, 8]);
    assert.deepEqual(single.calls, []);
    assert.deepEqual(await bench.find("word5"), ["again/5.md"]);
  });

  test("asks nothing for a text that comes back while others are embedded", async (t) => {
    const embedder = createWordEmbedder("single", { vectorsPerText: "one" });
    const { source, store, sync } = await setUp(t, { "a.md": "pear", "b.md": "plum" }, embedder);
    await sync();
    source.texts.delete("b.md");
    source.texts.set("c.md", "fig");
    embedder.calls.length = 0;
    const { document: back, chunks } = document("d.md", ["plum"]);
    const returning = { document: back, chunks: chunks.map((chunk) => ({ ...chunk, hash: sha256("plum") })) };
    embedder.beforeCall = () => store.put([returning], "cut");
    const { embedded, cached } = await sync();
    assert.deepEqual(embedder.calls, [["fig"]]);
    assert.deepEqual([embedded, cached], [1, 1]);
  });

  test("continues after a whole group of texts that come back while others are embedded", async (t) => {
    const embedder = createWordEmbedder("single", { vectorsPerText: "one", maxBatch: 300 });
    const oneVector: typeof embedder.embedDocuments = async (texts) => {
      embedder.calls.push([...texts]);
      await embedder.beforeCall(texts);
      return texts.map(() => [new Float32Array(32).fill(1)]);
    };
    const known = Array.from({ length: 310 }, (_, index) => `word${index}`);
    const byName = Object.fromEntries(known.map((text) => [`${text}.md`, text]));
    const bench = await setUp(t, byName, { ...embedder, embedDocuments: oneVector });
    await bench.sync();
    bench.source.texts.clear();
    bench.source.texts.set("fig.md", "fig");
    await bench.sync({ force: true });
    bench.source.texts.set("kiwi.md", "kiwi");
    embedder.calls.length = 0;
    const { document: back, chunks } = document("back.md", [...known, "plum"]);
    const returning = {
      document: back,
      chunks: chunks.map((chunk, index) => ({ ...chunk, hash: sha256([...known, "plum"][index]!) })),
    };
    embedder.beforeCall = async () => {
      if (embedder.calls.length === 1) await bench.store.put([returning], "cut");
    };
    const { embedded, cached } = await bench.sync();
    assert.deepEqual(embedder.calls, [["kiwi"], ["plum"]]);
    assert.deepEqual([embedded, cached], [2, 310]);
  });
});

suite("a sync whose embedder reports texts as they are done", () => {
  test("keeps those when the rest fails, and does not ask for them again", async (t) => {
    const embedder = createWordEmbedder("words", { maxBatch: 100 });
    const { embedDocuments } = embedder;
    const failing: WordEmbedder = {
      ...embedder,
      async embedDocuments(texts, options = {}) {
        const [first, second] = await embedDocuments(texts.slice(0, 2));
        options.onEmbedded?.(1, second!);
        options.onEmbedded?.(0, first!);
        throw new Error("the service is down");
      },
    };
    const bench = await setUp(t, numbered(4), failing);
    const report = await bench.sync();
    assert.deepEqual([report.embedded, report.degraded.length], [2, 1]);
    assert.deepEqual(await bench.find("word1"), ["1.md"]);
    embedder.calls.length = 0;
    assert.equal((await bench.sync({}, embedder)).embedded, 2);
    assert.deepEqual(embedder.calls.flat(), ["Note word2", "Note word3"]);
  });

  test("continues after a text that is refused, names it, and asks for it once", async (t) => {
    const embedder = createWordEmbedder();
    const { embedDocuments } = embedder;
    const choosy: WordEmbedder = {
      ...embedder,
      embedDocuments: async (texts) =>
        (await embedDocuments(texts)).map((vectors, index) =>
          texts[index]!.includes("word4") ? { refused: "it is not liked" } : vectors,
        ),
    };
    const bench = await setUp(t, numbered(8), choosy);
    const report = await bench.sync();
    assert.deepEqual([report.embedded, report.cached], [7, 0]);
    assert.match(report.degraded.join(), /one text was refused .* it is not liked/);
    const again = await bench.sync();
    assert.deepEqual([again.embedded, again.degraded], [0, []]);
    assert.equal(embedder.calls.flat().filter((text) => text.includes("word4")).length, 1);
    const refused = await readRefused(bench.store, choosy.id);
    assert.deepEqual(
      refused.map(({ reason }) => reason),
      ["it is not liked"],
    );
  });

  test("keeps what has arrived while it waits for the rest, and counts its cost at once", async (t) => {
    const embedder = createWordEmbedder("words", { maxBatch: 100 });
    const { embedDocuments } = embedder;
    let tokens = 0;
    const slow: Embedder = {
      ...embedder,
      usage: () => ({ requests: 1, tokens, costUsd: null }),
      async embedDocuments(texts, options = {}) {
        const all = await embedDocuments(texts);
        for (const [index, vectors] of all.slice(0, 6).entries()) {
          tokens += 10;
          options.onEmbedded?.(index, vectors);
        }
        for (;;) {
          const { usage, missing } = await bench.store.vectorStatistics(slow.id);
          if (usage.texts === 6) {
            assert.deepEqual([usage.tokens, missing], [60, 2]);
            return all;
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    };
    const bench = await setUp(t, numbered(8), embedder);
    await bench.sync({}, slow);
    const { usage, missing } = await bench.store.vectorStatistics(slow.id);
    assert.deepEqual([usage.texts, usage.tokens, missing], [8, 60, 0]);
  });

  test("stores them in the order of their texts, although threads answer out of order", async (t) => {
    const embedder = createWordEmbedder("words", { maxBatch: 600 });
    const { store, parts } = await setUp(t, numbered(600));
    const stored: string[] = [];
    const sizes: number[] = [];
    const noting: typeof store = {
      ...store,
      putVectors: (by, entries, options) => {
        sizes.push(entries.length);
        stored.push(...entries.map(({ hash }) => hash));
        return store.putVectors(by, entries, options);
      },
    };
    const unordered: Embedder = {
      ...embedder,
      async embedDocuments(texts, options = {}) {
        const all = await embedder.embedDocuments(texts);
        // The first piece arrives after those that were started later.
        const order = [...all.keys()];
        for (const index of [...order.slice(100, 200), ...order.slice(0, 100), ...order.slice(200)])
          options.onEmbedded?.(index, all[index]!);
        return all;
      },
    };
    let expected: string[] = [];
    const { missingVectors } = noting;
    noting.missingVectors = async (...wanted) => {
      const missing = await missingVectors(...wanted);
      if (expected.length === 0) expected = missing.map(({ hash }) => hash);
      return missing;
    };
    await syncOnce({ ...parts, store: noting, embedder: unordered });
    // Half of what was done was stored at once, without waiting for the rest.
    assert.deepEqual(sizes, [256, 344]);
    assert.deepEqual(stored, expected);
  });

  test("leaves the texts of a batch job to it, reports how many wait, and keeps what a job has done", async (t) => {
    const embedder = createWordEmbedder();
    const outcomes: { keeps?: number; pends?: number; holdsRest: boolean }[] = [
      { pends: 2, holdsRest: false },
      { holdsRest: true },
      { keeps: 1, pends: 1, holdsRest: false },
    ];
    const batches: BatchJobs = {
      async run({ missing, keep }) {
        const { keeps = 0, pends = 0, holdsRest } = outcomes.shift()!;
        const texts = await missing(100, {});
        const done = texts.slice(0, keeps).map(async ({ hash, text }) => {
          const [vectors] = await createWordEmbedder().embedDocuments([text]);
          return { hash, text: vectors! };
        });
        await keep(await Promise.all(done));
        return { pending: new Set(texts.slice(keeps, keeps + pends).map(({ hash }) => hash)), holdsRest };
      },
      isOn: () => true,
      isWaiting: () => false,
      trouble: () => ({ failures: 0, limit: 3, last: null }),
      usage: () => ({ requests: 0, tokens: 0, texts: 0, costUsd: 0 }),
    };
    const bench = await setUp(t, numbered(3), embedder);
    const sync = () => bench.sync({}, { ...embedder, batches });

    const begun = await sync();
    assert.equal(begun.embedded, 1);
    assert.match(begun.degraded.join(), /^2 texts wait for a batch job/);
    bench.source.texts.set("new.md", "Another word");
    const held = await sync();
    assert.equal(held.embedded, 0);
    assert.match(held.degraded.join(), /^3 texts wait for a batch job/);
    const collected = await sync();
    assert.match(collected.degraded.join(), /^one text waits for a batch job/);
    assert.equal(embedder.calls.flat().length, 2, "of four texts, one is in the index and one in a job");
    assert.equal(collected.embedded, 2);
  });

  test("reports what is about to be sent, unless it costs nothing", async (t) => {
    const embedder = createWordEmbedder("words", { usdPerMillionTokens: 1000 });
    const told: unknown[] = [];
    embedder.beforeCall = () => told.push("asked");
    const usage = () => ({ requests: 0, tokens: 0, costUsd: 0 });
    const bench = await setUp(t, { "a.md": "Note word", "b.md": "Twelve bytes" });
    const progress = ({ estimate }: SyncProgress) => estimate && told.push(estimate);
    await bench.sync({ progress }, { ...embedder, usage });
    const estimate = { provider: "test", model: "words", texts: 2, tokens: 7, costUsd: 0.007 };
    assert.deepEqual(told, [estimate, "asked"]);
    await bench.sync({ progress }, { ...embedder, usage });
    bench.source.texts.set("c.md", "More");
    await bench.sync({ progress }, embedder);
    assert.deepEqual(told, [estimate, "asked", "asked"]);
  });

  test("adds up what it cost", async (t) => {
    const embedder = createWordEmbedder();
    const usage = () => ({
      requests: embedder.calls.length,
      tokens: 10 * embedder.calls.length,
      costUsd: null,
    });
    const bench = await setUp(t, numbered(8), { ...embedder, usage });
    await bench.sync();
    bench.source.texts.set("new.md", "Note wordnew");
    await bench.sync();
    const { usage: total } = await bench.store.vectorStatistics(embedder.id);
    assert.deepEqual(total, { requests: 4, tokens: 40, texts: 9, costUsd: null });
    bench.source.texts.set("refused.md", "Note wordrefused");
    embedder.beforeCall = () => {
      throw new Error("the service is down");
    };
    await bench.sync();
    const { usage: paid } = await bench.store.vectorStatistics(embedder.id);
    assert.deepEqual(
      paid,
      { requests: 5, tokens: 50, texts: 9, costUsd: null },
      "failed requests count, too",
    );
  });
});

suite("a sync whose embedder fails", () => {
  test("indexes all notes for keywords, keeps what was embedded, says why, and continues the next time", async (t) => {
    const bench = await setUp(t, numbered(8));
    bench.embedder.beforeCall = (texts) => {
      if (texts.some((text) => text.includes("word4"))) {
        throw new LonghandError("model-unusable", "The model is gone.", { hint: "Bring it back." });
      }
    };
    const report = await bench.sync();
    assert.deepEqual([report.added, report.embedded], [8, 3]);
    assert.deepEqual(report.degraded, ["texts could not be embedded: The model is gone."]);
    assert.equal((await bench.store.stats()).chunks, 8);
    assert.notEqual(await bench.store.readFact(lastSyncFact), null);
    bench.embedder.beforeCall = () => {};
    const next = await bench.sync();
    assert.deepEqual([next.embedded, next.degraded], [5, []]);
    assert.deepEqual(bench.embedder.calls.flat().filter((text) => text.includes("word1")).length, 1);
  });

  for (const [what, embedDocuments] of Object.entries({
    "too few lists": async () => [],
    "vectors of the wrong length": async (texts: readonly string[]) =>
      texts.map(() => [Float32Array.of(1), Float32Array.of(1, 2)]),
    "a vector that is not finite": async (texts: readonly string[]) =>
      texts.map(() => [Float32Array.of(Number.NaN)]),
  })) {
    test(`keeps nothing of ${what}`, async (t) => {
      const bench = await setUp(t, numbered(2), createWordEmbedder("words", { embedDocuments }));
      const report = await bench.sync();
      assert.deepEqual([report.added, report.embedded, report.degraded.length], [2, 0, 1]);
      assert.match(report.degraded[0]!, /^texts could not be embedded: /);
      assert.equal((await bench.store.vectorStatistics("words")).texts, 0);
    });
  }

  test("asks for nothing more once the index refuses the vectors", { timeout: hangLimitMs }, async (t) => {
    const cancelled = Promise.withResolvers<void>();
    const embedder = createWordEmbedder("words", {
      maxBatch: 1000,
      async embedDocuments(texts, { signal, onEmbedded } = {}) {
        for (const index of texts.keys()) onEmbedded?.(index, [Float32Array.of(Number.NaN)]);
        signal?.addEventListener("abort", () => cancelled.resolve());
        await cancelled.promise;
        throw new Error("cancelled");
      },
    });
    const { sync } = await setUp(t, numbered(300), embedder);
    const { embedded, degraded } = await sync();
    assert.deepEqual([embedded, degraded.length], [0, 1]);
  });

  test("keeps what it has when it is cancelled, and continues from there", async (t) => {
    const bench = await setUp(t, numbered(8));
    const controller = new AbortController();
    bench.embedder.beforeCall = () => bench.embedder.calls.length === 2 && controller.abort();
    await assert.rejects(bench.sync({ signal: controller.signal }), { code: "aborted" });
    assert.equal((await bench.store.vectorStatistics("words")).texts, 6);
    assert.notEqual(await bench.store.readFact(lastSyncFact), null, "the keyword index is complete");
    bench.embedder.beforeCall = () => {};
    assert.equal((await bench.sync()).embedded, 2);
  });

  test("stops when another process forgets what was embedded", async (t) => {
    const bench = await setUp(t, numbered(600));
    bench.embedder.beforeCall = () => {
      if (bench.embedder.calls.length !== 100) return;
      const db = new DatabaseSync(bench.path);
      db.exec("DELETE FROM vector_rows WHERE place & 0xffffffffff <= 3; UPDATE embedders SET done_key = 0");
      db.close();
    };
    const report = await bench.sync();
    assert.equal(report.degraded.length, 1);
    assert.match(report.degraded[0]!, /lost vectors/);
  });
});

test("leaves the work to another process that embeds, or else does it under the lock, with progress", async (t) => {
  const { store, embedder, parts, sync, source } = await setUp(t, { "a.md": "fig", "b.md": "kiwi" });
  const path = makeTemporaryFolder(t).at("vectors.lock");
  const theirs = createWorkLock(path);
  const locks = { documents: createWorkLock(`${path}.documents`), vectors: createWorkLock(path) };
  await syncWords(parts);
  const held = theirs.tryAcquire("embedding")!;
  const run = (options: SyncOptions = {}) =>
    syncVectors({ store, embedder, now: parts.now, locks }, { whenBusy: "leave", ...options });
  const { durationMs, ...left } = await run();
  assert.deepEqual(left, { embedded: 0, reused: 0, problem: null, waiting: 0, refused: [] });
  assert.ok(durationMs < performance.now());
  assert.deepEqual(embedder.calls, []);
  held[Symbol.dispose]();

  const seen: SyncProgress[] = [];
  let doing: string | undefined;
  embedder.beforeCall = () => {
    doing = theirs.holder()?.doing;
  };
  const beganMs = performance.now();
  const report = await run({ progress: (state) => void seen.push(state) });
  assert.equal(report.embedded, 2);
  assert.ok(report.durationMs <= Math.ceil(performance.now() - beganMs));
  assert.equal(doing, "embedding");
  assert.deepEqual(seen.at(-1), { completed: 2, total: 2, label: "embedding" });
  using free = theirs.tryAcquire("theirs");
  assert.notEqual(free, null, "the lock is free again");
  // Nothing is missing, so there is no reason to wait.
  assert.equal((await run({ whenBusy: "wait" })).embedded, 0);
  source.texts.set("c.md", "plum");
  assert.equal((await sync()).embedded, 1);
});
