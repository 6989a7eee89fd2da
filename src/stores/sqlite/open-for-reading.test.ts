import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { asOrdinaryUser } from "../../../test/support/ordinary-user.ts";
import { skipWithoutModes } from "../../../test/support/platform.ts";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { hasLog, loadSqlite, openUnchanging } from "./load-sqlite.ts";
import { checkIndexFile, openForReading, openToRead } from "./open-for-reading.ts";
import { schemaVersion } from "./schema.ts";

const openIfWhole = (path: string) => {
  const opened = openForReading(loadSqlite(), path, () => "prepared");
  opened?.db.close();
  return opened?.prepared ?? null;
};

/** Descriptors of this process that lead to the file or one beside it. */
const countOpen = (path: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
    } catch {
      return false;
    }
  }).length;

const skipWithoutProc = process.platform !== "linux" && "needs /proc";

async function writeIndex(path: string): Promise<void> {
  await using store = await openAt(path);
  const chunks = Array.from({ length: 200 }, (_, index) => `word${index} ${"filler ".repeat(20)}`);
  await store.put([document("a.md", chunks)], "cut-1");
}

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
  assert.equal(openIfWhole(copy), null, "the log has content that the file lacks");
  await store[Symbol.asyncDispose]();
  assert.equal(openIfWhole(path), "prepared");
  writeFileSync(`${path}-wal`, "");
  assert.equal(openIfWhole(path), "prepared", "an empty log contains nothing");
  assert.equal(openIfWhole(folder.write("other.sqlite", "no database")), null);
});

test("an index of another agent is refused, and not kept open", { skip: skipWithoutProc }, async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const store = await openAt(path, { owner: "alice" });
  await store.put([document("a.md", ["fig"])], "cut-1");
  assert.ok(countOpen(path) > 0);
  await store[Symbol.asyncDispose]();
  await assert.rejects(openAt(path, { owner: "bob" }), { code: "index-shared", message: /agent alice/ });
  assert.equal(countOpen(path), 0);
});

test("an index of another schema, or without read permission, is not opened, and not kept open", {
  skip: skipWithoutProc || skipWithoutModes,
}, async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await writeIndex(path);
  for (const version of [schemaVersion - 1, schemaVersion + 1]) {
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
    assert.equal(openIfWhole(path), null, `version ${version}`);
    assert.equal(countOpen(path), 0);
  }
  chmodSync(dirname(path), 0o755);
  chmodSync(path, 0);
  await asOrdinaryUser(async () => assert.equal(openIfWhole(path), null));
  chmodSync(path, 0o600);
});

test("an index whose statements cannot be prepared is not kept open", {
  skip: skipWithoutProc,
}, async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await writeIndex(path);
  const failing = () => {
    throw new Error("no such table");
  };
  assert.equal(openForReading(loadSqlite(), path, failing), null);
  assert.equal(countOpen(path), 0);
});

test("an immutable connection cannot write, trusts no schema, and creates no file beside the index", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const before = readdirSync(folder.dir);
  using db = openUnchanging(loadSqlite(), path);
  assert.equal(db.prepare("SELECT count(*) AS count FROM chunks").get()?.["count"], 200);
  assert.equal(db.prepare("PRAGMA trusted_schema").get()?.["trusted_schema"], 0);
  assert.throws(() => db.exec("DELETE FROM meta"), /readonly/);
  assert.deepEqual(readdirSync(folder.dir), before);
});

test("an empty log does not count as one", (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  assert.equal(hasLog(path), false);
  folder.write("index.sqlite-wal", "");
  assert.equal(hasLog(path), false);
  folder.write("index.sqlite-wal", "x");
  assert.equal(hasLog(path), true);
});

test("an index is read with its log, waits for a writer, and cannot be written", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await writeIndex(path);
  await using store = await openAt(path);
  await store.put([document("b.md", ["fig"])], "cut-1");
  using db = openToRead(path);
  assert.equal(db.prepare("SELECT count(*) AS count FROM files").get()?.["count"], 2);
  assert.equal(db.prepare("PRAGMA busy_timeout").get()?.["timeout"], 5000);
  assert.throws(() => db.exec("DELETE FROM meta"), /readonly/);
});

test("in a read-only folder an index is opened as immutable, unless it has a log", {
  skip: skipWithoutModes || skipWithoutProc,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("inner/index.sqlite");
  await writeIndex(path);
  chmodSync(path, 0o444);
  chmodSync(folder.dir, 0o755);
  const readCount = () => {
    using db = openToRead(path);
    return db.prepare("SELECT count(*) AS count FROM files").get()?.["count"];
  };
  chmodSync(dirname(path), 0o555);
  await asOrdinaryUser(async () => {
    assert.equal(readCount(), 1);
    assert.equal(countOpen(path), 0);
  });
  chmodSync(dirname(path), 0o755);
  writeFileSync(`${path}-wal`, "a log");
  chmodSync(dirname(path), 0o555);
  await asOrdinaryUser(async () => {
    assert.throws(readCount, /readonly|unable to open/);
    assert.equal(countOpen(path), 0);
  });
  chmodSync(dirname(path), 0o755);
});

test("a check names up to three problems of a file, and does not change it", {
  skip: skipWithoutProc,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  assert.deepEqual(checkIndexFile(path), []);
  assert.equal(countOpen(path), 0);
  addRowsBehindIndex(path);
  const damaged = readFileSync(path);
  const found = checkIndexFile(path);
  assert.equal(found.length, 3);
  assert.match(found[0]!, /index by_name/);
  assert.equal(countOpen(path), 0);
  assert.ok(readFileSync(path).equals(damaged));
  assert.deepEqual(checkIndexFile(folder.write("text.sqlite", "no database ".repeat(100))), [
    "file is not a database",
  ]);
  assert.deepEqual(checkIndexFile(folder.at("missing.sqlite")), ["unable to open database file"]);
});

/** Ten rows of a table that are missing from its index. */
function addRowsBehindIndex(path: string): void {
  const change = (sql: string) => {
    using db = new DatabaseSync(path);
    db.enableDefensive?.(false);
    db.exec(`PRAGMA writable_schema = ON; ${sql}`);
  };
  change("CREATE TABLE people (name); CREATE INDEX by_name ON people (name)");
  change("CREATE TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = 'by_name'");
  change("DELETE FROM sqlite_schema WHERE name = 'by_name'");
  change("INSERT INTO people SELECT value FROM json_each('[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]')");
  change("INSERT INTO sqlite_schema SELECT * FROM hidden");
}
