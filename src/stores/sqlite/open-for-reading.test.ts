import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { openForReading } from "./open-for-reading.ts";

const openIfWhole = (path: string) => {
  const opened = openForReading(loadSqlite(), path, () => "prepared");
  opened?.db.close();
  return opened?.prepared ?? null;
};

test("a whole index is opened without a file beside it; one with a log, or none, is not", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  assert.equal(openIfWhole(path), null);
  assert.ok(!existsSync(path));
  await (await openAt(path))[Symbol.asyncDispose]();
  const store = await openAt(path);
  await store.put([document("a.md", ["fig"])], "cut-1");
  const copy = folder.at("copy.sqlite");
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  assert.equal(openIfWhole(copy), null, "the log has what the file has not");
  await store[Symbol.asyncDispose]();
  assert.equal(openIfWhole(path), "prepared");
  writeFileSync(`${path}-wal`, "");
  assert.equal(openIfWhole(path), "prepared", "an empty log contains nothing");
  assert.equal(openIfWhole(folder.write("other.sqlite", "no database")), null);
});

test("an index of another agent is refused, and not kept open", {
  skip: process.platform !== "linux" && "needs /proc",
}, async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const countOpen = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
      } catch {
        return false;
      }
    }).length;
  const store = await openAt(path, { owner: "alice" });
  await store.put([document("a.md", ["fig"])], "cut-1");
  assert.ok(countOpen() > 0);
  await store[Symbol.asyncDispose]();
  await assert.rejects(openAt(path, { owner: "bob" }), { code: "index-shared", message: /agent alice/ });
  assert.equal(countOpen(), 0);
});
