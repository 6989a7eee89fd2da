import assert from "node:assert/strict";
import { closeSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import {
  type Content,
  createImpatientDownload,
  downloadContent,
  mayBePlaceholder,
  readBytes,
} from "./read.ts";

function openFile(t: TestContext, text = "The glaze is blue.\n") {
  const file = makeTemporaryFolder(t).write("memory/a.md", text);
  const open = () => {
    const fd = openSync(file, "r");
    return { fd, stats: fstatSync(fd, { bigint: true }) };
  };
  return { file, open };
}

const isClosed = (fd: number) => {
  try {
    fstatSync(fd);
    return false;
  } catch {
    return true;
  }
};

const refusal = { code: "note-unreadable", retryable: true, message: /memory\/a\.md .* being downloaded/ };

test("a file that has a size and no allocated blocks may be a placeholder", () => {
  assert.equal(mayBePlaceholder({ size: 10n, blocks: 0n }), true);
  assert.equal(mayBePlaceholder({ size: 10n, blocks: 8n }), false);
  assert.equal(mayBePlaceholder({ size: 0n, blocks: 0n }), false);
});

suite("Downloading the content of a note", () => {
  test("gives the same bytes as reading it at once, and closes it", async (t) => {
    for (const text of ["", "short", "x".repeat(200_000)]) {
      const { open } = openFile(t, text);
      const note = open();
      const expected = readBytes(note.fd, 1_000_000);
      const { bytes, after } = await downloadContent(note, "memory/a.md");
      assert.deepEqual(bytes, expected);
      assert.equal(after.size, BigInt(text.length));
      assert.ok(isClosed(note.fd));
    }
  });

  test("shows that the note has grown since it was opened", async (t) => {
    const { file, open } = openFile(t);
    const note = open();
    writeFileSync(file, "It is another and longer text by now.\n");
    const { bytes, after } = await downloadContent(note, "memory/a.md");
    assert.notEqual(after.size, note.stats.size);
    assert.ok(bytes.length > Number(note.stats.size));
  });

  test("is given up after a limit, and tried again only once the download has ended", async (t) => {
    const { open } = openFile(t);
    const { promise, resolve } = Promise.withResolvers<Content>();
    let started = 0;
    const download = createImpatientDownload(1, ({ fd }) => {
      started++;
      closeSync(fd);
      return promise;
    });
    await assert.rejects(download(open(), "memory/a.md"), refusal);
    const second = open();
    await assert.rejects(download(second, "memory/a.md"), refusal);
    assert.ok(isClosed(second.fd));
    assert.equal(started, 1);
    resolve({ bytes: Buffer.alloc(0), after: second.stats });
    await setImmediate();
    assert.equal(await download(open(), "memory/a.md"), await promise);
  });

  test("leaves threads for other files: at most two slow downloads run at once", async (t) => {
    const { open } = openFile(t);
    let started = 0;
    const download = createImpatientDownload(1, ({ fd }) => {
      started++;
      closeSync(fd);
      return new Promise<Content>(() => {});
    });
    for (const path of ["memory/a.md", "memory/a.md", "memory/b.md", "memory/c.md"])
      await assert.rejects(download(open(), path), { code: "note-unreadable" });
    assert.equal(started, 2);
  });

  test("reports an error of the system as it is", async (t) => {
    const { open } = openFile(t);
    const cause = Object.assign(new Error("EDEADLK"), { code: "EDEADLK" });
    const download = createImpatientDownload(600_000, ({ fd }) => {
      closeSync(fd);
      return Promise.reject(cause);
    });
    await assert.rejects(download(open(), "memory/a.md"), cause);
  });
});
