import assert from "node:assert/strict";
import { linkSync, readdirSync, readFileSync, readlinkSync, symlinkSync, truncateSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { skipWithoutHardLinks, skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Location } from "./locate.ts";
import { openNotes } from "./notes.ts";
import { openNote } from "./open-note.ts";
import { createImpatientDownload, downloadContent } from "./read.ts";

const skip = process.platform !== "linux" && "only Linux lists the open files of a process";

/** The files in a folder that this process has open. */
function openFilesIn({ dir }: TemporaryFolder): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(dir) ? [file] : [];
    } catch {
      // The descriptor of this listing itself is closed by now.
      return [];
    }
  });
}

function openFixture(t: TestContext) {
  const folder = makeTemporaryFolder(t, { "ws/MEMORY.md": "- one\n", "ws/memory/a.md": "- one\n- two\n" });
  const notes = openNotes({
    workspaceDir: folder.at("ws"),
    extraPaths: [],
    exclude: [],
    timezone: "UTC",
    withLock: async (work) => work(),
  });
  return { folder, notes };
}

test("every call closes what it opened, whether it succeeds or is refused", {
  skip: skip || skipWithoutLinks || skipWithoutHardLinks,
}, async (t) => {
  const { folder, notes } = openFixture(t);
  const [file, path] = [folder.at("ws/memory/a.md"), "memory/a.md"];
  const seen = () => ({ text: readFileSync(file, "utf8") });
  folder.write("ws/memory/binary.md", "a\0b");
  folder.write("ws/memory/large.md");
  truncateSync(folder.at("ws/memory/large.md"), 16 * 1024 * 1024 + 1);
  folder.write("ws/memory/twin.md", "- one\n");
  linkSync(folder.at("ws/memory/twin.md"), folder.at("ws/memory/other-twin.md"));
  symlinkSync(file, folder.at("ws/memory/link.md"));
  folder.makeFolder("ws/memory/folder.md");
  const names = ["a", "binary", "large", "twin", "link", "folder", "missing"];
  const paths = ["MEMORY.md", ...names.map((name) => `memory/${name}.md`), "memory/new/deep/b.md"];
  const calls: ((path: string) => Promise<unknown>)[] = [
    (each) => notes.read(each),
    (each) => notes.readWhole({ path: each }),
    (each) => notes.readLines({ path: each }),
    (each) => notes.readExact(each),
    (each) => notes.whyNotEditable(each),
    (each) => notes.append({ text: `more for ${each}`, to: each }),
    (each) => notes.append({ text: `more for ${each}`, to: each }),
    async (each) => notes.replace({ path: each, expected: seen(), text: "- new\n" }),
    (each) => notes.removeLines({ path: each, passages: [] }),
    async (each) => notes.removeNote({ path: each, expected: seen() }),
    () => notes.scan(),
    () => notes.removeLeftovers(),
  ];
  for (const [at, call] of calls.entries()) {
    for (const each of paths) {
      await call(each).catch(() => {});
      assert.deepEqual(openFilesIn(folder), [], `call ${at} on ${each}`);
    }
  }
  assert.equal(await notes.read(path), null, "the last call but two removed it");
});

test("a note that is swapped while it is opened is closed each time", { skip }, (t) => {
  const { folder } = openFixture(t);
  const location: Location = {
    ...{ path: "memory/a.md", root: folder.at("ws"), relative: "memory/a.md", isWritable: true },
  };
  let opened = 0;
  const isOther = () => {
    opened = Math.max(opened, openFilesIn(folder).length);
    return false;
  };
  assert.throws(() => openNote(location, isOther), { code: "note-unreadable", retryable: true });
  const fail = () => assert.fail("a fault");
  assert.throws(() => openNote(location, fail), /a fault/);
  assert.deepEqual([opened, openFilesIn(folder)], [1, []]);
});

test("a download that is refused because others are slow is closed", { skip }, async (t) => {
  const { folder } = openFixture(t);
  const location = { path: "a", root: folder.at("ws"), relative: "memory/a.md", isWritable: true };
  const { promise, resolve } = Promise.withResolvers<void>();
  const download = createImpatientDownload(0, async (note, path) => {
    await promise;
    return downloadContent(note, path);
  });
  for (const path of ["a", "b", "c", "a"]) {
    await assert.rejects(download(openNote(location)!, path), { code: "note-unreadable", retryable: true });
  }
  assert.equal(openFilesIn(folder).length, 2, "those of the downloads that go on");
  resolve();
  assert.equal((await downloadContent(openNote(location)!, "a")).bytes.toString(), "- one\n- two\n");
});
