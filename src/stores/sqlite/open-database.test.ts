import assert from "node:assert/strict";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { isWindows, skipDeletingOpenFiles } from "../../../test/support/platform.ts";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Repair } from "../quarantined.ts";
import { identify, pageBytes } from "./connection.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { openDatabase, quarantineIfProven } from "./open-database.ts";
import { applicationId, schemaVersion } from "./schema.ts";

/** Opens it with a `prepare` that gets the number of the attempt, and closes it again. */
async function open(path: string, prepare: (attempt: number, db: DatabaseSync) => void = () => {}) {
  const repairs: Repair[] = [];
  let attempts = 0;
  const { db, readOnlyReason, identity } = await openDatabase(
    loadSqlite(),
    path,
    (repair) => repairs.push(repair),
    (opened) => prepare(++attempts, opened),
  );
  db.close();
  return { repairs, attempts, readOnlyReason, identity };
}

async function writeIndex(path: string): Promise<void> {
  await using store = await openAt(path);
  await store.put([document("a.md", ["alpha"])], "cut-1");
}

const sqliteError = (errcode: number, message: string) => Object.assign(new Error(message), { errcode });
const [readOnly, ioError, corrupt] = [8, 10, 11];

const isListed = (folder: { dir: string }, part: string) =>
  readdirSync(folder.dir).filter((name) => name.includes(part));

test("a missing index is created for its owner alone, and leftovers of a lost one are removed", async (t) => {
  const folder = makeTemporaryFolder(t, { "index.sqlite-wal": "old log", "index.sqlite-journal": "old" });
  const path = folder.at("index.sqlite");
  const { repairs, attempts, readOnlyReason, identity } = await open(path, (_, db) => {
    assert.equal(db.prepare("SELECT count(*) AS count FROM chunks").get()?.["count"], 0);
  });
  assert.deepEqual({ repairs, attempts, readOnlyReason }, { repairs: [], attempts: 1, readOnlyReason: null });
  assert.equal(identity, identify(path));
  if (!isWindows) assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder.dir), ["index.sqlite", "index.sqlite.lock"]);
});

test("the log of an index that was lost does not come back in the new one", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  {
    await using store = await openAt(path);
    await store.put([document("a.md", ["fig"])], "cut-1");
    copyFileSync(`${path}-wal`, folder.at("log"));
  }
  rmSync(path);
  copyFileSync(folder.at("log"), `${path}-wal`);
  assert.ok(statSync(`${path}-wal`).size > 0);
  await using store = await openAt(path);
  assert.equal((await store.versions("memory")).size, 0);
});

test("opening gives up after eight attempts if the file is replaced each time", {
  skip: skipDeletingOpenFiles,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const [path, spare] = [folder.at("index.sqlite"), folder.at("spare")];
  await writeIndex(path);
  copyFileSync(path, spare);
  const replace = () => {
    copyFileSync(spare, `${spare}2`);
    renameSync(`${spare}2`, path);
  };
  let attempts = 0;
  const opening = open(path, (attempt) => {
    attempts = attempt;
    replace();
  });
  await assert.rejects(opening, { code: "index-busy", retryable: true, message: /keeps changing/ });
  assert.equal(attempts, 8);
  assert.equal((await open(path, (attempt) => attempt < 8 && replace())).attempts, 8);
});

test("damage that SQLite's check does not find is believed the third time", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const failUpTo = (count: number) => (attempt: number) => {
    if (attempt <= count) throw sqliteError(corrupt, "database disk image is malformed");
  };
  assert.deepEqual((await open(path, failUpTo(2))).repairs, []);
  assert.deepEqual(isListed(folder, "corrupt"), []);
  const { repairs, attempts } = await open(path, failUpTo(3));
  const movedTo = folder.at("index.sqlite.corrupt-1");
  assert.deepEqual(repairs, [{ reason: "database disk image is malformed", movedTo }]);
  assert.equal(attempts, 4);
  assert.equal(isListed(folder, "corrupt")[0], "index.sqlite.corrupt-1");
});

test("damage that SQLite's check finds is believed the second time", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, pageBytes));
  let failures = 0;
  const { repairs } = await open(path, (_, db) => {
    try {
      db.prepare("SELECT count(*) FROM chunks").get();
    } catch (error) {
      failures++;
      throw error;
    }
  });
  assert.equal(repairs.length, 1);
  assert.equal(failures, 2);
});

test("only the file that failed is quarantined, and not before it failed twice", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const identity = identify(path)!;
  const repairs: Repair[] = [];
  const onRepair = (repair: Repair) => repairs.push(repair);
  const judge = (failures: number, of = identity) =>
    quarantineIfProven(path, { identity: of, reason: "fault" }, { failures, onRepair });
  await judge(9, "another file");
  await judge(1);
  await judge(2);
  assert.deepEqual(repairs, []);
  if (!isWindows) {
    // It is replaced while it is being checked.
    const judging = judge(3);
    copyFileSync(path, folder.at("new"));
    renameSync(folder.at("new"), path);
    await judging;
    assert.deepEqual(repairs, []);
    assert.deepEqual(isListed(folder, "corrupt"), []);
  }
  await judge(3, identify(path)!);
  assert.deepEqual(repairs, [{ reason: "fault", movedTo: folder.at("index.sqlite.corrupt-1") }]);
});

test("after three disk errors, or one other refusal, the index is opened read-only", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await writeIndex(path);
  const failUpTo = (count: number, errcode: number) => (attempt: number) => {
    if (attempt <= count) throw sqliteError(errcode, "refused");
  };
  const told = async (count: number, errcode: number) => {
    const { attempts, readOnlyReason, repairs } = await open(path, failUpTo(count, errcode));
    assert.deepEqual(repairs, []);
    return [attempts, readOnlyReason];
  };
  assert.deepEqual(await told(2, ioError), [3, null]);
  assert.deepEqual(await told(3, ioError), [4, "refused"]);
  assert.deepEqual(await told(1, readOnly), [2, "refused"]);
  await assert.rejects(open(path, failUpTo(2, readOnly)), /refused/);
  await assert.rejects(open(path, failUpTo(4, ioError)), /refused/);
  const fault = new TypeError("a bug of ours");
  await assert.rejects(
    open(path, () => {
      throw fault;
    }),
    fault,
  );
});

/** What another program, or a failing disk, may have left at the path. */
function database(t: TestContext, sql: string): Buffer {
  const path = makeTemporaryFolder(t).at("other.sqlite");
  using db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return readFileSync(path);
}

const magic = Buffer.from("SQLite format 3\0");

function withApplicationId(bytes: Buffer, id: number): Buffer {
  bytes.writeUInt32BE(id, 68);
  return bytes;
}

test("a file at the path is initialised, repaired or refused by its content, its name and the lock beside it", async (t) => {
  const empty = (pageSize: number, more = "") =>
    database(t, `PRAGMA page_size = ${pageSize}; CREATE TABLE a (b); DROP TABLE a; VACUUM; ${more}`);
  const text = "it is a text file";
  const none = "it is not a database";
  const other = "it is a database of another program";
  const damaged = "it is a damaged database of another program";
  const noise = Buffer.alloc(5000, 0xfe);
  const cutHead = (length: number) => {
    const head = Buffer.concat([magic, Buffer.alloc(100)]);
    return withApplicationId(head, applicationId).subarray(0, length);
  };
  const brokenDatabase = Buffer.concat([magic, Buffer.alloc(5000, 0xfe)]);
  const [begun, repaired] = ["begun", "repaired"];
  // At a path of the user, with longhand's lock beside it, and with longhand's name; the last only if worth a process.
  const cases: Record<string, readonly [content: Buffer, plain: string, locked: string, named?: string]> = {
    nothing: [Buffer.alloc(0), begun, begun, begun],
    "two letters": [Buffer.from("no"), none, text, repaired],
    "two letters of the magic": [Buffer.from("SQ"), none, repaired],
    "a text": [Buffer.from("# A note\n".repeat(1000)), none, text],
    "a text with an escape character": [Buffer.from("\x1b[1mA note\x1b[0m\n"), none, text],
    "a text whose letter is cut": [Buffer.from(`a${"é".repeat(4000)}`), none, text],
    "a text with a control character": [Buffer.from(`a note\x01${"x".repeat(600)}`), none, repaired],
    noise: [noise, none, repaired],
    "an empty database": [empty(4096), begun, begun, begun],
    "the smallest empty database": [empty(512), begun, begun],
    "an empty database of a program": [empty(4096, "PRAGMA application_id = 7"), other, other, other],
    "another database": [database(t, "CREATE TABLE customers (name)"), other, other, other],
    "a damaged database": [brokenDatabase, damaged, repaired, repaired],
    "a damaged index": [withApplicationId(Buffer.from(brokenDatabase), applicationId), repaired, repaired],
    "the whole head of an index": [cutHead(72), repaired, repaired],
    "a cut head of an index": [cutHead(71), none, repaired],
  };
  const openDescriptors = () =>
    process.platform !== "linux"
      ? []
      : readdirSync("/proc/self/fd").flatMap((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).includes(".sqlite") ? [fd] : [];
          } catch {
            return [];
          }
        });
  const before = openDescriptors().length;
  for (const [what, [bytes, ...expected]] of Object.entries(cases)) {
    const outcomes = [];
    const places = [
      ["index.sqlite", false],
      ["index.sqlite", true],
      ["main.longhand.sqlite", false],
    ] as const;
    for (const [name, lock] of places.slice(0, expected.length)) {
      const folder = makeTemporaryFolder(t, lock ? { [`${name}.lock`]: "" } : {});
      const path = folder.write(name, bytes);
      const outcome = await open(path).then(
        ({ repairs }) => (repairs.length === 0 ? begun! : repaired!),
        (error: Error & { code: string }) => {
          assert.equal(error.code, "index-foreign", `${what}: ${error.message}`);
          assert.ok(readFileSync(path).equals(bytes), what);
          assert.deepEqual(readdirSync(folder.dir), lock ? [name, `${name}.lock`] : [name], what);
          return error.message.split("; ").at(-1)!.replace(/\.$/, "");
        },
      );
      outcomes.push(outcome);
    }
    assert.deepEqual(outcomes, expected, what);
  }
  assert.equal(openDescriptors().length, before);
});

test("an empty database with tables in its log belongs to its program, unless it has our name or lock", async (t) => {
  for (const [name, lock, isOurs] of [
    ["index.sqlite", false, false],
    ["index.sqlite", true, true],
    ["main.longhand.sqlite", false, true],
  ] as const) {
    const folder = makeTemporaryFolder(t, lock ? { [`${name}.lock`]: "" } : {});
    const path = folder.at(name);
    using creator = new DatabaseSync(path);
    creator.exec(
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE a (b); DROP TABLE a",
    );
    if (isOurs) assert.deepEqual((await open(path)).repairs, []);
    else await assert.rejects(open(path), { code: "index-foreign" });
  }
});

test("a newer index is refused; one that lost its application id is repaired", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await writeIndex(path);
  const change = (sql: string) => {
    using db = new DatabaseSync(path);
    db.exec(sql);
  };
  change(`PRAGMA user_version = ${schemaVersion + 1}`);
  await assert.rejects(open(path), { code: "index-newer" });
  const failing = () => {
    throw sqliteError(1, "no such column");
  };
  await assert.rejects(open(path, failing), { code: "index-newer" });
  change(`PRAGMA user_version = ${schemaVersion}; PRAGMA application_id = 7`);
  const { repairs, attempts } = await open(path);
  assert.deepEqual(
    repairs.map(({ reason }) => reason),
    ["its application id is damaged"],
  );
  assert.equal(attempts, 1);
});

test("statements that a sound index of this version cannot compile are damage", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await writeIndex(path);
  const { repairs, attempts } = await open(path, (attempt) => {
    if (attempt <= 3) throw sqliteError(1, "no such column: text");
  });
  assert.deepEqual(
    repairs.map(({ reason }) => reason),
    ["no such column: text"],
  );
  assert.equal(attempts, 4);
});
