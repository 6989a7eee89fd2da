import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { skipWithoutModes } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createSeenContents } from "./seen-contents.ts";

const file = { version: "1:2", hash: "abc" };

test("seen contents are kept for the next process, for the same index only", async (t) => {
  const path = makeTemporaryFolder(t).at("state/seen.json");
  {
    await using seen = createSeenContents(path);
    // Indexed before the first sync has identified the index.
    seen.note("memory", "a.md", file);
    await seen.open("index-1");
    seen.note("sessions", "a.md", { ...file, hash: "other" });
    seen.note("memory", "b.md", file);
    seen.forget("memory", "b.md");
    await seen.save();
    assert.ok(!existsSync(path), "few changes are not worth a write");
  }
  if (!skipWithoutModes) assert.equal(statSync(path).mode & 0o777, 0o600);
  await using again = createSeenContents(path);
  assert.equal(again.find("memory", "a.md"), undefined);
  await again.open("index-1");
  assert.deepEqual(again.find("memory", "a.md"), file);
  assert.equal(again.find("sessions", "a.md")?.hash, "other");
  assert.equal(again.find("memory", "b.md"), undefined);
  await again.open("index-2");
  assert.equal(again.find("memory", "a.md"), undefined);
});

test("a file that cannot be parsed or written only costs extra reads", async (t) => {
  const folder = makeTemporaryFolder(t);
  for (const text of ["", "{", "null", "[]", '{"index":"i","files":[1,["a"],["memory:b.md","1","h"]]}']) {
    writeFileSync(folder.at("seen.json"), text);
    await using seen = createSeenContents(folder.at("seen.json"));
    await seen.open("i");
    assert.equal(seen.find("memory", "b.md")?.hash, text.includes("b.md") ? "h" : undefined);
  }
  writeFileSync(folder.at("no-folder"), "");
  await using seen = createSeenContents(folder.at("no-folder/seen.json"));
  await seen.open("i");
  seen.note("memory", "a.md", file);
});
