import assert from "node:assert/strict";
import { closeSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { skipDeletingOpenFiles } from "../../../test/support/platform.ts";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sha256 } from "../../text/hash.ts";
import { named, one, vectorOf } from "../contract/fixture.ts";
import type { Repair } from "../quarantined.ts";
import { pageBytes } from "./connection.ts";
import { type IndexFileOptions, openIndexFile } from "./index-file.ts";
import { loadSqlite } from "./load-sqlite.ts";

function optionsAt(path: string, options: Partial<IndexFileOptions> = {}): IndexFileOptions {
  return {
    path,
    tokens: ({ text }) => ({ body: text, head: "" }),
    now: () => 0,
    onRepair: () => {},
    writeWaitMs: 1000,
    isSettled: () => true,
    settle: async () => {},
    ...options,
  };
}

test("An index that is deleted at any moment while calls open it again answers all of them", {
  skip: skipDeletingOpenFiles,
}, async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const sqlite = loadSqlite();
  /** After how many microtasks the next opened file is deleted; null keeps it. */
  let deleteAfter: number | null = null;
  class DeletedSoon extends sqlite.DatabaseSync {
    constructor(...options: ConstructorParameters<typeof sqlite.DatabaseSync>) {
      super(...options);
      const ticks = deleteAfter;
      deleteAfter = null;
      if (ticks !== null) void deleteFile(ticks);
    }
  }
  async function deleteFile(ticks: number): Promise<void> {
    for (let tick = 0; tick < ticks; tick++) await null;
    rmSync(path, { force: true });
  }
  const file = await openIndexFile({ ...sqlite, DatabaseSync: DeletedSoon }, optionsAt(path));
  t.after(() => file.close());
  for (let ticks = 0; ticks < 120; ticks++) {
    rmSync(path, { force: true });
    deleteAfter = ticks;
    const read = () => file.read(({ reading }) => reading.revision());
    const calls = [read(), file.write(() => 0), read(), read(), file.maintain(() => 0), read()];
    assert.deepEqual(
      (await Promise.allSettled(calls)).flatMap((call) => (call.status === "rejected" ? [call.reason] : [])),
      [],
      `deleted after ${ticks} microtasks`,
    );
  }
});

test("An index that is set aside gives its paid vectors to the one that takes its place", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const texts = Array.from({ length: 40 }, (_, index) => `${index}`);
  const { chunks, ...rest } = document("a.md", texts);
  const hashed = { ...rest, chunks: chunks.map((chunk) => ({ ...chunk, hash: sha256(chunk.text) })) };
  {
    await using store = await openAt(path);
    await store.put([hashed], "cut-1");
    const entries = texts.map((text) => ({ hash: sha256(text), vectors: [vectorOf(text)] }));
    await store.putVectors(named("single"), entries, one);
  }
  const db = new DatabaseSync(path);
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'files'").get() as {
    rootpage: number;
  };
  db.close();
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(pageBytes).fill(0xee), 0, pageBytes, (rootpage - 1) * pageBytes);
  closeSync(file);
  const repairs: Repair[] = [];
  await using store = await openAt(path, { onRepair: (repair) => repairs.push(repair) });
  assert.equal((await store.versions("memory")).size, 0);
  assert.equal(repairs.length, 1);
  await store.put([hashed], "cut-1");
  assert.equal(await store.reuseVectors(named("single")), texts.length);
  assert.deepEqual(await store.missingVectors("single", 9), []);
});

test("A statement that fails again and again does not cost a sound index", async (t) => {
  const folder = makeTemporaryFolder(t);
  const repairs: Repair[] = [];
  const onRepair = (repair: Repair) => void repairs.push(repair);
  const file = await openIndexFile(loadSqlite(), optionsAt(folder.at("index.sqlite"), { onRepair }));
  t.after(() => file.close());
  let tries = 0;
  const refused = file.read(({ reader }) => {
    tries++;
    return reader.prepare("SELECT 1 FROM nowhere").get();
  });
  await assert.rejects(refused, { message: /nowhere/ });
  assert.ok(tries > 1, "a new connection might know better");
  assert.deepEqual(repairs, []);
  assert.ok(readdirSync(folder.dir).every((name) => !name.includes("corrupt")));
  await file.write(() => 0);
});

test("An index is settled once a session, only by who writes, and in a transaction", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  let isSettled = false;
  const transactions: boolean[] = [];
  const options = optionsAt(path, {
    isSettled: () => isSettled,
    settle: async (current) => {
      transactions.push(current.writer().db.isTransaction);
      isSettled = true;
    },
  });
  const file = await openIndexFile(loadSqlite(), options);
  await file.read(() => 0);
  assert.deepEqual(transactions, []);
  await file.settle();
  isSettled = false;
  await file.settle();
  await file.write(() => 0);
  assert.deepEqual(transactions, [true]);
  await file.close();
  for (const call of [file.read(() => 0), file.write(() => 0), file.maintain(() => 0), file.settle()])
    await assert.rejects(call, { message: /closed/ });

  const next = await openIndexFile(loadSqlite(), options);
  t.after(() => next.close());
  await next.write((_writing, { writer }) => assert.ok(writer().db.isTransaction));
  assert.deepEqual(transactions, [true, true]);
  await next.maintain((db) => assert.ok(!db.isTransaction));
  const { promise, resolve } = Promise.withResolvers<void>();
  const writing = next.write(() => promise);
  let isAnswered = false;
  const answered = next.settle().then(() => {
    isAnswered = true;
  });
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  assert.ok(isAnswered, "what is settled waits for no write");
  resolve();
  await Promise.all([writing, answered]);
});
