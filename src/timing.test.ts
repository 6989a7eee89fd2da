import assert from "node:assert/strict";
import { test } from "node:test";
import { runWithin, settleWithin, systemClock } from "./timing.ts";

const never = new Promise<never>(() => {});

test("work that is done in time gives its result, or rejects", async () => {
  assert.equal(await settleWithin(60_000, Promise.resolve("done")), "done");
  await assert.rejects(settleWithin(60_000, Promise.reject(new Error("broken"))), /broken/);
});

test("after the timeout, or if the signal aborts, the result is undefined", async () => {
  assert.equal(await settleWithin(1, never), undefined);
  assert.equal(await settleWithin(null, never, { signal: AbortSignal.abort() }), undefined);
  const leaving = new AbortController();
  const waiting = settleWithin(null, never, { signal: leaving.signal });
  leaving.abort();
  assert.equal(await waiting, undefined);
});

test("a failure after the end is not an unhandled rejection", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  assert.equal(await settleWithin(1, promise), undefined);
  reject(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
});

test("work that takes a signal is ended at the timeout, and with the caller's signal", async () => {
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return never;
  };
  assert.equal(await runWithin(60_000, async () => "done"), "done");
  await assert.rejects(
    runWithin(60_000, () => Promise.reject(new Error("broken"))),
    /broken/,
  );
  assert.equal(await runWithin(1, work), undefined);
  const later = async (): Promise<string> => {
    await systemClock.sleep(5, new AbortController().signal);
    return "done";
  };
  assert.equal(await runWithin(Number.POSITIVE_INFINITY, later), "done");
  assert.equal(await settleWithin(1e12, later()), "done");
  const leaving = new AbortController();
  const running = runWithin(60_000, work, { signal: leaving.signal });
  leaving.abort();
  await assert.rejects(running, { code: "aborted" });
  await assert.rejects(runWithin(60_000, work, { signal: leaving.signal }), { code: "aborted" });
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
});

test("a pause ends early with its signal", async () => {
  const leaving = new AbortController();
  const pause = systemClock.sleep(600_000, leaving.signal);
  leaving.abort();
  await pause;
});
