import assert from "node:assert/strict";
import { readdirSync, utimesSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  columnsOf,
  type ForeignDatabase,
  openForeignDatabase,
  openWith,
  readable,
} from "./foreign-database.ts";

function createDatabase(t: TestContext, journal: "wal" | "delete") {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("other.db");
  const theirs = new DatabaseSync(path);
  t.after(() => theirs.isOpen && theirs.close());
  theirs.exec(
    `PRAGMA journal_mode = ${journal}; CREATE TABLE turns (id, text); INSERT INTO turns VALUES (1, 'a')`,
  );
  return { folder, path, theirs };
}

const changed = { code: "note-unreadable", retryable: true, message: /changed while it was read/ };

test("a database that its program has open is read in its current state", (t) => {
  const { path, theirs } = createDatabase(t, "wal");
  using opened = openForeignDatabase(path)!;
  const { db, checkUnchanged } = opened;
  assert.deepEqual([...columnsOf(db, "turns")], ["id", "text"]);
  assert.equal(columnsOf(db, "missing").size, 0);
  theirs.exec("INSERT INTO turns VALUES (2, 'b')");
  assert.equal(db.prepare("SELECT count(*) AS count FROM turns").get()?.["count"], 2);
  checkUnchanged();
  assert.throws(() => db.exec("DELETE FROM turns"), /readonly|read-only|query_only/i);
});

test("a database at rest is read without creating files beside it, and a change meanwhile is noticed", (t) => {
  const { folder, path, theirs } = createDatabase(t, "delete");
  theirs.close();
  const opened = openForeignDatabase(path)!;
  assert.equal(opened.db.prepare("SELECT text FROM turns").get()?.["text"], "a");
  assert.deepEqual(readdirSync(folder.dir), ["other.db"]);
  opened.checkUnchanged();
  folder.write("other.db-wal", "a log");
  assert.throws(opened.checkUnchanged, changed, "its program has begun to write");
  folder.write("other.db-wal", "");
  assert.throws(opened.checkUnchanged, changed);
  opened[Symbol.dispose]();
  assert.equal(opened.db.isOpen, false);
  opened[Symbol.dispose]();

  using again = openForeignDatabase(path)!;
  again.checkUnchanged();
  utimesSync(path, 1, 1);
  assert.throws(again.checkUnchanged, changed);
});

test("a database is closed where nothing can be made of it", (t) => {
  const { folder, path, theirs } = createDatabase(t, "delete");
  theirs.close();
  const opened: ForeignDatabase["db"][] = [];
  const openTo = (work: () => string | null): string | null =>
    openWith(path, ({ ask, db }) => {
      opened.push(db);
      return ask(work);
    });
  const change = (): string => {
    folder.write("other.db-wal", "a log");
    return "read";
  };
  const [nothing, kept] = [openTo(() => null), openTo(() => "read")];
  assert.deepEqual([nothing, kept], [null, "read"]);
  assert.throws(() => openTo(change), changed);
  const areOpen = opened.map((db) => db.isOpen);
  opened[1]!.close();
  assert.deepEqual(areOpen, [false, true, false]);
});

test("a missing file is no database, and a file of another kind is unreadable", (t) => {
  const folder = makeTemporaryFolder(t, { "text.db": "some text that is no database ".repeat(40) });
  assert.equal(openForeignDatabase(folder.at("missing.db")), null);
  assert.equal(openForeignDatabase(folder.makeFolder("folder.db")), null);
  const path = folder.at("text.db");
  assert.throws(
    () => readable(path, () => openForeignDatabase(path)!.db.prepare("SELECT 1 FROM sqlite_schema").get()),
    { code: "note-unreadable", retryable: true, message: /text\.db cannot be read: SQLite says file is not/ },
  );
  const fault = new TypeError("a fault");
  assert.throws(
    () =>
      readable(path, () => {
        throw fault;
      }),
    fault,
  );
  assert.equal(
    readable(path, () => 7),
    7,
  );
});
