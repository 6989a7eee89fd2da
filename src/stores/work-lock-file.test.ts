import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type TestContext, test } from "node:test";
import { finish, firstOutput, startProgram } from "../../test/support/child-process.ts";
import { skipDeletingOpenFiles, skipOnWindows } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createWorkLock } from "./work-lock-file.ts";

const moduleUrl = JSON.stringify(new URL("./work-lock-file.ts", import.meta.url).href);

async function startHolder(t: TestContext, lockPath: string) {
  const holder = startProgram(
    t,
    `import { writeSync } from "node:fs";
     import { createWorkLock } from ${moduleUrl};
     const held = createWorkLock(process.argv[1]).tryAcquire("counting sheep");
     writeSync(1, held === null ? "refused" : "held");
     setTimeout(() => {}, 60_000);`,
    [lockPath],
  );
  assert.equal(await firstOutput(holder), "held");
  return holder;
}

test("it has one holder at a time, also within a process, and leaves only an empty file", (t) => {
  const lockPath = makeTemporaryFolder(t).at("locks/work.lock");
  const lock = createWorkLock(lockPath);
  assert.equal(lock.holder(), null);
  const held = lock.tryAcquire("first");
  assert.ok(held);
  assert.equal(lock.tryAcquire("second"), null);
  assert.equal(createWorkLock(lockPath).tryAcquire("third"), null);
  assert.equal(lock.holder()?.pid, process.pid);
  assert.equal(held.isIntact(), true);
  held[Symbol.dispose]();
  assert.equal(lock.holder(), null);
  assert.deepEqual(readdirSync(dirname(lockPath)), ["work.lock"]);
  lock.tryAcquire("again")?.[Symbol.dispose]();
});

test("others see the holder and its progress; a killed holder loses it", async (t) => {
  const lockPath = makeTemporaryFolder(t).at("work.lock");
  const lock = createWorkLock(lockPath);
  const child = await startHolder(t, lockPath);
  assert.equal(lock.tryAcquire("me"), null);
  const holder = lock.holder();
  assert.deepEqual([holder?.pid, holder?.doing], [child.pid, "counting sheep"]);
  child.kill("SIGKILL");
  await finish(child);
  assert.equal(existsSync(`${lockPath}.holder`), true, "its note is still there");
  assert.equal(lock.holder(), null);
  const held = lock.tryAcquire("me");
  assert.equal(lock.holder()?.pid, process.pid);
  held?.[Symbol.dispose]();
});

test("a paused holder keeps it, and its silence grows", {
  skip: skipOnWindows("no signal pauses a process there"),
}, async (t) => {
  const lockPath = makeTemporaryFolder(t).at("work.lock");
  const child = await startHolder(t, lockPath);
  child.kill("SIGSTOP");
  const later = createWorkLock(lockPath, { now: () => Date.now() + 60_000 });
  assert.equal(later.tryAcquire("me"), null);
  assert.ok(later.holder()!.silentMs > 50_000);
  // Before its folder is removed, which some file systems refuse while a file in it is open.
  child.kill("SIGKILL");
  await finish(child);
});

test("the holder notices a deleted lock, and a malformed holder file names no holder", {
  skip: skipDeletingOpenFiles,
}, (t) => {
  const lockPath = makeTemporaryFolder(t).at("work.lock");
  const lock = createWorkLock(lockPath);
  const held = lock.tryAcquire("first")!;
  writeFileSync(`${lockPath}.holder`, '{"pid": "x');
  assert.equal(lock.holder(), null);
  utimesSync(`${lockPath}.holder`, 0, 0);
  rmSync(lockPath);
  assert.equal(held.isIntact(), false);
  held[Symbol.dispose]();
});
