import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import { LonghandError } from "../errors.ts";
import { openSqliteStore } from "../stores/sqlite/sqlite-store.ts";
import { createWorkLock } from "../stores/work-lock-file.ts";
import { createChunker } from "../text/chunk.ts";
import type { WorkerPool } from "./prepare-ahead.ts";
import { syncWords } from "./sync.ts";

const textsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`memory/n${index}.md`, `Note ${index}.`]));

async function openFixture(t: TestContext, count: number) {
  const folder = makeTemporaryFolder(t);
  const dbPath = folder.at("index.sqlite");
  const store = await openSqliteStore({
    path: dbPath,
    analyzerId: "test",
    tokens: ({ text }) => ({ body: text, head: "" }),
    writeWaitMs: 50,
  });
  t.after(() => store[Symbol.asyncDispose]());
  // Creates the tables.
  await store.versions("memory");
  const source = createTextSource(textsOf(count));
  const lockPath = folder.at("documents.lock");
  const later = () => Date.now() + 40_000;
  return {
    dbPath,
    source,
    /** The store as another process opens it. */
    theirs: createWorkLock(lockPath),
    partsAt: (now: () => number = Date.now) => ({
      sources: [source],
      store,
      chunker: createChunker({ tokens: 400, overlap: 80 }),
      now: () => new Date(),
      locks: {
        documents: createWorkLock(lockPath, { now }),
        vectors: createWorkLock(folder.at("vectors.lock"), { now }),
      },
    }),
    later,
  };
}

test("a large backlog that another process works on is left to it, and counted", async (t) => {
  const { theirs, partsAt, source } = await openFixture(t, 40);
  using _ = theirs.tryAcquire("indexing");
  const report = await syncWords(partsAt(), { whenBusy: "leave" });
  assert.deepEqual([report.added, report.left, source.reads.length], [0, 40, 0]);
});

test("a few documents are indexed while another process works on a backlog", async (t) => {
  const { theirs, partsAt } = await openFixture(t, 5);
  using _ = theirs.tryAcquire("indexing");
  const report = await syncWords(partsAt(), { whenBusy: "leave" });
  assert.deepEqual([report.added, report.left], [5, 0]);
});

test("up to 32 documents need no lock", async (t) => {
  for (const [count, added] of [
    [32, 32],
    [33, 0],
  ] as const) {
    const { theirs, partsAt } = await openFixture(t, count);
    using _ = theirs.tryAcquire("indexing");
    assert.equal((await syncWords(partsAt(), { whenBusy: "leave" })).added, added);
  }
});

test("after waiting it plans again, and does not repeat what was done meanwhile", async (t) => {
  const { theirs, partsAt, source } = await openFixture(t, 40);
  const held = theirs.tryAcquire("indexing")!;
  let others: Promise<unknown> | undefined;
  const report = await syncWords(partsAt(), {
    progress: ({ waitingFor }) => {
      if (waitingFor === undefined || others) return;
      others = syncWords({ ...partsAt(), locks: undefined }).then(() => held[Symbol.dispose]());
    },
  });
  await others;
  assert.deepEqual([report.added, report.unchanged, source.reads.length], [0, 40, 40]);
});

test("the work is done in parallel with a process that has made no progress for long", async (t) => {
  const { theirs, partsAt, later } = await openFixture(t, 40);
  using _ = theirs.tryAcquire("indexing");
  let listings = 0;
  const onListed = () => void listings++;
  assert.equal((await syncWords({ ...partsAt(later), onListed })).added, 40);
  assert.equal(listings, 2, "the other may have done some of it before it stopped");
});

test("without a wait it plans once", async (t) => {
  const { partsAt, theirs, source } = await openFixture(t, 40);
  let listings = 0;
  let isHeld = false;
  source.onRead = () => {
    isHeld = theirs.holder()?.doing.startsWith("indexing") === true;
  };
  assert.equal((await syncWords({ ...partsAt(), onListed: () => void listings++ })).added, 40);
  assert.deepEqual([listings, isHeld], [1, true]);
  using free = theirs.tryAcquire("theirs");
  assert.notEqual(free, null, "the lock is free again");
});

test("a process paused in the middle of a write is named while it blocks others", async (t) => {
  const { theirs, partsAt, later, dbPath } = await openFixture(t, 40);
  using _ = theirs.tryAcquire("indexing, 3 of 40 documents done");
  const writer = new DatabaseSync(dbPath);
  t.after(() => writer.close());
  writer.exec("BEGIN IMMEDIATE");
  await assert.rejects(
    syncWords(partsAt(later)),
    (error: { code: string; retryable: boolean; message: string; hint: string }) => {
      assert.deepEqual([error.code, error.retryable], ["index-busy", true]);
      assert.match(
        error.message,
        new RegExp(`process ${process.pid} \\(indexing, 3 of 40 .*has not moved for \\d+ s`),
      );
      assert.match(error.hint, /kill -CONT/);
      return true;
    },
  );
});

test("a busy index is not blamed on a working process, nor another problem on a paused one", async (t) => {
  const { theirs, partsAt, later, dbPath, source } = await openFixture(t, 40);
  const writer = new DatabaseSync(dbPath);
  t.after(() => writer.close());
  writer.exec("BEGIN IMMEDIATE");
  await assert.rejects(syncWords(partsAt()), { code: "index-busy", hint: /Another process is writing/ });
  writer.exec("ROLLBACK");

  using _ = theirs.tryAcquire("indexing");
  const parts = partsAt(later);
  const store = { ...parts.store, put: () => Promise.reject(new TypeError("a bug")) };
  await assert.rejects(syncWords({ ...parts, store }), /a bug/);
  const full = new LonghandError("index-unusable", "The disk is full.", { hint: "Make room." });
  await assert.rejects(
    syncWords({ ...parts, store: { ...parts.store, put: () => Promise.reject(full) } }),
    full,
  );
  assert.equal((await syncWords({ ...parts, sources: [source] })).added, 40);
});

test("documents of a source that only another program has are kept, until everything is rebuilt", async (t) => {
  const { partsAt } = await openFixture(t, 0);
  const [notes, talks] = [createTextSource({ "a.md": "Alpha" }), createTextSource({ t1: "One", t2: "Two" })];
  const sessions = { ...talks, name: "sessions" as const };
  const read = async (path: string) => ({ ...(await talks.read(path))!, source: "sessions" as const });
  await syncWords({ ...partsAt(), sources: [notes, { ...sessions, read }] });
  const filesIn = async (source: "memory" | "sessions") => (await partsAt().store.versions(source)).size;
  const parts = { ...partsAt(), sources: [notes] };
  assert.equal((await syncWords(parts)).removed, 0);
  assert.deepEqual([await filesIn("memory"), await filesIn("sessions")], [1, 2]);
  const { removed, updated, added } = await syncWords(parts, { force: true });
  assert.deepEqual([removed, updated, added], [2, 1, 0]);
  assert.deepEqual([await filesIn("memory"), await filesIn("sessions")], [1, 0]);
});

test("a report names what was skipped, what is left in all sources, and which sources cannot be listed", async (t) => {
  const { partsAt, source } = await openFixture(t, 2);
  const parts = partsAt();
  await syncWords(parts);
  source.stamp++;
  source.skipped = [
    { path: "memory/a.md", reason: "symlink" },
    { path: "memory/n0.md", reason: "unreadable", detail: "the system says EIO" },
  ];
  const busy = new LonghandError("note-unreadable", "It is being written.", {
    hint: "Try again.",
    retryable: true,
  });
  const mail = createTextSource({ "mail/1.md": "One", "mail/2.md": "Two" });
  Object.assign(mail, { name: "mail" });
  for (const path of mail.texts.keys()) mail.failures.set(path, busy);
  source.failures.set("memory/n1.md", busy);
  const list = async () => ({ entries: [], skipped: [], problem: "it is closed" });
  const closed = { ...createTextSource(), name: "closed" as const, list };
  const report = await syncWords({ ...parts, sources: [source, mail, closed] });
  const unreadable = "memory/n0.md cannot be read: the system says EIO.";
  assert.deepEqual(
    report.failed.map(({ message }) => message),
    [unreadable, ...Array(3).fill("It is being written.")],
  );
  assert.deepEqual(report.skipped, [{ path: "memory/a.md", reason: "symlink" }]);
  assert.equal(report.left, 3);
  assert.deepEqual(report.degraded, ["the source closed could not be read: it is closed"]);
});

test("sources get the caller's options, and progress begins at the first document", async (t) => {
  const { partsAt, source } = await openFixture(t, 2);
  const asked: object[] = [];
  const list: typeof source.list = async (options) => {
    const { known: _, ...wishes } = options!;
    asked.push(wishes);
    return await source.list(options);
  };
  const parts = { ...partsAt(), sources: [{ ...source, list }] };
  const progress: string[] = [];
  await syncWords(parts, { progress: ({ completed, total }) => progress.push(`${completed}/${total}`) });
  const { signal } = new AbortController();
  await syncWords(parts, { background: true, signal });
  assert.deepEqual(asked, [{ background: false }, { background: true, signal }]);
  assert.deepEqual(progress, ["1/2", "2/2"]);
});

test("workers start while the first listing goes on, if it is long, and are stopped if they are not used", async (t) => {
  const { partsAt, source, theirs } = await openFixture(t, 40);
  let [started, stopped, startedInList] = [0, 0, 0];
  const prepare = () => Promise.reject(new Error("here"));
  const workers: WorkerPool = {
    source: "memory",
    minDocuments: 30,
    start: () => {
      started++;
      return [{ prepare, stop: () => void stopped++ }];
    },
  };
  const list: typeof source.list = async (options) => {
    for (const count of [10, 29]) options?.onProgress?.(count);
    assert.equal(started, 0);
    for (const count of [30, 40]) options?.onProgress?.(count);
    startedInList = started;
    return await source.list(options);
  };
  const parts = { ...partsAt(), sources: [{ ...source, list }], workers };
  {
    using _ = theirs.tryAcquire("indexing");
    assert.equal((await syncWords(parts, { whenBusy: "leave" })).left, 40);
    assert.deepEqual([startedInList, started, stopped], [1, 1, 1]);
  }
  started = 0;
  assert.equal((await syncWords(parts)).added, 40);
  assert.deepEqual([startedInList, started, stopped], [1, 1, 2], "no others start for the documents");
  started = 0;
  source.texts.set("memory/new.md", "new");
  assert.equal((await syncWords(parts)).added, 1);
  assert.deepEqual([startedInList, started], [0, 0], "most documents are known");
});

test("new and changed documents count together for the lock", async (t) => {
  const { partsAt, source, theirs } = await openFixture(t, 20);
  await syncWords(partsAt());
  for (const path of source.texts.keys()) source.texts.set(path, "changed");
  for (let at = 0; at < 20; at++) source.texts.set(`memory/more${at}.md`, "new");
  using _ = theirs.tryAcquire("indexing");
  assert.equal((await syncWords(partsAt(), { whenBusy: "leave" })).left, 40);
});
