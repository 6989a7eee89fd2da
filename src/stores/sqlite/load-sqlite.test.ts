import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadSqlite, sqlitePath, unchangingAddress } from "./load-sqlite.ts";

const deep = "a-folder-with-a-long-name\\".repeat(10);

test("on Windows SQLite gets long paths with the prefix, and no other path is changed", () => {
  assert.equal(sqlitePath(`C:\\${deep}index.sqlite`, "win32"), `\\\\?\\C:\\${deep}index.sqlite`);
  assert.equal(
    sqlitePath(`\\\\nas\\notes\\${deep}i.sqlite`, "win32"),
    `\\\\?\\UNC\\nas\\notes\\${deep}i.sqlite`,
  );
  const short = "C:\\Users\\ann\\.longhand\\memory\\main.longhand.sqlite";
  assert.equal(sqlitePath(short, "win32"), short);
  // What SQLite opens beside it, such as `-journal`, must be short, too.
  assert.equal(sqlitePath(`C:\\${"x".repeat(248)}`, "win32"), `C:\\${"x".repeat(248)}`);
  assert.equal(sqlitePath(`C:\\${"x".repeat(249)}`, "win32"), `\\\\?\\C:\\${"x".repeat(249)}`);
  const posix = `/home/ann/${"x".repeat(300)}`;
  for (const platform of ["linux", "darwin"] as const) assert.equal(sqlitePath(posix, platform), posix);
});

test("a database of any name can be opened by URI, on Windows also on a share", (t) => {
  const folder = makeTemporaryFolder(t);
  const { DatabaseSync } = loadSqlite();
  for (const name of [
    "plain.sqlite",
    "50% & #1 ä.sqlite",
    ...(process.platform === "win32" ? [] : ["a?b=c"]),
  ]) {
    const made = new DatabaseSync(folder.at(name));
    made.exec("CREATE TABLE named(x)");
    made.close();
    const db = new DatabaseSync(unchangingAddress(folder.at(name)), { readOnly: true });
    assert.equal(db.prepare("SELECT name FROM sqlite_schema").get()?.["name"], "named");
    db.close();
  }
  assert.equal(
    unchangingAddress("\\\\nas\\notes\\i.sqlite", "win32"),
    "file:%5C%5Cnas%5Cnotes%5Ci.sqlite?immutable=1",
  );
});
