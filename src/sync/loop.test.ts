import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "../errors.ts";
import { createSyncLoop } from "./loop.ts";
import type { SyncOptions, SyncReport } from "./sync.ts";

const report = (pass: number): SyncReport => ({
  added: pass,
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
});

/** A loop whose syncs end when the test says so. `added` in a report is the number of its sync. */
function createSteppedLoop() {
  const passes: { options: SyncOptions; end: () => void; fail: (error: unknown) => void }[] = [];
  const loop = createSyncLoop((options) => {
    const { promise, resolve, reject } = Promise.withResolvers<SyncReport>();
    const number = passes.length + 1;
    passes.push({ options, end: () => resolve(report(number)), fail: reject });
    options.signal?.addEventListener("abort", () => {
      try {
        throwIfAborted(options.signal);
      } catch (error) {
        reject(error);
      }
    });
    return promise;
  });
  return { loop, passes };
}

const isAborted = { code: "aborted" };

suite("createSyncLoop", () => {
  test("lets requests made together share a pass", async () => {
    const { loop, passes } = createSteppedLoop();
    const requests = [loop.request(), loop.request(), loop.request()];
    await setImmediate();
    assert.equal(passes.length, 1);
    passes[0]!.end();
    assert.deepEqual(
      (await Promise.all(requests)).map(({ added }) => added),
      [1, 1, 1],
    );
  });

  test("answers a request made during a pass with the pass after it", async () => {
    const { loop, passes } = createSteppedLoop();
    const first = loop.request();
    await setImmediate();
    const later = [loop.request(), loop.request()];
    await setImmediate();
    assert.equal(passes.length, 1, "one at a time");
    passes[0]!.end();
    assert.equal((await first).added, 1);
    await setImmediate();
    passes[1]!.end();
    assert.deepEqual(
      (await Promise.all(later)).map(({ added }) => added),
      [2, 2],
    );
    assert.equal(passes.length, 2);
  });

  test("runs a pass for a request that is made just after an earlier one was answered", async () => {
    const { loop, passes } = createSteppedLoop();
    const second = loop.request().then(() => loop.request());
    await setImmediate();
    passes[0]!.end();
    await setImmediate();
    passes[1]!.end();
    assert.equal((await second).added, 2);
  });

  test("merges the options of all callers that share a pass", async () => {
    const { loop, passes } = createSteppedLoop();
    const seen: string[] = [];
    const all = [
      loop.request({ reason: "search", progress: ({ label }) => seen.push(`first ${label}`) }),
      loop.request({ reason: "cli", force: true, progress: ({ label }) => seen.push(`second ${label}`) }),
      loop.request({ reason: "search" }),
    ];
    await setImmediate();
    const { options, end } = passes[0]!;
    assert.equal(options.force, true);
    assert.equal(options.reason, "search, cli");
    options.progress?.({ completed: 1, total: 1, label: "a.md" });
    assert.deepEqual(seen, ["first a.md", "second a.md"]);
    end();
    await Promise.all(all);
  });

  test("works in the background, or gives up when busy, only if all callers of the pass ask for that", async () => {
    const quick = { background: true, whenBusy: "leave" } as const;
    for (const [requests, background, whenBusy] of [
      [[quick, quick], true, "leave"],
      [[quick, {}], false, "wait"],
      [[{}], false, "wait"],
    ] as const) {
      const { loop, passes } = createSteppedLoop();
      const all = requests.map((options) => loop.request(options));
      await setImmediate();
      assert.equal(Boolean(passes[0]!.options.background), background);
      assert.equal(passes[0]!.options.whenBusy, whenBusy);
      assert.ok(!passes[0]!.options.force);
      passes[0]!.end();
      await Promise.all(all);
    }
  });

  test("rejects only the request that was cancelled while others wait for the pass", async () => {
    const { loop, passes } = createSteppedLoop();
    const controller = new AbortController();
    const cancelled = loop.request({ signal: controller.signal });
    const other = loop.request();
    await setImmediate();
    controller.abort();
    await assert.rejects(cancelled, isAborted);
    assert.equal(passes[0]!.options.signal?.aborted, false);
    passes[0]!.end();
    assert.equal((await other).added, 1);
  });

  test("cancels a sync that nobody waits for any longer, and continues with the next", async () => {
    const { loop, passes } = createSteppedLoop();
    const controller = new AbortController();
    const cancelled = loop.request({ signal: controller.signal });
    await setImmediate();
    const next = loop.request();
    controller.abort();
    await assert.rejects(cancelled, isAborted);
    assert.equal(passes[0]!.options.signal?.aborted, true);
    await setImmediate();
    passes[1]!.end();
    assert.equal((await next).added, 2);
  });

  test("runs no pass for requests that were cancelled before it began", async () => {
    const { loop, passes } = createSteppedLoop();
    const controller = new AbortController();
    const cancelled = loop.request({ signal: controller.signal });
    controller.abort();
    await assert.rejects(cancelled, isAborted);
    await assert.rejects(loop.request({ signal: controller.signal }), isAborted);
    await setImmediate();
    assert.equal(passes.length, 0);
  });

  test("runs the pass of a request that follows a cancelled one", async () => {
    const { loop, passes } = createSteppedLoop();
    const controller = new AbortController();
    const cancelled = loop.request({ signal: controller.signal });
    controller.abort();
    const next = loop.request();
    await assert.rejects(cancelled, isAborted);
    await setImmediate();
    passes[0]!.end();
    assert.equal((await next).added, 1);
  });

  test("rejects all callers of a failed pass and runs the next one nevertheless", async () => {
    const { loop, passes } = createSteppedLoop();
    const failing = [loop.request(), loop.request()];
    await setImmediate();
    const next = loop.request();
    passes[0]!.fail(new Error("no disk"));
    for (const request of failing) await assert.rejects(request, /no disk/);
    await setImmediate();
    passes[1]!.end();
    assert.equal((await next).added, 2);
  });

  test("rejects only the request whose progress callback throws", async () => {
    const { loop, passes } = createSteppedLoop();
    const faulty = loop.request({
      progress: () => {
        throw new Error("bar broke");
      },
    });
    const other = loop.request();
    await setImmediate();
    passes[0]!.options.progress?.({ completed: 1, total: 1, label: "a.md" });
    await assert.rejects(faulty, /bar broke/);
    passes[0]!.end();
    assert.equal((await other).added, 1);
  });

  test("waits for the running pass when it is closed and rejects all others", async () => {
    const { loop, passes } = createSteppedLoop();
    const first = loop.request();
    await setImmediate();
    const waiting = loop.request();
    let isClosed = false;
    const closing = loop.close().then(() => {
      isClosed = true;
    });
    await assert.rejects(waiting, isAborted);
    await assert.rejects(loop.request(), isAborted);
    await setImmediate();
    assert.equal(isClosed, false);
    passes[0]!.end();
    await closing;
    assert.equal((await first).added, 1);
    assert.equal(passes.length, 1);
    await loop.close();
  });
});
