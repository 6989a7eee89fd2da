import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LonghandError } from "../errors.ts";
import type { Listing } from "../sources/source.ts";
import type { LocalWorkLock, WorkHolder } from "../stores/work-lock.ts";
import type { SyncReport } from "./sync.ts";
import { openWatcher, type WatchEvent, type WatcherOptions, type WatcherParts } from "./watch.ts";

/* Watching by a clock that the test moves. test/watch.test.ts has real processes and real time. */

const quiet: SyncReport = {
  added: 0,
  updated: 0,
  removed: 0,
  unchanged: 0,
  failed: [],
  chunks: 0,
  embedded: 0,
  cached: 0,
  durationMs: 0,
  skipped: [],
  skippedCount: 0,
  pendingRemovals: [],
  left: 0,
  degraded: [],
};

const sweepMs = 60_000;

/** `answer` is the result of each pass, or the error that it throws; `listings`: what it listed; `ended`: when it ends. */
function watch(t: TestContext, parts: Partial<WatcherParts> = {}, options: Partial<WatcherOptions> = {}) {
  const clock = createManualClock();
  const events: WatchEvent[] = [];
  const passes: number[] = [];
  const setting = {
    answer: quiet as SyncReport | Error,
    listings: [] as readonly Listing[],
    ended: setImmediate(),
  };
  const watcher = openWatcher(
    {
      async sync() {
        passes.push(clock.now());
        await setting.ended;
        if (setting.answer instanceof Error) throw setting.answer;
        const end = await watcher.begin();
        end({ listings: setting.listings, report: setting.answer });
        return setting.answer;
      },
      ...parts,
    },
    {
      debounceMs: 100,
      sweepMs,
      watchesFolders: false,
      onEvent: (event) => events.push(event),
      clock,
      ...options,
    },
  );
  t.after(() => watcher[Symbol.asyncDispose]());
  /** Advances second by second, and lets the work of each second finish. */
  const moveTo = async (ms: number): Promise<void> => {
    for (;;) {
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      if (clock.now() === ms) return;
      clock.moveTo(Math.min(ms, clock.now() + 1000));
    }
  };
  const kinds = () => events.map(({ kind }) => kind);
  const warnings = () => events.flatMap((event) => (event.kind === "warning" ? [event.message] : []));
  return { watcher, clock, events, passes, setting, moveTo, kinds, warnings };
}

const holder: WorkHolder = { pid: 4711, doing: "watching", since: new Date(0), silentMs: 0 };

/** A lock that another process holds until the test says otherwise. */
function createLock() {
  const reports: string[] = [];
  const state = { holder: holder as WorkHolder | null, isIntact: true, taken: 0, released: 0, reports };
  const lock: LocalWorkLock = {
    tryAcquire() {
      if (state.holder !== null) return null;
      state.taken++;
      return {
        report: (doing) => void reports.push(doing),
        isIntact: () => state.isIntact,
        [Symbol.dispose]: () => void state.released++,
      };
    },
    holder: () => state.holder,
  };
  return { state, lock };
}

suite("a watcher without folders to watch", () => {
  test("syncs at once, and then once in every interval", async (t) => {
    const { passes, kinds, events, moveTo, watcher } = watch(t);
    await moveTo(2 * sweepMs);
    assert.deepEqual(passes, [0, sweepMs, 2 * sweepMs]);
    assert.deepEqual(events[0], { kind: "mode", mode: "polling" });
    assert.deepEqual(kinds(), ["mode", "synced", "synced", "synced"]);
    assert.equal(await watcher.isCurrent(), false);
  });

  test("retries after five seconds when a pass fails, and reports each problem once until it is over", async (t) => {
    const { setting, passes, warnings, moveTo } = watch(t);
    setting.answer = new LonghandError("index-unusable", "The disk is full.", { hint: "Make room." });
    await moveTo(12_000);
    assert.deepEqual(passes, [0, 5000, 10_000]);
    assert.deepEqual(warnings(), ["The disk is full. Make room."]);
    setting.answer = new Error("Something else.");
    await moveTo(17_000);
    assert.deepEqual(warnings().slice(1), ["Something else."]);
    setting.answer = quiet;
    await moveTo(22_000);
    setting.answer = new Error("Something else.");
    await moveTo(22_000 + sweepMs);
    assert.deepEqual(warnings().slice(2), ["Something else."]);
  });

  test("continues soon when a pass has left work, and when a source asks for it", async (t) => {
    const { setting, passes, moveTo } = watch(t);
    setting.answer = { ...quiet, left: 3 };
    await moveTo(5000);
    setting.answer = quiet;
    setting.listings = [
      { entries: [], skipped: [], againInMs: 7000 },
      { entries: [], skipped: [], againInMs: 9000 },
    ];
    await moveTo(11_000);
    setting.listings = [];
    await moveTo(20_000);
    assert.deepEqual(passes, [0, 5000, 10_000, 17_000]);
  });

  test("reports changes that a pass of another caller found, and only changes", async (t) => {
    const { watcher, kinds, moveTo } = watch(t);
    await moveTo(1000);
    (await watcher.begin())({ listings: [], report: quiet });
    assert.deepEqual(kinds(), ["mode", "synced"]);
    const eventful: Partial<SyncReport>[] = [
      ...[{ added: 1 }, { updated: 1 }, { removed: 1 }, { embedded: 1 }, { pendingRemovals: ["a.md"] }],
      { failed: [{ path: "a.md", code: "note-binary", message: "It is binary." }] },
    ];
    for (const [at, fields] of eventful.entries()) {
      (await watcher.begin())({ listings: [], report: { ...quiet, ...fields } });
      assert.equal(kinds().filter((kind) => kind === "changed").length, at + 1, JSON.stringify(fields));
    }
  });

  test("continues when a listener fails, and warns once for each reason", async (t) => {
    const warned: string[] = [];
    const onWarning = ({ name, message, detail }: Error & { detail?: string }) => {
      if (name === "LonghandWarning") warned.push(`${message}, ${detail?.split("\n")[0]}`);
    };
    process.on("warning", onWarning);
    t.after(() => process.off("warning", onWarning));
    let reason = "first";
    const onEvent = (event: WatchEvent): unknown => {
      if (event.kind === "mode") throw new Error(reason);
      return event.kind === "synced" ? Promise.reject(new Error(reason)) : undefined;
    };
    const { passes, moveTo } = watch(t, {}, { onEvent: onEvent as WatcherOptions["onEvent"] });
    await moveTo(sweepMs + 1000);
    reason = "second";
    await moveTo(2 * sweepMs + 1000);
    assert.equal(passes.length, 3);
    const sentence = "A listener of the watch failed:";
    assert.deepEqual(warned, [`${sentence} first, Error: first`, `${sentence} second, Error: second`]);
  });

  test("retries after five seconds when it cannot begin, and says why once", async (t) => {
    const { state, lock } = createLock();
    state.holder = null;
    let attempts = 0;
    const tryAcquire: LocalWorkLock["tryAcquire"] = (doing) => {
      if (++attempts < 3) throw new Error("The disk is full.");
      return lock.tryAcquire(doing);
    };
    const { passes, warnings, moveTo, watcher } = watch(t, { lock: { ...lock, tryAcquire } });
    await moveTo(9000);
    assert.deepEqual([attempts, warnings(), watcher.mode], [2, ["The disk is full."], "following"]);
    await moveTo(11_000);
    assert.deepEqual([passes, watcher.mode], [[10_000], "polling"]);
  });

  test("ends with the running pass, emits nothing more and releases the lock", async (t) => {
    const { state, lock } = createLock();
    state.holder = null;
    const { promise, resolve } = Promise.withResolvers<SyncReport>();
    const signals: AbortSignal[] = [];
    const sync = (signal: AbortSignal) => {
      signals.push(signal);
      return promise;
    };
    const { watcher, kinds, clock } = watch(t, { lock, sync });
    await setImmediate();
    let isClosed = false;
    const closed = watcher[Symbol.asyncDispose]().then(() => {
      isClosed = true;
    });
    await setImmediate();
    assert.ok(signals[0]!.aborted && !isClosed);
    resolve({ ...quiet, added: 1 });
    await closed;
    assert.deepEqual(kinds(), ["mode"]);
    clock.moveTo(10 * sweepMs);
    assert.equal(signals.length, 1);
    assert.ok(state.taken === 1 && state.released >= 1);
  });
});

suite("a watcher beside another process", () => {
  test("follows it, reports its changes, and takes over when it ends", async (t) => {
    const { state, lock } = createLock();
    let revision = "1";
    const { events, kinds, passes, moveTo, watcher } = watch(t, { lock, revision: async () => revision });
    await moveTo(4000);
    assert.deepEqual(events, [{ kind: "mode", mode: "following", holder }]);
    assert.equal(watcher.mode, "following");
    revision = "2";
    await moveTo(8000);
    assert.deepEqual(kinds(), ["mode", "changed"]);
    state.holder = null;
    await moveTo(10_000);
    assert.deepEqual(kinds(), ["mode", "changed", "mode", "synced"]);
    assert.equal(watcher.mode, "polling");
    assert.deepEqual(passes, [10_000]);
  });

  test("checks for changes itself while the other does not respond, and says so once", async (t) => {
    const { state, lock } = createLock();
    const { passes, warnings, moveTo, watcher } = watch(t, { lock });
    state.holder = { ...holder, silentMs: 30_000 };
    await moveTo(10_000);
    assert.deepEqual(passes, [], "it may only be slow");
    state.holder = { ...holder, silentMs: 30_001 };
    await moveTo(3 * sweepMs);
    assert.equal(passes.length, 3, `${passes}`);
    assert.equal(warnings().length, 1);
    assert.match(warnings()[0]!, /Process 4711/);
    assert.equal(watcher.mode, "following");
  });

  test("acquires the lock again when it was lost", async (t) => {
    const { state, lock } = createLock();
    state.holder = null;
    const { moveTo, watcher } = watch(t, { lock });
    await moveTo(1000);
    assert.deepEqual([state.taken, state.released], [1, 0]);
    [state.isIntact, state.holder] = [false, holder];
    await moveTo(sweepMs + 1000);
    assert.deepEqual([state.taken, state.released], [1, 1]);
    assert.equal(watcher.mode, "following");
  });

  test("keeps asking for a lost lock until a request is answered", async (t) => {
    const { state, lock } = createLock();
    state.holder = null;
    let failures = 0;
    const tryAcquire: LocalWorkLock["tryAcquire"] = (doing) => {
      if (failures-- > 0) throw new Error("The disk is full.");
      return lock.tryAcquire(doing);
    };
    const { moveTo, passes, warnings } = watch(t, { lock: { ...lock, tryAcquire } });
    await moveTo(1000);
    [state.isIntact, failures] = [false, 2];
    await moveTo(sweepMs + 1000);
    assert.deepEqual([state.taken, state.released, warnings()], [1, 1, ["The disk is full."]]);
    state.isIntact = true;
    await moveTo(sweepMs + 11_000);
    assert.deepEqual([state.taken, state.released], [2, 1]);
    assert.deepEqual(passes, [0, sweepMs, sweepMs + 10_000]);
  });
});

suite("a watcher of folders", () => {
  const listingOf = (path: string): Listing => ({
    entries: [],
    skipped: [],
    folders: [{ path, id: path, concerns: () => true, isUnchanged: () => true }],
  });

  test("is current after a pass until the index changes or a pass is not complete", async (t) => {
    const folder = makeTemporaryFolder(t);
    let revision = "1";
    const { setting, watcher, moveTo } = watch(
      t,
      { revision: async () => revision },
      { watchesFolders: true, folders: { kindOf: () => "local" } },
    );
    setting.listings = [listingOf(folder.dir)];
    await moveTo(2000);
    assert.equal(watcher.mode, "watching");
    assert.equal(await watcher.isCurrent(), true);
    revision = "2";
    assert.equal(await watcher.isCurrent(), false);
    const pass = async (report: SyncReport, more: Partial<Listing> = {}): Promise<boolean> => {
      (await watcher.begin())({ listings: [{ ...listingOf(folder.dir), ...more }], report });
      return watcher.isCurrent();
    };
    assert.equal(await pass(quiet), true);
    assert.equal(await pass({ ...quiet, left: 1 }), false);
    assert.equal(await pass({ ...quiet, pendingRemovals: ["a.md"] }), false);
    assert.equal(await pass(quiet, { hidesChanges: true }), false);
    const gone = { path: folder.dir, id: folder.dir, concerns: () => true, isUnchanged: () => false };
    assert.equal(await pass(quiet, { folders: [gone] }), false);
    assert.equal(await pass(quiet), true);
  });

  test("polls where the system does not report changes, for at most a twentieth of the time", async (t) => {
    const folder = makeTemporaryFolder(t);
    const { setting, passes, moveTo, warnings, watcher } = watch(
      t,
      {},
      { watchesFolders: true, folders: { kindOf: () => "remote" } },
    );
    setting.listings = [listingOf(folder.dir)];
    await moveTo(5000);
    assert.equal(watcher.mode, "polling");
    assert.match(warnings().join(), /looked for every few seconds/);
    assert.deepEqual(passes, [0, 2000, 4000]);
    setting.answer = { ...quiet, durationMs: 500 };
    await moveTo(27_000);
    assert.deepEqual(passes.slice(3), [6000, 16_000, 26_000]);
    setting.answer = { ...quiet, durationMs: 100_000 };
    await moveTo(36_000 + sweepMs);
    assert.deepEqual(passes.slice(6), [36_000, 36_000 + sweepMs]);
    assert.equal(warnings().length, 1);
  });

  test("records in the lock that it polls", async (t) => {
    const { state, lock } = createLock();
    state.holder = null;
    const folder = makeTemporaryFolder(t);
    const options = { watchesFolders: true, folders: { kindOf: () => "remote" as const } };
    const { setting, moveTo } = watch(t, { lock }, options);
    setting.listings = [listingOf(folder.dir)];
    await moveTo(1000);
    assert.deepEqual(state.reports, ["polling"]);
  });

  const local: Partial<WatcherOptions> = { watchesFolders: true, folders: { kindOf: () => "local" } };

  test("is not current while one of many folders has changed, or none is known", async (t) => {
    const folder = makeTemporaryFolder(t);
    const { watcher, moveTo } = watch(t, { revision: async () => "1" }, local);
    await moveTo(2000);
    const [a, b] = [listingOf(folder.makeFolder("a")), listingOf(folder.makeFolder("b"))];
    const isCurrentAfter = async (...listings: Listing[]): Promise<boolean> => {
      // Only the second pass covers what happened before the folders were watched.
      for (let pass = 0; pass < 2; pass++) (await watcher.begin())({ listings, report: quiet });
      return watcher.isCurrent();
    };
    const changed: Listing = {
      ...b,
      folders: [...a.folders!, { ...b.folders![0]!, isUnchanged: () => false }],
    };
    assert.equal(await isCurrentAfter(a, b), true);
    assert.equal(await isCurrentAfter(a, changed), false);
    assert.equal(await isCurrentAfter(changed, a), false);
    assert.equal(await isCurrentAfter(a, { entries: [], skipped: [] }), false);
    assert.equal(await isCurrentAfter(a, { ...b, hidesChanges: true }), false);
    assert.equal(await isCurrentAfter(a), true);
  });

  test("is never current where the system may not report changes", async (t) => {
    const folder = makeTemporaryFolder(t);
    const options = { watchesFolders: true, folders: { kindOf: () => "unknown" as const } };
    const { setting, watcher, moveTo } = watch(t, { revision: async () => "1" }, options);
    setting.listings = [listingOf(folder.dir)];
    await moveTo(2000);
    assert.deepEqual([watcher.mode, await watcher.isCurrent()], ["watching", false]);
  });

  test("answers `isCurrent` while it is being closed", async (t) => {
    const folder = makeTemporaryFolder(t);
    let onRevision = async (): Promise<void> => {};
    const revision = async () => {
      await onRevision();
      return "1";
    };
    const { setting, watcher, moveTo } = watch(t, { revision }, local);
    setting.listings = [listingOf(folder.dir)];
    await moveTo(2000);
    assert.equal(await watcher.isCurrent(), true);
    onRevision = async () => await watcher[Symbol.asyncDispose]();
    await watcher.isCurrent();
    assert.equal(await watcher.isCurrent(), false);
  });

  const onLinux = { skip: process.platform !== "linux" && "events come late elsewhere" };

  test(
    "passes when changes have paused, or after four seconds, unless a search was quicker",
    onLinux,
    async (t) => {
      const folder = makeTemporaryFolder(t);
      const options = { ...local, debounceMs: 3000 };
      const { setting, passes, watcher, moveTo } = watch(t, { revision: async () => "1" }, options);
      setting.listings = [listingOf(folder.dir)];
      await moveTo(10_000);
      assert.deepEqual(passes, [0, 3000], "the folder was new to the first one");
      folder.write("a.md", "1");
      assert.equal(await watcher.isCurrent(), false);
      await moveTo(12_000);
      folder.write("a.md", "2");
      await moveTo(20_000);
      assert.deepEqual(passes.slice(2), [14_000]);
      assert.equal(await watcher.isCurrent(), true);

      folder.write("a.md", "3");
      await moveTo(21_000);
      (await watcher.begin())({ listings: setting.listings, report: quiet });
      await moveTo(30_000);
      assert.equal(passes.length, 3);
    },
  );

  test("leaves no timer behind when it is closed before a change was handled", onLinux, async (t) => {
    const folder = makeTemporaryFolder(t);
    const { setting, watcher, clock, moveTo } = watch(t, {}, local);
    setting.listings = [listingOf(folder.dir)];
    await moveTo(1000);
    folder.write("a.md", "1");
    await moveTo(1000);
    assert.equal(clock.pending, 2, "the next sweep, and the change");
    await watcher[Symbol.asyncDispose]();
    assert.equal(clock.pending, 0);
  });

  test("syncs again at once after a pass during which something changed", onLinux, async (t) => {
    const folder = makeTemporaryFolder(t);
    const { setting, passes, moveTo } = watch(t, {}, local);
    setting.listings = [listingOf(folder.dir)];
    await moveTo(0);
    const { promise, resolve } = Promise.withResolvers<void>();
    setting.ended = promise;
    await moveTo(1000);
    assert.deepEqual(passes, [0, 100]);
    folder.write("a.md", "1");
    await moveTo(9000);
    assert.equal(passes.length, 2);
    resolve();
    await moveTo(9000);
    assert.deepEqual(passes.slice(2), [9000]);
  });
});
