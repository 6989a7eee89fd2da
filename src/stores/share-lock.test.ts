import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { finish, startProgram } from "../../test/support/child-process.ts";
import { skipOnWindows } from "../../test/support/platform.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { withShareLock } from "./share-lock.ts";

const moduleUrl = new URL("./share-lock.ts", import.meta.url).href;
const lockOf = (folder: TemporaryFolder) => folder.at(".longhand.lock");

/** The lock file that another machine leaves. */
function holdFor(folder: TemporaryFolder, ageMs: number, holder: object = { host: "attic", pid: 7 }): void {
  writeFileSync(lockOf(folder), JSON.stringify(holder));
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(lockOf(folder), at, at);
}

test("processes that only share the folder never work at the same time", async (t) => {
  const folder = makeTemporaryFolder(t, { count: "0" });
  const program = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { withShareLock } from ${JSON.stringify(moduleUrl)};
    const [folder, count] = process.argv.slice(1);
    for (let i = 0; i < 20; i++) await withShareLock(folder, {}, () => {
      const before = Number(readFileSync(count, "utf8"));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      writeFileSync(count, String(before + 1));
    });`;
  const writers = [1, 2, 3].map(() => finish(startProgram(t, program, [folder.dir, folder.at("count")])));
  for (const { code, stderr } of await Promise.all(writers)) assert.equal(code, 0, stderr);
  assert.equal(readFileSync(folder.at("count"), "utf8"), "60");
  assert.deepEqual(readdirSync(folder.dir), ["count"], "no lock is left behind");
});

test("the lock is released if the work fails", async (t) => {
  const folder = makeTemporaryFolder(t);
  const failure = new Error("no");
  const failing = withShareLock(folder.dir, {}, () => {
    assert.ok(existsSync(lockOf(folder)));
    throw failure;
  });
  await assert.rejects(failing, failure);
  assert.equal(await withShareLock(folder.dir, {}, () => 7), 7);
});

test("a lock that another machine holds is respected, and the error names the machine", async (t) => {
  const folder = makeTemporaryFolder(t);
  holdFor(folder, 60_000);
  await assert.rejects(
    withShareLock(folder.dir, { timeoutMs: 200 }, () => assert.fail("nothing may run")),
    {
      code: "index-busy",
      message: /^Process 7 on attic has held the lock .*\.longhand\.lock/,
      retryable: true,
    },
  );
  assert.match(readFileSync(lockOf(folder), "utf8"), /attic/);
  assert.deepEqual(readdirSync(folder.dir), [".longhand.lock"]);
});

test("a lock that is neither written nor released expires as well", async (t) => {
  const folder = makeTemporaryFolder(t, { ".longhand.lock": "" });
  await assert.rejects(
    withShareLock(folder.dir, { timeoutMs: 200 }, () => {}),
    { code: "index-busy" },
  );
  utimesSync(lockOf(folder), 0, 0);
  assert.equal(await withShareLock(folder.dir, {}, () => 7), 7);
});

test("the lock of a machine that has been silent for minutes is taken over", async (t) => {
  const folder = makeTemporaryFolder(t);
  holdFor(folder, 6 * 60_000);
  assert.equal(await withShareLock(folder.dir, {}, () => 7), 7);
  assert.deepEqual(readdirSync(folder.dir), []);
});

test("a process that takes over an expired lock does not take it from the next holder", async (t) => {
  const folder = makeTemporaryFolder(t);
  holdFor(folder, 6 * 60_000);
  const next = { host: "cellar", pid: 8 };
  await assert.rejects(
    withShareLock(folder.dir, { timeoutMs: 200, at: () => holdFor(folder, 0, next) }, () => {
      assert.fail("nothing may run");
    }),
    { code: "index-busy", message: /Process 8 on cellar/ },
  );
  assert.deepEqual(JSON.parse(readFileSync(lockOf(folder), "utf8")), next);
});

test("the lock of a killed process of this machine is taken over at once", {
  skip: skipOnWindows("the start of the machine has no name"),
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "state/notes.lock": "", "share/a.md": "" });
  const under = folder.at("state/notes.lock");
  const killed = startProgram(
    t,
    `import { withShareLock } from ${JSON.stringify(moduleUrl)};
     const [folder, under] = process.argv.slice(1);
     await withShareLock(folder, { under }, () => process.kill(process.pid, "SIGKILL"));`,
    [folder.at("share"), under],
  );
  await finish(killed);
  assert.ok(existsSync(folder.at("share/.longhand.lock")));
  assert.equal(await withShareLock(folder.at("share"), { timeoutMs: 200, under }, () => 7), 7);
});

test("work whose lock was taken away is not acknowledged", async (t) => {
  const folder = makeTemporaryFolder(t);
  await assert.rejects(
    withShareLock(folder.dir, {}, () => holdFor(folder, 0)),
    { code: "entry-unconfirmed", message: /took over/ },
  );
  assert.match(readFileSync(lockOf(folder), "utf8"), /attic/, "it stays with its new holder");
});

test("work can ask for its lock before it writes", async (t) => {
  const folder = makeTemporaryFolder(t);
  await assert.rejects(
    withShareLock(folder.dir, {}, (lock) => {
      lock.confirm();
      holdFor(folder, 0);
      lock.confirm();
    }),
    { code: "note-unwritable", message: /^Nothing was written/ },
  );
});

test("a folder in which nothing can be created is an error that says why", async (t) => {
  const folder = makeTemporaryFolder(t);
  await assert.rejects(
    withShareLock(folder.at("missing"), {}, () => {}),
    { code: "note-unwritable", message: /cannot be locked: the system says ENOENT/ },
  );
});
