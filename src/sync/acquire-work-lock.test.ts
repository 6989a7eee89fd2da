import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { WorkHolder, WorkLock } from "../stores/work-lock.ts";
import { createWorkLock } from "../stores/work-lock-file.ts";
import { acquireWorkLock } from "./acquire-work-lock.ts";
import type { SyncProgress } from "./sync.ts";

const asks = { doing: "mine", waits: true, progress: undefined, signal: undefined };

test("a free lock is acquired at once", async (t) => {
  const acquired = await acquireWorkLock(createWorkLock(makeTemporaryFolder(t).at("a.lock")), asks);
  assert.ok(acquired.kind === "held" && !acquired.waited);
  await using _ = acquired.work;
});

test("a lock that is held is waited for with progress, or left to its holder", async (t) => {
  const lock = createWorkLock(makeTemporaryFolder(t).at("a.lock"));
  const held = lock.tryAcquire("theirs")!;
  const left = await acquireWorkLock(lock, { ...asks, waits: false });
  assert.equal(left.kind === "busy" && left.holder?.doing, "theirs");
  const progress = ({ waitingFor, label }: SyncProgress): void => {
    assert.equal(waitingFor?.doing, "theirs");
    assert.match(label, /waiting for process \d+/);
    held[Symbol.dispose]();
  };
  const acquired = await acquireWorkLock(lock, { ...asks, progress });
  assert.ok(acquired.kind === "held" && acquired.waited);
  await using _ = acquired.work;
});

test("waiting ends with the caller's signal", async (t) => {
  const lock = createWorkLock(makeTemporaryFolder(t).at("a.lock"));
  using _ = lock.tryAcquire("theirs");
  const cancelled = new AbortController();
  const progress = () => cancelled.abort();
  await assert.rejects(acquireWorkLock(lock, { ...asks, progress, signal: cancelled.signal }), {
    code: "aborted",
  });
});

test("a holder without a recent heartbeat is not waited for, with or without `wait`", async (t) => {
  const lockPath = makeTemporaryFolder(t).at("a.lock");
  using _ = createWorkLock(lockPath).tryAcquire("theirs");
  const later = createWorkLock(lockPath, { now: () => Date.now() + 31_000 });
  for (const waits of [true, false]) {
    const acquired = await acquireWorkLock(later, { ...asks, waits });
    assert.equal(acquired.kind === "beside" && acquired.holder?.pid, process.pid);
  }
});

test("the limit for a silent holder is exact, and for an unknown one it counts from the start of the wait", async () => {
  const heldBy = (holder: WorkHolder | null): WorkLock => ({
    tryAcquire: () => null,
    holder: () => holder,
  });
  const holder = { pid: 7, silentMs: 500 } as WorkHolder;
  const kinds = [];
  for (const silentLimitMs of [499, 500]) {
    const acquired = await acquireWorkLock(heldBy(holder), { ...asks, waits: false, silentLimitMs });
    kinds.push(acquired.kind);
  }
  assert.deepEqual(kinds, ["beside", "busy"]);
  const longSilent = { ...holder, silentMs: 30_001 };
  assert.equal((await acquireWorkLock(heldBy(longSilent), asks)).kind, "beside");

  const seen: SyncProgress[] = [];
  const progress = (state: SyncProgress) => void seen.push(state);
  const unknown = await acquireWorkLock(heldBy(null), { ...asks, progress, silentLimitMs: 150 });
  assert.deepEqual(unknown, { kind: "beside", holder: null });
  const waiting = { completed: 0, total: 0, label: "waiting for another process" };
  assert.ok(seen.length >= 1 && seen.length <= 2, `${seen.length} times`);
  assert.deepEqual(seen[0], waiting);
});
