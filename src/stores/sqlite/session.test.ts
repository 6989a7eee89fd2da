import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { skipDeletingOpenFiles } from "../../../test/support/platform.ts";
import { document } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSlices } from "../../timing.ts";
import { pageBytes } from "./connection.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { openSession } from "./session.ts";
import { ExchangedFile } from "./sqlite-failure.ts";

async function openFixture(t: TestContext) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const options = {
    path,
    tokens: ({ text }: { text: string }) => ({ body: text, head: "" }),
    now: () => 0,
    onRepair: () => {},
  };
  const session = await openSession(loadSqlite(), options);
  t.after(() => session.reader.isOpen && session.close());
  return { path, session };
}

const pragmaOf = (db: DatabaseSync, pragma: string) =>
  Object.values(db.prepare(`PRAGMA ${pragma}`).get()!)[0];

test("both connections keep a crafted file harmless, and the one that writes leaves nothing of what it deletes", async (t) => {
  const { session } = await openFixture(t);
  const { db, writing } = session.writer();
  assert.equal(session.writer().db, db, "there is one");
  for (const each of [session.reader, db]) {
    const pragmas = ["secure_delete", "trusted_schema", "temp_store", "mmap_size"];
    assert.deepEqual(
      pragmas.map((pragma) => pragmaOf(each, pragma)),
      [1, 0, 2, 0],
    );
  }
  assert.equal(pragmaOf(db, "cache_size"), -16 * 1024);
  assert.equal(pragmaOf(db, "busy_timeout"), 5);
  assert.equal(pragmaOf(db, "wal_autocheckpoint"), (32 * 1024 * 1024) / pageBytes);
  db.exec("BEGIN");
  await writing.put([document("a.md", ["fig"])], "cut-1", { slices: createSlices(10) });
  db.exec("COMMIT");
  assert.equal(session.reading.chunksOf("memory", "a.md").length, 1);
});

test("the sizes are those of the files and of what they hold", async (t) => {
  const { path, session } = await openFixture(t);
  assert.equal(session.isIntact(), true);
  session.writer().db.exec(
    `INSERT INTO vector_rows VALUES (1, x'0102'), (2, x'03');
     INSERT INTO embedding_cache VALUES ('p', 'm', 'k', 'h', x'01020304', 1, 1)`,
  );
  const { databaseBytes, walBytes, vectorBytes, cacheBytes } = session.sizes();
  assert.deepEqual(
    [databaseBytes, walBytes, vectorBytes, cacheBytes],
    [statSync(path).size, statSync(`${path}-wal`).size, 3, 4],
  );
  session.close();
  assert.equal(session.reader.isOpen, false);
});

test("a session whose file was exchanged writes to neither", { skip: skipDeletingOpenFiles }, async (t) => {
  const { path, session } = await openFixture(t);
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  assert.equal(session.isIntact(), false);
  assert.throws(() => session.writer(), ExchangedFile);
  rmSync(path);
  assert.throws(() => session.writer(), ExchangedFile);
  assert.equal(session.isIntact(), false);
});
