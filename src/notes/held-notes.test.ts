import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { holdFile } from "../../test/support/hold-file.ts";
import { isWindows } from "../../test/support/platform.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { removeFileSync, removeFolderSync } from "../files.ts";
import { openNotes } from "./notes.ts";

/* Programs of Windows that open files for themselves alone. */

const path = "memory/a.md";
const expected = { text: "old\n" };

function openWorkspace(folder: TemporaryFolder) {
  return openNotes({
    workspaceDir: folder.at("ws"),
    extraPaths: [],
    exclude: [],
    timezone: "UTC",
    withLock: async (work) => work(),
  });
}

type Notes = ReturnType<typeof openNotes>;

const calls: Readonly<Record<string, (notes: Notes) => Promise<unknown>>> = {
  read: (notes) => notes.read(path),
  "added to": (notes) => notes.append({ text: "new", to: path }),
  replaced: (notes) => notes.replace({ path, expected, text: "new\n" }),
  deleted: (notes) => notes.removeNote({ path, expected }),
};

for (const [title, call] of Object.entries(calls)) {
  test(`a note that another program holds for a moment is ${title}`, async (t) => {
    const folder = makeTemporaryFolder(t, { [`ws/${path}`]: "old\n" });
    await holdFile(t, folder.at(`ws/${path}`), 60);
    await call(openWorkspace(folder));
    const left = readdirSync(folder.at("ws/memory"));
    assert.deepEqual(left, title === "deleted" ? [] : ["a.md"]);
  });

  test(`a note that another program keeps is not ${title}, and stays whole`, {
    skip: !isWindows && "no program can keep a file to itself",
  }, async (t) => {
    const folder = makeTemporaryFolder(t, { [`ws/${path}`]: "old\n" });
    await holdFile(t, folder.at(`ws/${path}`), 2000);
    await assert.rejects(call(openWorkspace(folder)), {
      message: /the system says EBUSY/,
      hint: /Another program/,
      retryable: true,
    });
    assert.deepEqual(readdirSync(folder.at("ws/memory")), ["a.md"]);
  });
}

test("files and folders are deleted as soon as another program lets go of them", async (t) => {
  const folder = makeTemporaryFolder(t, { "one.txt": "", "all/deep/two.txt": "" });
  await holdFile(t, folder.at("one.txt"), 60);
  // Windows deletes such a file for those who ask for it.
  chmodSync(folder.at("one.txt"), 0o444);
  removeFileSync(folder.at("one.txt"));
  await holdFile(t, folder.at("all/deep/two.txt"), 60);
  removeFolderSync(folder.at("all"));
  removeFileSync(folder.at("one.txt"));
  assert.deepEqual(readdirSync(folder.dir), []);
});

test("a replaced note has its new text once no program holds it", async (t) => {
  const folder = makeTemporaryFolder(t, { [`ws/${path}`]: "old\n" });
  await holdFile(t, folder.at(`ws/${path}`), 30);
  await openWorkspace(folder).replace({ path, expected, text: "new\n" });
  assert.equal(readFileSync(folder.at(`ws/${path}`), "utf8"), "new\n");
});
