import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { inSnapshot, inTransaction, whenNotBusy } from "./transaction.ts";

/** Two connections to one database, like those of two processes. */
function openTwo(t: TestContext) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const open = () => {
    const db = new DatabaseSync(path, { timeout: 0 });
    db.exec("PRAGMA journal_mode = wal; CREATE TABLE IF NOT EXISTS numbers (value)");
    t.after(() => db.close());
    return db;
  };
  return [open(), open()] as const;
}

const add = (db: DatabaseSync, value: number) => db.prepare("INSERT INTO numbers VALUES (?)").run(value);
const sum = (db: DatabaseSync) => db.prepare("SELECT sum(value) AS sum FROM numbers").get()?.["sum"];

test("a failed transaction leaves nothing, and a committed one is visible to others", async (t) => {
  const [ours, theirs] = openTwo(t);
  const failing = inTransaction(ours, 0, async () => {
    add(ours, 1);
    throw new TypeError("a fault");
  });
  await assert.rejects(failing, /a fault/);
  assert.deepEqual([ours.isTransaction, sum(ours)], [false, null]);
  assert.equal(await inTransaction(ours, 0, () => add(ours, 2).changes), 1);
  assert.deepEqual([ours.isTransaction, sum(theirs)], [false, 2]);
  const closing = inTransaction(theirs, 0, () => {
    theirs.exec("ROLLBACK");
    throw new TypeError("another fault");
  });
  await assert.rejects(closing, /another fault/, "a rollback by SQLite itself is not a second error");
});

test("no one else writes during a transaction, and waiting writers get their turn", async (t) => {
  const [ours, theirs] = openTwo(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = inTransaction(ours, 0, () => promise);
  await assert.rejects(
    inTransaction(theirs, 0, () => {}),
    { errcode: 5 },
    "it does not wait where it may not",
  );
  const second = inTransaction(theirs, 60_000, () => add(theirs, 4));
  resolve();
  await Promise.all([first, second]);
  assert.equal(sum(ours), 4);
});

test("only busy failures are retried", async () => {
  let attempts = 0;
  const failTimes = (times: number, error: Error) => () => {
    if (attempts++ < times) throw error;
    return "done";
  };
  const busy = Object.assign(new Error("busy"), { errcode: 5 });
  assert.equal(await whenNotBusy(60_000, failTimes(3, busy)), "done");
  assert.equal(attempts, 4);
  await assert.rejects(whenNotBusy(60_000, failTimes(5, new TypeError("a fault"))), /a fault/);
  assert.equal(attempts, 5);
});

test("queries on a snapshot see one state, whatever is written in between", (t) => {
  const [ours, theirs] = openTwo(t);
  add(theirs, 1);
  const seen = inSnapshot(ours, () => {
    const before = sum(ours);
    add(theirs, 2);
    return [before, sum(ours)];
  });
  assert.deepEqual(seen, [1, 1]);
  assert.deepEqual([ours.isTransaction, sum(ours)], [false, 3]);
  assert.throws(() => inSnapshot(ours, () => assert.fail("a fault")), /a fault/);
  assert.equal(ours.isTransaction, false);
});
