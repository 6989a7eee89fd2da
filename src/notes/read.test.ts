import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, statSync, truncateSync, utimesSync } from "node:fs";
import { test } from "node:test";
import { whileRunning } from "../../test/support/child-process.ts";
import { asOrdinaryUser } from "../../test/support/ordinary-user.ts";
import { fuseKind, skipWithoutModes, skipWithoutPipes } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Location } from "./locate.ts";
import { decodeNote } from "./note.ts";
import { maxNoteBytes, readBytes, readNote, versionOf } from "./read.ts";

function locate(root: string, relative: string): Location {
  return { path: relative, root, relative, isWritable: true };
}

const now = () => new Date();

async function readText(root: string, name: string): Promise<string | null> {
  const note = await readNote(locate(root, name), { now });
  return note === null ? null : decodeNote(note.bytes, name);
}

test("a note is read whole, a missing one is null", async (t) => {
  const { dir } = makeTemporaryFolder(t, { "a.md": "# Größe\n", "empty.md": "" });
  assert.equal(await readText(dir, "a.md"), "# Größe\n");
  assert.equal(await readText(dir, "empty.md"), "");
  assert.equal(await readText(dir, "none.md"), null);
});

test("a file that has grown since its size was known is read to its end, or to the limit", (t) => {
  const fd = openSync(makeTemporaryFolder(t).write("a.md", "0123456789"), "r");
  const sizes = [0, 1, 4, 9, 10, 11, 100];
  const read = (maxBytes: number) => sizes.map((sizeBytes) => readBytes(fd, maxBytes, sizeBytes).toString());
  const [whole, cut] = [read(50), read(7)];
  closeSync(fd);
  assert.deepEqual(whole, Array(sizes.length).fill("0123456789"));
  assert.deepEqual(cut, Array(sizes.length).fill("0123456"));
});

test("invalid UTF-8 becomes replacement characters and a byte-order mark is dropped", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("bad.md", Buffer.from([0x61, 0xff, 0xc3, 0x0a, 0xe2, 0x82, 0x62]));
  folder.write("bom.md", Buffer.from("\ufeff# A\r\n\ufeffB\n"));
  assert.equal(await readText(folder.dir, "bad.md"), "a\ufffd\ufffd\n\ufffdb");
  assert.equal(await readText(folder.dir, "bom.md"), "# A\r\n\ufeffB\n");
});

test("a NUL near the start means binary; one far behind is replaced", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("zero.md", "\0");
  folder.write("binary.md", Buffer.from([0x89, 0x50, 0, 0, 1]));
  folder.write("utf16.md", Buffer.from("\ufeffhello", "utf16le"));
  folder.write("late.md", `${"a".repeat(10_000)}\0b`);
  await assert.rejects(readText(folder.dir, "zero.md"), { code: "note-binary" });
  await assert.rejects(readText(folder.dir, "binary.md"), { code: "note-binary", message: /binary data/ });
  await assert.rejects(readText(folder.dir, "utf16.md"), { code: "note-binary", hint: "Save it as UTF-8." });
  assert.equal(await readText(folder.dir, "late.md"), `${"a".repeat(10_000)}\ufffdb`);
});

test("a note over 16 MiB is refused without being read, one of 16 MiB is not", async (t) => {
  const folder = makeTemporaryFolder(t, { "large.md": "", "fits.md": "" });
  truncateSync(folder.at("large.md"), 100 * 1024 * 1024);
  folder.write("fits.md", Buffer.alloc(16 * 1024 * 1024, "a"));
  await assert.rejects(readText(folder.dir, "large.md"), {
    code: "note-too-large",
    message: / has 100 MiB; /,
  });
  assert.equal((await readText(folder.dir, "fits.md"))?.length, 16 * 1024 * 1024);
});

test("folders and FIFOs are refused without blocking", {
  skip: skipWithoutPipes,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  mkdirSync(folder.at("x.md"));
  execFileSync("mkfifo", [folder.at("y.md")]);
  for (const name of ["x.md", "y.md"]) {
    await assert.rejects(readText(folder.dir, name), {
      code: "note-unreadable",
      message: /not a regular file/,
    });
  }
});

test("a note without read permission is reported", { skip: skipWithoutModes }, async (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "x" });
  chmodSync(folder.dir, 0o755);
  chmodSync(folder.at("a.md"), 0);
  await asOrdinaryUser(() =>
    assert.rejects(readText(folder.dir, "a.md"), {
      code: "note-unreadable",
      message: /EACCES/,
      retryable: false,
    }),
  );
});

test("a note read long after its change has the version that a listing shows", async (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "x" });
  const stats = statSync(folder.at("a.md"), { bigint: true });
  const versionAt = async (ms: number) =>
    (await readNote(locate(folder.dir, "a.md"), { now: () => new Date(ms) }))?.version;
  const changedAt = Number(stats.ctimeMs);
  assert.equal(await versionAt(changedAt + 2002), versionOf(stats));
  assert.notEqual(await versionAt(changedAt + 1998), versionOf(stats), "changed less than two seconds ago");
  assert.notEqual(await versionAt(changedAt - 60_000), versionOf(stats), "changed in the future");

  utimesSync(folder.at("a.md"), changedAt / 1000 + 3600, changedAt / 1000 + 3600);
  const future = statSync(folder.at("a.md"), { bigint: true });
  assert.notEqual(await versionAt(changedAt + 60_000), versionOf(future), "modified in the future");
  assert.equal(await versionAt(changedAt + 3_700_000), versionOf(future));

  utimesSync(folder.at("a.md"), 1000, 1000);
  const past = statSync(folder.at("a.md"), { bigint: true });
  const setAt = Number(past.ctimeMs);
  assert.notEqual(await versionAt(setAt + 1998), versionOf(past), "its time was just set to long ago");
  assert.equal(await versionAt(setAt + 2002), versionOf(past));
});

test("a note that changes while it is read is read again", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("a.md", Buffer.alloc(maxNoteBytes, "a"));
  const source = `
    import { utimesSync, writeSync } from "node:fs";
    const [file] = process.argv.slice(1);
    for (let n = 1; ; n++) {
      utimesSync(file, n, n);
      if (n === 9) writeSync(1, ".");
    }`;
  let attempts = 0;
  const countingNow = () => {
    attempts++;
    return new Date();
  };
  await whileRunning(t, { source, argv: [folder.at("a.md")] }, async () => {
    // Few reads end before the other process sets the time again; on one core it may not even run during a read.
    for (let reads = 1; reads <= 200; reads++) {
      await readNote(locate(folder.dir, "a.md"), { now: countingNow }).catch((error) => {
        assert.match(error.message, /kept changing/);
      });
      if (attempts > reads) return;
    }
    assert.fail("no read was repeated");
  });
});

test("a note that another process keeps rewriting is never a mix of two versions", {
  skip:
    fuseKind === "exfat" &&
    "its clock has steps of two seconds, so a change may not show; the next scan reads it again",
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "a.md": "" });
  const source = `
    import { renameSync, writeFileSync, writeSync } from "node:fs";
    const [file] = process.argv.slice(1);
    for (let n = 0; ; n = (n + 1) % 10) {
      writeFileSync(file + ".new", String(n).repeat(200_000));
      renameSync(file + ".new", file);
      writeFileSync(file, String(n).repeat(100_000));
      if (n === 9) writeSync(1, ".");
    }`;
  let reads = 0;
  await whileRunning(t, { source, argv: [folder.at("a.md")] }, async () => {
    for (const endsAt = performance.now() + 1000; performance.now() < endsAt; ) {
      const text = await readText(folder.dir, "a.md").catch((error) => {
        assert.ok(error.code === "note-unreadable" && error.retryable, String(error));
        return null;
      });
      if (text === null) continue;
      assert.equal(text, text.charAt(0).repeat(text.length));
      reads++;
    }
  });
  t.diagnostic(`${reads} reads`);
});
