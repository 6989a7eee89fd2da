import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource, type TextSource } from "../../test/support/text-source.ts";
import { LonghandError } from "../errors.ts";
import { openSqliteStore } from "../stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../stores/store.ts";
import { createChunker } from "../text/chunk.ts";
import { monotonicMs } from "../timing.ts";
import { createSyncLoop } from "./loop.ts";
import {
  isEventful,
  lastSyncFact,
  type SyncOptions,
  type SyncParts,
  type SyncReport,
  syncOnce,
} from "./sync.ts";
import { readSyncHistory } from "./sync-records.ts";

interface Bench extends SyncParts {
  readonly source: TextSource;
  readonly store: FullStore;
  /** Seconds since the start of the test. */
  seconds: number;
  sync(options?: SyncOptions): Promise<SyncReport>;
}

async function openStore(t: TestContext): Promise<FullStore> {
  const store = await openSqliteStore({
    path: makeTemporaryFolder(t).at("index.sqlite"),
    analyzerId: "words",
    tokens: ({ text }) => ({ body: text.toLowerCase().replaceAll(/[^\w]+/g, " "), head: "" }),
  });
  t.after(() => store[Symbol.asyncDispose]());
  return store;
}

async function setUp(t: TestContext, texts: Record<string, string>): Promise<Bench> {
  const source = createTextSource(texts);
  const store = await openStore(t);
  const bench: Bench = {
    source,
    sources: [source],
    store,
    chunker: createChunker({ tokens: 400, overlap: 80 }),
    seconds: 0,
    now: () => new Date(Date.UTC(2026, 0, 1) + bench.seconds * 1000),
    sync: (options) => syncOnce(bench, options),
  };
  return bench;
}

/** Everything that a search can see of the index. */
async function contentsOf(store: FullStore): Promise<Record<string, string[]>> {
  const paths = [...(await store.versions("memory")).keys()].sort();
  const contents: Record<string, string[]> = {};
  for (const path of paths) {
    contents[path] = (await store.chunksOf("memory", path)).map(
      ({ lines, text }) => `${lines.start}-${lines.end} ${text}`,
    );
  }
  return contents;
}

const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`memory/${index}.md`, `Note number ${index}.`]),
  );
const refuse = (code: "note-binary" | "note-too-large" | "note-unreadable"): LonghandError =>
  new LonghandError(code, `That is ${code}.`, { hint: "Repair it." });

suite("syncOnce", () => {
  test("indexes what is new and does nothing the second time", async (t) => {
    const bench = await setUp(t, { "a.md": "# A\n\nAlpha", "b.md": "Beta", "empty.md": "" });
    const first = await bench.sync();
    assert.deepEqual([first.added, first.chunks], [3, 2]);
    assert.deepEqual([first.embedded, first.cached], [0, 0], "without an embedder");
    assert.deepEqual(await contentsOf(bench.store), {
      "a.md": ["1-3 # A\n\nAlpha"],
      "b.md": ["1-1 Beta"],
      "empty.md": [],
    });

    bench.source.reads.length = 0;
    const second = await bench.sync();
    assert.deepEqual([second.added, second.updated, second.removed, second.unchanged], [0, 0, 0, 3]);
    assert.deepEqual(bench.source.reads, []);
  });

  test("applies a change, an addition and a removal in one pass", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta", "c.md": "Gamma" });
    await bench.sync();
    bench.source.texts.set("b.md", "Better");
    bench.source.texts.set("d.md", "Delta");
    bench.source.texts.delete("c.md");
    const report = await bench.sync();
    assert.deepEqual([report.added, report.updated, report.removed, report.unchanged], [1, 1, 1, 1]);
    assert.deepEqual(await contentsOf(bench.store), {
      "a.md": ["1-1 Alpha"],
      "b.md": ["1-1 Better"],
      "d.md": ["1-1 Delta"],
    });
  });

  test("records only the new version of a document whose content is unchanged", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha" });
    await bench.sync();
    bench.source.stamp++;
    const report = await bench.sync();
    assert.deepEqual([report.updated, report.unchanged, report.chunks], [0, 1, 0]);
    assert.equal(bench.source.reads.length, 2);
    await bench.sync();
    assert.equal(bench.source.reads.length, 2, "the new version is known now");
  });

  test("splits everything again with another chunker, and when it is forced", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta" });
    await bench.sync();
    assert.equal((await bench.sync({ force: true })).updated, 2);
    const other = { ...bench, chunker: createChunker({ tokens: 200, overlap: 0 }) };
    assert.equal((await syncOnce(other)).updated, 2);
    assert.equal((await syncOnce(other)).unchanged, 2);
  });

  test("writes more documents than fit into one group", async (t) => {
    const bench = await setUp(t, numbered(150));
    assert.equal((await bench.sync()).added, 150);
    assert.equal((await bench.store.versions("memory")).size, 150);
  });

  test("reports its progress document by document", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta" });
    const seen: string[] = [];
    await bench.sync({
      progress: ({ completed, total, label }) => seen.push(`${completed}/${total} ${label}`),
    });
    assert.deepEqual(seen, ["1/2 a.md", "2/2 b.md"]);
  });

  test("remembers when and why it ran, but not that a search found nothing new", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha" });
    bench.source.failures.set("a.md", refuse("note-binary"));
    await bench.sync({ reason: "cli" });
    const first = await bench.store.readFact(lastSyncFact);
    assert.deepEqual(JSON.parse(first!), { at: "2026-01-01T00:00:00.000Z", reason: "cli", failed: 1 });
    bench.seconds = 5;
    await bench.sync({ reason: "search" });
    assert.equal(await bench.store.readFact(lastSyncFact), first);
    const [record, ...others] = await readSyncHistory(bench.store);
    assert.deepEqual([record?.reason, record?.failed, others], ["cli", 1, []]);
    bench.source.texts.set("b.md", "Beta");
    await bench.sync({ reason: "search" });
    assert.equal(JSON.parse((await bench.store.readFact(lastSyncFact))!).reason, "search");
  });
});

suite("a sync that meets a bad document", () => {
  test("tries it once where the system cannot read it: an attempt may take minutes", async (t) => {
    const bench = await setUp(t, { "a.md": "First.", "b.md": "Second." });
    const cause = Object.assign(new Error("ETIMEDOUT: read"), { code: "ETIMEDOUT" });
    const timedOut = new LonghandError("note-unreadable", "a.md cannot be read: ETIMEDOUT.", {
      hint: "Try again.",
      retryable: true,
      cause,
    });
    bench.source.failures.set("a.md", timedOut);
    const report = await bench.sync();
    assert.deepEqual([report.added, report.failed.map(({ path }) => path)], [1, ["a.md"]]);
    assert.deepEqual(bench.source.reads, ["a.md", "b.md"]);
    bench.source.failures.clear();
    assert.equal((await bench.sync()).added, 1, "the next pass reads it");
  });

  test("reads a slow one after all others are in the index", async (t) => {
    const bench = await setUp(t, { "a.md": "First.", "b.md": "Second.", "c.md": "Third." });
    bench.source.slow.add("a.md");
    let indexed: string[] = [];
    bench.source.onRead = async (path) => {
      if (path === "a.md") indexed = Object.keys(await contentsOf(bench.store));
    };
    assert.equal((await bench.sync()).added, 3);
    assert.deepEqual(bench.source.reads, ["b.md", "c.md", "a.md"]);
    assert.deepEqual(indexed, ["b.md", "c.md"]);
  });

  test("reports it and continues", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta", "c.md": "Gamma", "d.md": "Delta" });
    bench.source.failures.set("a.md", refuse("note-unreadable"));
    bench.source.failures.set("b.md", Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }));
    bench.source.failures.set("c.md", new TypeError("a fault"));
    const report = await bench.sync();
    assert.equal(report.added, 1);
    assert.deepEqual(report.failed, [
      { path: "a.md", code: "note-unreadable", message: "That is note-unreadable." },
      { path: "b.md", code: "note-unreadable", message: "b.md cannot be read: EIO." },
      { path: "c.md", code: "internal", message: "c.md cannot be indexed: a fault" },
    ]);
    assert.deepEqual(Object.keys(await contentsOf(bench.store)), ["d.md"]);

    bench.source.failures.clear();
    assert.equal((await bench.sync()).added, 3);
  });

  test("keeps its indexed content, unless it can never be indexed", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta", "c.md": "Gamma", "d.md": "Delta" });
    await bench.sync();
    bench.source.stamp++;
    bench.source.failures.set("a.md", refuse("note-unreadable"));
    bench.source.failures.set("b.md", refuse("note-binary"));
    bench.source.failures.set("c.md", refuse("note-too-large"));
    const report = await bench.sync();
    assert.equal(report.failed.length, 3);
    assert.equal(report.removed, 2);
    assert.deepEqual(Object.keys(await contentsOf(bench.store)), ["a.md", "d.md"]);
  });

  test("keeps and reports an indexed one that the scan could not inspect", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta", "c.md": "Gamma" });
    await bench.sync();
    bench.source.skipped = [
      { path: "a.md", reason: "unreadable", detail: "permission denied" },
      { path: "b.md", reason: "too-large" },
      { path: "c.md.bak", reason: "excluded" },
      { path: "new.md", reason: "unreadable" },
    ];
    const report = await bench.sync();
    assert.deepEqual(
      report.skipped.map(({ path }) => path),
      ["b.md", "new.md", "c.md.bak"],
      "the failed one is named once, and what was excluded comes last",
    );
    assert.equal(report.skippedCount, 3);
    assert.deepEqual(report.failed, [
      { path: "a.md", code: "note-unreadable", message: "a.md cannot be read: permission denied." },
    ]);
    assert.deepEqual(Object.keys(await contentsOf(bench.store)), ["a.md", "c.md"]);
  });

  test("removes one that has disappeared since it was listed", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta" });
    await bench.sync();
    bench.source.stamp++;
    bench.source.texts.set("c.md", "Gamma");
    bench.source.onListed = () => {
      bench.source.texts.delete("a.md");
      bench.source.texts.delete("c.md");
    };
    const report = await bench.sync();
    assert.deepEqual([report.added, report.removed, report.failed.length], [0, 1, 0]);
    assert.deepEqual(Object.keys(await contentsOf(bench.store)), ["b.md"]);
  });
});

suite("a sync that misses documents", () => {
  test("removes none of them while their folder cannot be read", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta" });
    await bench.sync();
    bench.source.texts.delete("a.md");
    bench.source.skipped = [{ path: "", reason: "unreadable" }];
    assert.equal((await bench.sync()).removed, 0);
    bench.source.skipped = [];
    assert.equal((await bench.sync()).removed, 1);
  });

  test("keeps them when most vanished at once, until a later pass agrees", async (t) => {
    const bench = await setUp(t, numbered(6));
    await bench.sync();
    const before = await contentsOf(bench.store);
    bench.source.texts.clear();
    const first = await bench.sync();
    assert.equal(first.pendingRemovals.length, 6);
    assert.equal((await bench.sync()).pendingRemovals.length, 6, "too soon to agree");
    assert.deepEqual(await contentsOf(bench.store), before);
    bench.seconds = 2;
    const later = await bench.sync();
    assert.deepEqual([later.removed, later.pendingRemovals.length], [6, 0]);
    assert.deepEqual(await contentsOf(bench.store), {});
  });

  test("forgets an earlier sighting when they came back", async (t) => {
    const bench = await setUp(t, numbered(6));
    await bench.sync();
    bench.source.texts.clear();
    await bench.sync();
    for (const [path, text] of Object.entries(numbered(6))) bench.source.texts.set(path, text);
    bench.seconds = 60;
    assert.equal((await bench.sync()).unchanged, 6);
    bench.source.texts.clear();
    assert.equal((await bench.sync()).pendingRemovals.length, 6);
  });

  test("removes them at once when it is forced", async (t) => {
    const bench = await setUp(t, numbered(6));
    await bench.sync();
    bench.source.texts.clear();
    assert.equal((await bench.sync({ force: true })).removed, 6);
  });

  test("keeps them when the folder goes away while they are read", async (t) => {
    const bench = await setUp(t, numbered(6));
    await bench.sync();
    bench.source.stamp++;
    bench.source.onListed = () => bench.source.texts.clear();
    const report = await bench.sync();
    assert.deepEqual([report.removed, report.pendingRemovals.length], [0, 6]);
  });

  test("follows a folder that was renamed", async (t) => {
    const bench = await setUp(t, numbered(6));
    await bench.sync();
    bench.source.texts.clear();
    for (const [path, text] of Object.entries(numbered(6))) bench.source.texts.set(`archive/${path}`, text);
    const report = await bench.sync();
    assert.deepEqual([report.added, report.removed, report.pendingRemovals.length], [6, 6, 0]);
  });

  test("leaves one alone that another process added meanwhile", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha" });
    await bench.sync();
    bench.source.onListed = async () => {
      bench.source.onListed = () => {};
      bench.source.texts.set("b.md", "Beta");
      await bench.sync();
    };
    assert.equal((await bench.sync()).removed, 0);
    assert.deepEqual(Object.keys(await contentsOf(bench.store)), ["a.md", "b.md"]);
  });
});

suite("a sync that is cancelled", () => {
  test("leaves whole documents, and the next one finishes the work", async (t) => {
    const bench = await setUp(t, numbered(600));
    const controller = new AbortController();
    const cancelled = bench.sync({
      signal: controller.signal,
      progress: ({ completed }) => completed === 400 && controller.abort(),
    });
    await assert.rejects(cancelled, { code: "aborted" });
    const half = await contentsOf(bench.store);
    const stored = Object.keys(half).length;
    assert.ok(stored > 0 && stored < 600, `${stored} stored`);
    for (const [path, chunks] of Object.entries(half)) {
      assert.deepEqual(chunks, [`1-1 ${bench.source.texts.get(path)}`]);
    }
    assert.equal(await bench.store.readFact(lastSyncFact), null);

    assert.equal((await bench.sync()).added, 600 - stored);
    const fresh = { ...bench, store: await openStore(t) };
    await syncOnce(fresh);
    assert.deepEqual(await contentsOf(bench.store), await contentsOf(fresh.store));
  });

  test("records which documents proved unchanged, so that a series of short passes ends", async (t) => {
    const bench = await setUp(t, numbered(30));
    await bench.sync();
    bench.source.stamp++;
    for (const already of [0, 10, 20]) {
      const controller = new AbortController();
      const cancelled = bench.sync({
        signal: controller.signal,
        progress: ({ completed }) => completed === 10 && controller.abort(),
      });
      if (already < 20) await assert.rejects(cancelled, { code: "aborted" });
      else await cancelled.catch(() => {});
    }
    bench.source.reads.length = 0;
    await bench.sync();
    assert.deepEqual(bench.source.reads, []);
  });

  test("blames no document for it, not even one that is read again", async (t) => {
    const bench = await setUp(t, { "a.md": "Alpha" });
    const controller = new AbortController();
    const { failures, reads } = bench.source;
    const passing = { hint: "Try again.", retryable: true };
    failures.set("a.md", new LonghandError("note-unreadable", "It is being written.", passing));
    bench.source.onRead = () => {
      if (reads.length < 2) return;
      controller.abort();
      failures.set("a.md", controller.signal.reason);
    };
    await assert.rejects(bench.sync({ signal: controller.signal }), { code: "aborted" });
    assert.equal(reads.length, 2);
    assert.equal(await bench.store.readFact(lastSyncFact), null);
  });

  test("does nothing when it was cancelled before", async (t) => {
    const bench = await setUp(t, numbered(3));
    await assert.rejects(bench.sync({ signal: AbortSignal.abort() }), { code: "aborted" });
    assert.equal(bench.source.reads.length, 0);
  });
});

test("a change made while a pass runs is in the answer to a request made after it", async (t) => {
  const bench = await setUp(t, { "a.md": "Alpha", "b.md": "Beta" });
  const loop = createSyncLoop(bench.sync);
  let second: Promise<SyncReport> | undefined;
  bench.source.onRead = (path) => {
    if (path !== "b.md" || second) return;
    // This pass has read a.md already.
    bench.source.texts.set("a.md", "Alpha, changed");
    bench.source.texts.set("c.md", "Gamma");
    second = loop.request();
  };
  assert.equal((await loop.request()).added, 2);
  const report = await second!;
  assert.deepEqual([report.added, report.updated], [1, 1]);
  assert.deepEqual(await contentsOf(bench.store), {
    "a.md": ["1-1 Alpha, changed"],
    "b.md": ["1-1 Beta"],
    "c.md": ["1-1 Gamma"],
  });
  await loop.close();
});

test("a routine sync that finds nothing is not recorded, every other one is", async (t) => {
  const bench = await setUp(t, { "a.md": "Alpha" });
  const isRecorded = async (reason?: string): Promise<boolean> => {
    bench.seconds++;
    await bench.sync(reason === undefined ? {} : { reason });
    const last = JSON.parse((await bench.store.readFact(lastSyncFact)) ?? "{}");
    return last.at === bench.now().toISOString();
  };
  assert.equal(await isRecorded("search"), true, "it found a note");
  for (const reason of ["search", "watch", "search, watch"]) assert.equal(await isRecorded(reason), false);
  for (const reason of [undefined, "cli", "search, cli", "cli, watch"])
    assert.equal(await isRecorded(reason), true, reason);
});

test("a sync says how long it took", async (t) => {
  const bench = await setUp(t, { "a.md": "Alpha" });
  const beganMs = monotonicMs();
  const report = await bench.sync();
  const elapsedMs = monotonicMs() - beganMs;
  assert.ok(report.durationMs <= Math.ceil(elapsedMs), `${report.durationMs} of ${elapsedMs} ms`);
  const [record] = await readSyncHistory(bench.store);
  assert.ok(record!.durationMs <= Math.ceil(elapsedMs));
});

test("a sync is eventful if it changed or reports anything", async (t) => {
  const quiet = await (await setUp(t, {})).sync();
  assert.equal(isEventful(quiet), false);
  assert.equal(isEventful({ ...quiet, unchanged: 5, cached: 2, left: 1 }), false);
  const failure = { path: "a.md", code: "note-binary", message: "No." } as const;
  const events: Partial<SyncReport>[] = [
    ...[{ added: 1 }, { updated: 1 }, { removed: 1 }, { embedded: 1 }],
    ...[{ failed: [failure] }, { pendingRemovals: ["a.md"] }],
  ];
  for (const event of events) assert.equal(isEventful({ ...quiet, ...event }), true, JSON.stringify(event));
});
