import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { lackOf } from "../../test/faults/programs.ts";
import { finish, firstOutput, startProgram } from "../../test/support/child-process.ts";
import { isWindows } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createDeadline, withFileLock } from "./lock.ts";

const moduleUrl = new URL("./lock.ts", import.meta.url).href;

/** A process that takes the lock, says so, and keeps it. */
async function startHolder(t: TestContext, lockPath: string) {
  const holder = startProgram(
    t,
    `import { writeSync } from "node:fs";
     import { withFileLock } from ${JSON.stringify(moduleUrl)};
     await withFileLock(process.argv[1], {}, () => {
       writeSync(1, "held");
       return new Promise((resolve) => setTimeout(resolve, 60_000));
     });`,
    [lockPath],
  );
  assert.equal(await firstOutput(holder), "held");
  return holder;
}

test("work runs under the lock, its result is returned, and the folder is created", async (t) => {
  const lockPath = makeTemporaryFolder(t).at("state/deep/notes.lock");
  assert.equal(await withFileLock(lockPath, {}, () => 7), 7);
  assert.equal(await withFileLock(lockPath, {}, async () => "again"), "again");
  assert.equal(statSync(lockPath).size, 0, "nothing is ever written to it");
});

test("a lock needs no disk space once its file exists", async (t) => {
  const folder = makeTemporaryFolder(t);
  await withFileLock(folder.at("notes.lock"), {}, () => {
    assert.deepEqual(readdirSync(folder.dir), ["notes.lock"], "there is no journal beside it");
  });
});

test("calls in one process exclude each other", async (t) => {
  const lockPath = makeTemporaryFolder(t).at("notes.lock");
  let inside = 0;
  const work = async () => {
    inside++;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(inside, 1);
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withFileLock(lockPath, {}, work)));
});

test("an error of the work is passed on and releases the lock", async (t) => {
  const lockPath = makeTemporaryFolder(t).at("notes.lock");
  const failure = new Error("no");
  await assert.rejects(
    withFileLock(lockPath, {}, () => {
      throw failure;
    }),
    failure,
  );
  assert.equal(await withFileLock(lockPath, { timeoutMs: 0 }, () => "free"), "free");
});

test("another process that holds the lock is waited for, then reported, and the wait does not block", async (t) => {
  const lockPath = makeTemporaryFolder(t).at("notes.lock");
  const holder = await startHolder(t, lockPath);
  let turns = 0;
  const ticking = setInterval(() => turns++, 1).unref();
  await assert.rejects(
    withFileLock(lockPath, { timeoutMs: 500 }, () => assert.fail("the lock was not ours")),
    {
      code: "index-busy",
      retryable: true,
    },
  );
  clearInterval(ticking);
  assert.ok(turns > 0, "timers ran while it waited");

  const cancelled = new AbortController();
  const waiting = withFileLock(lockPath, { signal: cancelled.signal }, () => assert.fail("cancelled"));
  cancelled.abort();
  await assert.rejects(waiting, { code: "aborted" });
  await assert.rejects(
    withFileLock(lockPath, { signal: cancelled.signal }, () => 1),
    { code: "aborted" },
  );

  const patient = withFileLock(lockPath, {}, () => "mine");
  holder.kill("SIGKILL");
  await finish(holder);
  assert.equal(await patient, "mine", "the lock of a killed process is free");
});

test("one holder is waited for up to the timeout, and alternating holders much longer", () => {
  const paused = createDeadline(10, 0);
  assert.equal(paused.isOver("first", 0), false);
  assert.equal(paused.isOver("first", 10), false);
  assert.equal(paused.isOver("first", 11), true);

  const busy = createDeadline(10, 0);
  for (let ms = 0; ms <= 120; ms += 10) assert.equal(busy.isOver(`holder ${ms}`, ms), false, `${ms} ms`);
  assert.equal(busy.isOver("one more", 121), true, "but not for ever");

  const slow = createDeadline(10, 0);
  assert.equal(slow.isOver("first", 9), false);
  assert.equal(slow.isOver("second", 18), false);
  assert.equal(slow.isOver("second", 29), true, "the second holder hangs");
});

test("each acquisition leaves a mark for waiting processes", async (t) => {
  const lockPath = makeTemporaryFolder(t).at("notes.lock");
  await withFileLock(lockPath, {}, () => {});
  utimesSync(lockPath, 0, 0);
  await withFileLock(lockPath, {}, () => assert.notEqual(statSync(lockPath).mtimeMs, 0));
});

test("an unusable lock file is named in the error", async (t) => {
  const folder = makeTemporaryFolder(t, {
    text: "this is not a database, and long enough to be read as one".repeat(20),
  });
  mkdirSync(folder.at("folder"));
  for (const name of ["folder", "text", "text/below", "text/below/deep"]) {
    await assert.rejects(
      withFileLock(folder.at(name), {}, () => 1),
      { code: "index-unusable" },
      name,
    );
  }
});

test("a file or a broken link in place of a folder is named as the reason", async (t) => {
  const folder = makeTemporaryFolder(t, { file: "" });
  symlinkSync(folder.at("nowhere"), folder.at("link"), "junction");
  for (const place of ["file", "file/locks", "link", "link/locks"]) {
    await assert.rejects(
      withFileLock(folder.at(`${place}/notes.lock`), {}, () => 1),
      {
        code: "index-unusable",
        message: /a part of its path is not a folder, or a symbolic link that leads/,
      },
      place,
    );
  }
});

test("a drive that is not connected is named as the reason", {
  skip: !isWindows && "only Windows has drives",
}, async () => {
  await assert.rejects(
    withFileLock("Q:\\state\\locks\\notes.lock", {}, () => 1),
    {
      code: "index-unusable",
      message: /Q:\\state\\locks: its drive or share is not connected \(notes\.lock\)/,
    },
  );
});

test("a full or read-only disk, a quota or a limit of open files is named as the reason, not the lock", {
  skip: lackOf("strace", ["-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=9999", "true"]) ?? false,
}, async (t) => {
  const reasons: [string, RegExp, boolean][] = [
    ["ENOSPC", /state: its disk is full, or has no room for more files \(notes\.lock\)/, true],
    ["EDQUOT", /state: your quota of its disk is used up/, true],
    ["EROFS", /state: its disk is read-only/, false],
    ["EMFILE", /state: too many files are open/, true],
  ];
  for (const [name, message, retryable] of reasons) {
    const lockPath = makeTemporaryFolder(t, { "state/x": "" }).at("state/notes.lock");
    const source = `
      import { withFileLock } from ${JSON.stringify(moduleUrl)};
      const refused = await withFileLock(process.argv[1], {}, () => 1).catch((error) => error.toJSON());
      process.stdout.write(JSON.stringify(refused));`;
    const inject = ["-f", "-qq", "-o", "/dev/null", "-P", lockPath, "-e", `inject=openat,open:error=${name}`];
    const program = [process.execPath, "--input-type=module-typescript", "-e", source, "--", lockPath];
    const { stdout, stderr } = await finish(spawn("strace", [...inject, ...program]));
    const refused = JSON.parse(stdout || "{}");
    assert.match(refused.message ?? stderr, message);
    const code = name === "EMFILE" ? "too-many-open-files" : "index-unusable";
    assert.deepEqual([refused.code, refused.retryable], [code, retryable]);
  }
});

test("a path where no folder can be created is an error, not a wait", {
  skip: process.platform !== "linux" && "needs Linux",
}, async () => {
  await assert.rejects(
    withFileLock("/proc/none/deep/notes.lock", {}, () => 1),
    { code: "index-unusable" },
  );
});
