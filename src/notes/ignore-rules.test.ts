import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { loadIgnoreRules } from "./ignore-rules.ts";

test("a hundred thousand lines of plain names are looked up, not tried one after the other", async (t) => {
  const folder = makeTemporaryFolder(t);
  const lines = Array.from({ length: 100_000 }, (_, at) => `old/note-${at}.md`);
  folder.write(".longhandignore", ["# generated", ...lines, "*.tmp.md"].join("\n"));
  const rules = await loadIgnoreRules(folder.dir, []);
  const before = process.cpuUsage();
  for (let at = 0; at < 20_000; at++) {
    assert.equal(rules?.ignoresFile(`old/note-${at}.md`), true);
    assert.equal(rules?.ignoresFile(`new/note-${at}.md`), false);
  }
  assert.equal(rules?.ignoresFile("new/a.tmp.md"), true);
  // One after the other this takes minutes.
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

test("too many patterns that have to be tried are an error", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write(".longhandignore", Array.from({ length: 2001 }, (_, at) => `*-${at}.md`).join("\n"));
  await assert.rejects(loadIgnoreRules(folder.dir, []), { code: "config-invalid", message: /2001/ });
});
