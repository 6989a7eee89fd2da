import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { skipDeletingOpenFiles } from "../../test/support/platform.ts";
import { searchSettings } from "../../test/support/search-fixture.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource, type TextSource } from "../../test/support/text-source.ts";
import { createSearcher } from "../search/searcher.ts";
import { openSqliteStore } from "../stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../stores/store.ts";
import { createChunker } from "../text/chunk.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { type BuiltinEngineOptions, createBuiltinEngine } from "./builtin.ts";
import type { Engine } from "./engine.ts";

interface Fixture {
  readonly dbPath: string;
  readonly engine: Engine;
  readonly source: TextSource;
  readonly store: FullStore;
  /** The engine's current time; tests advance it. */
  readonly clock: { now: Date };
}

async function openFixture(
  t: TestContext,
  texts: Record<string, string> = { "memory/a.md": "The quokka sleeps." },
  { beforeAnswer, ...options }: Partial<BuiltinEngineOptions> & { beforeAnswer?: () => Promise<void> } = {},
): Promise<Fixture> {
  const folder = makeTemporaryFolder(t);
  const analyzer = createAnalyzer();
  const dbPath = folder.at("index.sqlite");
  const store = await openSqliteStore({
    path: dbPath,
    analyzerId: analyzer.id,
    tokens: ({ text }) => ({ body: analyzer.indexText(text), head: "" }),
  });
  const source = createTextSource(texts);
  const clock = { now: new Date("2026-11-15T12:00:00Z") };
  const searcher = createSearcher({
    store,
    analyzer,
    settings: searchSettings,
    today: () => "2026-11-15",
  });
  const engine = createBuiltinEngine({
    store,
    dbPath,
    sources: [source],
    chunker: createChunker({ tokens: 400, overlap: 80 }),
    searcher: {
      ...searcher,
      search: async (...question) => {
        await beforeAnswer?.();
        return await searcher.search(...question);
      },
    },
    syncOnSearch: true,
    searchWaitMs: 20_000,
    now: () => clock.now,
    ...options,
  });
  t.after(() => engine[Symbol.asyncDispose]());
  return { dbPath, engine, source, store, clock };
}

/** Blocks every listing of the source until it is opened. */
function holdListings(source: TextSource): { readonly reached: Promise<void>; open(): void } {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  source.onListed = () => {
    reached.resolve();
    return gate.promise;
  };
  return { reached: reached.promise, open: gate.resolve };
}

const pathsFor = async (engine: Engine, query: string) =>
  (await engine.search(query)).results.map(({ path }) => path);

suite("Freshness", () => {
  test("a search sees the state of the source when it started", async (t) => {
    const { engine, source } = await openFixture(t);
    assert.deepEqual(await pathsFor(engine, "quokka"), ["memory/a.md"]);
    source.texts.set("memory/b.md", "The wallaby hops.");
    assert.deepEqual(await pathsFor(engine, "wallaby"), ["memory/b.md"]);
    source.texts.set("memory/b.md", "Nothing.");
    assert.deepEqual(await pathsFor(engine, "wallaby"), []);
    source.texts.delete("memory/a.md");
    const answer = await engine.search("quokka");
    assert.deepEqual([answer.results, answer.stale, answer.degraded], [[], false, []]);
  });

  test("a search that cannot wait answers from the current index, and says that it is stale", async (t) => {
    const { engine, source } = await openFixture(t, undefined, { searchWaitMs: 1 });
    await engine.sync();
    source.texts.set("memory/b.md", "The wallaby hops with the quokka.");
    const gate = holdListings(source);
    const answer = await engine.search("quokka");
    assert.equal(answer.stale, true);
    assert.deepEqual(answer.degraded, []);
    assert.deepEqual(
      answer.results.map(({ path }) => path),
      ["memory/a.md"],
    );
    gate.open();
    await engine.sync();
    assert.deepEqual(await pathsFor(engine, "wallaby"), ["memory/b.md"]);
  });

  test("a check that ends during the search and finds no change leaves the answer fresh", async (t) => {
    const during: { search?: () => Promise<void> } = {};
    const { engine, source } = await openFixture(t, undefined, {
      searchWaitMs: 1,
      beforeAnswer: async () => await during.search?.(),
    });
    await engine.sync();
    const gate = holdListings(source);
    during.search = async () => {
      gate.open();
      await engine.sync();
    };
    const { results, stale } = await engine.search("quokka");
    assert.deepEqual([results.length, stale], [1, false]);
  });

  test("the first search of all waits for the index to be built, however little it may wait otherwise", async (t) => {
    const { engine, source } = await openFixture(t, undefined, { searchWaitMs: 0 });
    const gate = holdListings(source);
    const asked = engine.search("quokka");
    await gate.reached;
    // Longer than a search may otherwise wait.
    await setTimeout(10);
    gate.open();
    const answer = await asked;
    assert.deepEqual([answer.results.length, answer.stale], [1, false]);
  });

  test("a source that cannot be listed degrades the answer, which gives the reason", async (t) => {
    const { engine, source } = await openFixture(t);
    await engine.sync();
    source.onListed = () => {
      throw new Error("the disk is on fire");
    };
    const answer = await engine.search("quokka");
    assert.equal(answer.results.length, 1);
    assert.equal(answer.stale, true);
    assert.match(answer.degraded.join(), /notes could not be checked: the disk is on fire/);
  });

  test("without sync on search the current index is searched, and the source is not listed", async (t) => {
    const { engine, source } = await openFixture(t, undefined, { syncOnSearch: false });
    await engine.sync();
    source.texts.set("memory/b.md", "The wallaby hops.");
    let listings = 0;
    source.onListed = () => {
      listings++;
    };
    const answer = await engine.search("wallaby");
    assert.deepEqual([answer.results, answer.stale, listings], [[], false, 0]);
  });

  test("concurrent searches share a sync, and cause no process warning", async (t) => {
    const { engine, source } = await openFixture(t);
    await engine.sync();
    let listings = 0;
    source.onListed = () => {
      listings++;
    };
    const warned: unknown[] = [];
    const onWarning = (warning: unknown): unknown => warned.push(warning);
    process.on("warning", onWarning);
    t.after(() => process.off("warning", onWarning));
    const { signal } = new AbortController();
    const answers = await Promise.all(Array.from({ length: 40 }, () => engine.search("quokka", { signal })));
    assert.ok(answers.every(({ results, stale }) => results.length === 1 && !stale));
    assert.ok(listings <= 2, `${listings} passes`);
    await setImmediate();
    assert.deepEqual(warned, []);
  });
});

suite("Documents that vanish all at once", () => {
  const many = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`memory/n${i}.md`, `quokka number ${i}`]),
  );

  test("are hidden, but stay in the index until the removal is confirmed", async (t) => {
    const { engine, source, store, clock } = await openFixture(t, many);
    assert.equal((await engine.search("quokka")).results.length, 6);
    for (let i = 0; i < 5; i++) source.texts.delete(`memory/n${i}.md`);
    const answer = await engine.search("quokka");
    assert.deepEqual(
      answer.results.map(({ path }) => path),
      ["memory/n5.md"],
    );
    assert.equal(answer.stale, true);
    assert.equal((await store.stats()).files, 6);
    clock.now = new Date(clock.now.getTime() + 5000);
    const later = await engine.search("quokka");
    assert.deepEqual([later.results.length, later.stale], [1, false]);
    assert.equal((await store.stats()).files, 1);
  });

  test("are back as soon as their folder is", async (t) => {
    const { engine, source } = await openFixture(t, many);
    await engine.sync();
    const texts = [...source.texts];
    source.texts.clear();
    assert.deepEqual((await engine.search("quokka")).results, []);
    for (const [path, text] of texts) source.texts.set(path, text);
    const answer = await engine.search("quokka");
    assert.deepEqual([answer.results.length, answer.stale], [6, false]);
  });
});

suite("An index that is deleted", { skip: skipDeletingOpenFiles }, () => {
  const texts = { "memory/a.md": "The quokka sleeps.", "memory/b.md": "The wallaby hops." };

  test("during a sync is filled by the same sync", async (t) => {
    const { engine, source, store, dbPath } = await openFixture(t, texts);
    await engine.sync();
    source.texts.set("memory/c.md", "The koala climbs.");
    source.onListed = () => {
      source.onListed = () => {};
      rmSync(dbPath);
    };
    await engine.sync();
    assert.equal((await store.stats()).files, 3);
  });

  test("between the sync and the query is filled, and searched again", async (t) => {
    const fixture = await openFixture(t, texts);
    const { store, dbPath, source } = fixture;
    let questions = 0;
    const { search } = createSearcher({
      store,
      analyzer: createAnalyzer(),
      settings: searchSettings,
      today: () => "2026-11-15",
    });
    const engine = createBuiltinEngine({
      store,
      dbPath,
      sources: [source],
      chunker: createChunker({ tokens: 400, overlap: 80 }),
      searcher: {
        search(query, options) {
          if (questions++ === 1) rmSync(dbPath);
          return search(query, options);
        },
      },
      syncOnSearch: true,
      searchWaitMs: 20_000,
      now: () => new Date("2026-11-15T12:00:00Z"),
    });
    await engine.search("quokka");
    const answer = await engine.search("quokka");
    assert.deepEqual([answer.results.length, answer.stale, questions], [1, false, 3]);
  });

  test("repeatedly makes answers that say that they are stale", async (t) => {
    const { engine, source, dbPath } = await openFixture(t, texts);
    await engine.sync();
    source.onRead = () => rmSync(dbPath, { force: true });
    const answer = await engine.search("quokka");
    assert.ok(answer.results.length === 1 || answer.stale);
    source.onRead = () => {};
    const calm = await engine.search("quokka");
    assert.deepEqual([calm.results.length, calm.stale], [1, false]);
  });
});

suite("Cancelling and closing", () => {
  test("a search that was cancelled before it began does nothing", async (t) => {
    const { engine, source } = await openFixture(t);
    let listings = 0;
    source.onListed = () => {
      listings++;
    };
    await assert.rejects(engine.search("quokka", { signal: AbortSignal.abort() }), { code: "aborted" });
    await engine[Symbol.asyncDispose]();
    assert.equal(listings, 0);
  });

  test("a search that is cancelled while it waits for the index ends at once", async (t) => {
    const { engine, source } = await openFixture(t);
    const gate = holdListings(source);
    const controller = new AbortController();
    const asked = engine.search("quokka", { signal: controller.signal });
    await gate.reached;
    controller.abort();
    await assert.rejects(asked, { code: "aborted" });
    gate.open();
    assert.equal((await engine.search("quokka")).results.length, 1, "the pass went on for the others");
  });

  test("a cancelled sync reports that, and keeps what it has indexed", async (t) => {
    const { engine, source } = await openFixture(t, { "memory/a.md": "quokka", "memory/b.md": "wallaby" });
    const controller = new AbortController();
    source.onRead = (path) => {
      if (path === "memory/b.md") controller.abort();
    };
    await assert.rejects(engine.sync({ signal: controller.signal }), { code: "aborted" });
    source.onRead = () => {};
    assert.deepEqual(await pathsFor(engine, "wallaby"), ["memory/b.md"]);
  });

  test("closing during a sync cancels it, and waits until nothing runs", async (t) => {
    const { engine, source } = await openFixture(t);
    const gate = holdListings(source);
    const running = engine.sync();
    await gate.reached;
    const closed = engine[Symbol.asyncDispose]();
    await assert.rejects(running, { code: "aborted" });
    gate.open();
    await closed;
    await engine[Symbol.asyncDispose]();
    await assert.rejects(engine.sync(), { code: "aborted" });
    await assert.rejects(engine.search("quokka"), { name: "LonghandError" });
  });

  test("closing while a search waits ends it, with an answer or with a reason", async (t) => {
    const { engine, source } = await openFixture(t);
    const gate = holdListings(source);
    const asked = engine.search("quokka").then(
      () => "answered",
      (error: { name: string }) => error.name,
    );
    await gate.reached;
    const closed = engine[Symbol.asyncDispose]();
    gate.open();
    await closed;
    assert.match(await asked, /^(?:answered|LonghandError)$/);
  });

  test("an abort after the answer changes nothing", async (t) => {
    const { engine } = await openFixture(t);
    const controller = new AbortController();
    const aborted = once(controller.signal, "abort");
    const answer = await engine.search("quokka", { signal: controller.signal });
    controller.abort();
    await aborted;
    assert.equal(answer.results.length, 1);
    assert.equal((await engine.search("quokka")).results.length, 1);
  });
});

suite("Status", () => {
  test("reports the index, the files on disk, and the changes since", async (t) => {
    const { engine, source } = await openFixture(t);
    const before = await engine.status();
    assert.deepEqual(
      [before.statistics.files, before.onDisk.files, before.onDisk.changed, before.lastSync],
      [0, 1, 1, undefined],
    );
    await engine.sync({ reason: "cli" });
    const after = await engine.status();
    assert.deepEqual([after.statistics.files, after.onDisk.changed], [1, 0]);
    assert.deepEqual(after.lastSync, { at: "2026-11-15T12:00:00.000Z", reason: "cli", failed: 0 });
    assert.equal(after.keyword.available, true);
    source.texts.set("memory/a.md", "changed");
    source.texts.set("memory/b.md", "new");
    source.skipped = [{ path: "memory/c.md", reason: "symlink" }];
    const { onDisk } = await engine.status();
    assert.deepEqual([onDisk.files, onDisk.changed], [2, 2]);
    assert.deepEqual(onDisk.skipped, source.skipped);
  });

  test("does not report a note as changed if its content is indexed", async (t) => {
    const { engine, source } = await openFixture(t);
    await engine.sync();
    source.stamp++;
    assert.equal((await engine.status()).onDisk.changed, 0);
    source.failures.set("memory/a.md", new Error("no rights"));
    const { onDisk } = await engine.status();
    assert.equal(onDisk.changed, 0, "indexing again would not help");
    assert.deepEqual(onDisk.skipped, [{ path: "memory/a.md", reason: "unreadable", detail: "no rights" }]);
  });

  test("reports no change right after a folder of many new notes was indexed", async (t) => {
    const paths = Array.from({ length: 3000 }, (_, number) => `memory/${number}.md`);
    const { engine, source } = await openFixture(t, Object.fromEntries(paths.map((path) => [path, path])));
    await engine.sync();
    source.stamp++;
    assert.equal((await engine.status()).onDisk.changed, 0);
  });
});
