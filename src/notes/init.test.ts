import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { asOrdinaryUser } from "../../test/support/ordinary-user.ts";
import { ignoresCase, skipWithoutModes } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { initWorkspace } from "./init.ts";

test("a folder becomes a workspace once, and nothing in it is changed", async (t) => {
  const { at } = makeTemporaryFolder(t);
  assert.deepEqual(await initWorkspace(at("a/b")), ["MEMORY.md", "memory/"]);
  assert.equal(readFileSync(at("a/b/MEMORY.md"), "utf8"), "# Memory\n");
  assert.deepEqual(await initWorkspace(at("a/b")), []);
});

test("an existing long-term note is kept, in either spelling", async (t) => {
  const { at } = makeTemporaryFolder(t, {
    "a/MEMORY.md": "mine",
    "b/memory.md": "mine",
    "b/memory/x.md": "",
  });
  assert.deepEqual(await initWorkspace(at("a")), ["memory/"]);
  assert.equal(readFileSync(at("a/MEMORY.md"), "utf8"), "mine");
  assert.deepEqual(await initWorkspace(at("b")), []);
  if (!ignoresCase) assert.equal(existsSync(at("b/MEMORY.md")), false);
});

test("a file in place of a folder is reported", async (t) => {
  const { at } = makeTemporaryFolder(t, { file: "", "ws/memory": "" });
  const refusal = (path: string) => ({
    code: "workspace-missing",
    message: `${path} cannot be a folder: something else is there.`,
  });
  await assert.rejects(initWorkspace(at("file")), refusal(at("file")));
  await assert.rejects(initWorkspace(at("file/inner")), refusal(at("file/inner")));
  await assert.rejects(initWorkspace(at("ws")), refusal(at("ws/memory")));
});

test("a long-term note that cannot be created is reported", { skip: skipWithoutModes }, async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.makeFolder("ws/memory");
  chmodSync(folder.dir, 0o755);
  chmodSync(folder.at("ws"), 0o555);
  await asOrdinaryUser(() =>
    assert.rejects(initWorkspace(folder.at("ws")), { code: "note-unwritable", message: /EACCES/ }),
  );
  chmodSync(folder.at("ws"), 0o755);
});

test("a folder that the system cannot create is reported", async (t) => {
  const { at } = makeTemporaryFolder(t);
  await assert.rejects(initWorkspace(at("x".repeat(300))), {
    code: "note-unwritable",
    message: /could not be created in/,
  });
});
