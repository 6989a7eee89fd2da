import assert from "node:assert/strict";
import { test } from "node:test";
import { settleWithin, systemClock } from "./timing.ts";

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

test("a pause ends early with its signal", async () => {
  const leaving = new AbortController();
  const pause = systemClock.sleep(600_000, leaving.signal);
  leaving.abort();
  await pause;
});
