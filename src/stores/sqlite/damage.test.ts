import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { finish } from "../../../test/support/child-process.ts";
import { asOrdinaryUser } from "../../../test/support/ordinary-user.ts";
import { skipDeletingOpenFiles, skipOnWindows, skipWithoutModes } from "../../../test/support/platform.ts";
import { checkIntegrity, document, openAt, search } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { LonghandError } from "../../errors.ts";
import type { Repair } from "../quarantined.ts";
import { pageBytes } from "./connection.ts";
import { applicationId, schemaVersion } from "./schema.ts";

/** Writes an index of some documents, closed, so that its bytes can be tampered with. */
async function writeIndex(path: string): Promise<Buffer> {
  {
    await using store = await openAt(path);
    for (let number = 0; number < 30; number++) {
      const chunks = Array.from({ length: 20 }, (_, index) =>
        `word${index} note${number} `.repeat(20).trim(),
      );
      await store.put([document(`memory/${number}.md`, chunks)], "cut-1");
    }
  }
  return readFileSync(path);
}

/** Whatever was at the path, longhand must answer, and answer correctly after the next sync. */
async function expectUsable(path: string): Promise<Repair[]> {
  const repairs: Repair[] = [];
  {
    await using store = await openAt(path, { onRepair: (repair) => repairs.push(repair) });
    await store.byKeyword(["word1"], { limit: 10 });
    await store.byKeyword(["word1"], { limit: 10, filter: { sharedOnly: true } });
    await store.documentFrequencies(["word1"]);
    await store.tokensWithPrefix("w", 10);
    for (const known of (await store.versions("memory")).keys()) await store.chunksOf("memory", known);
    await store.put(
      [document("memory/0.md", ["after the damage"]), document("new.md", ["brandnew"])],
      "cut-1",
    );
    assert.deepEqual(await search(store, ["brandnew"]), ["brandnew"]);
    assert.ok((await store.stats()).files >= 2);
  }
  await using again = await openAt(path);
  assert.deepEqual(await search(again, ["brandnew"]), ["brandnew"]);
  return repairs;
}

test("a file that is truncated anywhere is repaired or rebuilt", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  const bytes = await writeIndex(path);
  for (const length of [
    1,
    15,
    16,
    99,
    100,
    512,
    pageBytes - 1,
    pageBytes,
    pageBytes + 1,
    3 * pageBytes,
    bytes.length / 2,
    bytes.length - 1,
  ]) {
    writeFileSync(path, bytes.subarray(0, Math.floor(length)));
    await expectUsable(path);
  }
});

test("flipped bits, zeroed blocks and swapped pages are repaired or rebuilt", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  const bytes = await writeIndex(path);
  const random = createRandom(20_250_101);
  let repaired = 0;
  for (let round = 0; round < 60; round++) {
    const damaged = Buffer.from(bytes);
    const at = 100 + random(bytes.length - 100);
    const page = random(bytes.length / pageBytes) * pageBytes;
    if (round % 3 === 0) damaged[at]! ^= 1 << random(8);
    else if (round % 3 === 1) damaged.fill(0, page, page + 2048);
    else bytes.copy(damaged, page, random(bytes.length / pageBytes) * pageBytes, page + pageBytes);
    writeFileSync(path, damaged);
    repaired += (await expectUsable(path)).length;
  }
  assert.ok(repaired > 0, "at least some of that damage must have been noticed");
});

test("damaged table definitions are reported as damage, not as a bug", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  const bytes = await writeIndex(path);
  for (const [from, to] of [
    ["contentless_delete=1", "conpentless_delete=1"],
    ["CREATE TABLE chunk_rows (", "CREATE TABLE chunk_rows ["],
    ["CREATE VIRTUAL TABLE", "CREATE VIRTUBL TABLE"],
  ] as const) {
    const damaged = Buffer.from(bytes.toString("latin1").replace(from, to), "latin1");
    assert.ok(!damaged.equals(bytes) && damaged.length === bytes.length);
    writeFileSync(path, damaged);
    await expectUsable(path);
  }
});

test("damage that shows up while the index is open is repaired, and the work repeated", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const repairs: Repair[] = [];
  await using store = await openAt(path, { onRepair: (repair) => repairs.push(repair) });
  assert.equal((await store.versions("memory")).size, 30);
  const size = statSync(path).size;
  writeFileSync(path, randomBytes(size), { flag: "r+" });
  await store.put([document("a.md", ["alpha"])], "cut-1");
  assert.equal(repairs.length, 1);
  assert.deepEqual([...(await store.versions("memory")).keys()], ["a.md"]);
  assert.deepEqual(await search(store, ["alpha"]), ["alpha"]);
});

test("tables that disappear under an open index come back, without a quarantine", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const repairs: Repair[] = [];
  await using store = await openAt(path, { onRepair: (repair) => repairs.push(repair) });
  for (const table of ["chunks_fts", "chunk_rows"]) {
    await store.put([document("a.md", ["alpha"])], "cut-1");
    assert.deepEqual(await search(store, ["alpha"]), ["alpha"]);
    const db = new DatabaseSync(path);
    db.exec(`DROP TABLE ${table}`);
    db.close();
    await store.documentFrequencies(["alpha"]);
    await store.put([document("b.md", ["beta"])], "cut-1");
    assert.deepEqual(await search(store, ["beta"]), ["beta"]);
  }
  assert.deepEqual(repairs, []);
});

test("other processes with the damaged index open continue with the new one", {
  skip: skipOnWindows("there it is quarantined as soon as nobody has it open"),
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  await using first = await openAt(path);
  await using second = await openAt(path);
  assert.equal((await search(second, ["word7"])).length, 30);
  writeFileSync(path, randomBytes(statSync(path).size), { flag: "r+" });
  await first.put([document("a.md", ["alpha"])], "cut-1");
  assert.deepEqual(await search(second, ["alpha"]), ["alpha"]);
  await second.put([document("b.md", ["beta"])], "cut-1");
  assert.deepEqual(await search(first, ["beta"]), ["beta"]);
  assert.deepEqual(
    readdirSync(folder.dir).filter((name) => /corrupt-\d+$/.test(name)),
    ["index.sqlite.corrupt-1"],
    "one quarantined it, the other noticed",
  );
});

test("an index that is deleted, emptied or replaced by a folder while it is open comes back", {
  skip: skipDeletingOpenFiles,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  await using store = await openAt(path);
  rmSync(path);
  await store.put([document("a.md", ["alpha"])], "cut-1");
  assert.deepEqual(await search(store, ["alpha"]), ["alpha"]);

  truncateSync(path);
  await store.put([document("b.md", ["beta"])], "cut-1");
  assert.deepEqual(await search(store, ["beta"]), ["beta"]);

  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  mkdirSync(path);
  await assert.rejects(store.versions("memory"), hasCode("index-foreign"));
  assert.ok(statSync(path).isDirectory(), "a foreign folder stays");
  rmdirSync(path);
  await store.put([document("c.md", ["gamma"])], "cut-1");
  assert.deepEqual(await search(store, ["gamma"]), ["gamma"]);
});

test("a full disk is an error, never a reason to rebuild", {
  skip: process.platform !== "linux" && "needs Linux",
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const storeUrl = new URL("../../../test/support/sqlite-index.ts", import.meta.url).href;
  const source = `
    import { document, openAt, search } from ${JSON.stringify(storeUrl)};
    const store = await openAt(process.argv[1]);
    const failure = await store
      .put([document("big.md", Array.from({ length: 4000 }, (_, n) => "big" + n + " " + "x".repeat(900)))], "cut-1")
      .then(() => "none", ({ code, hint }) => code + " " + hint);
    process.stdout.write(JSON.stringify({ failure, found: (await search(store, ["word7"])).length }));
    await store[Symbol.asyncDispose]();`;
  // With a file size limit the log cannot grow, as on a full disk.
  const script = 'trap "" XFSZ; ulimit -f 1500; exec "$0" --input-type=module-typescript -e "$1" -- "$2"';
  const { stdout, stderr } = await finish(spawn("bash", ["-c", script, process.execPath, source, path]));
  const { failure, found } = JSON.parse(stdout || `{"failure":${JSON.stringify(stderr)}}`);
  assert.match(failure, /^index-unusable .*disk/);
  assert.equal(found, 30, "existing documents are still found");
  assert.ok(!readdirSync(folder.dir).some((name) => name.includes("corrupt")));
  await using store = await openAt(path);
  assert.equal((await store.versions("memory")).size, 30);
});

for (const mode of ["DELETE", "WAL"]) {
  test(`another program's database (${mode}) is refused and not changed by a byte, open or not`, async (t) => {
    const folder = makeTemporaryFolder(t);
    const path = folder.at("index.sqlite");
    const contents = () =>
      readdirSync(folder.dir)
        .filter((name) => !name.endsWith("-shm"))
        .map((name) => `${name} ${readFileSync(folder.at(name)).toString("base64")}`);
    const foreign = new DatabaseSync(path);
    foreign.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE customers (name TEXT)`);
    foreign.exec("INSERT INTO customers VALUES ('Anna')");
    const whileOpen = contents();
    await assert.rejects(openAt(path), hasCode("index-foreign"));
    assert.deepEqual(contents(), whileOpen);
    foreign.exec("INSERT INTO customers VALUES ('Ben')");
    assert.equal(foreign.prepare("SELECT count(*) AS count FROM customers").get()?.["count"], 2);
    foreign.close();
    const closed = contents();
    await assert.rejects(openAt(path), hasCode("index-foreign"));
    assert.deepEqual(contents(), closed);
  });
}

test("the log that another program's crash left is not checkpointed by us", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  const source = `
    import { DatabaseSync } from "node:sqlite";
    const db = new DatabaseSync(process.argv[1]);
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('Anna')");
    process.kill(process.pid, "SIGKILL");`;
  await finish(spawn(process.execPath, ["--input-type=module", "-e", source, "--", path]));
  const before = readFileSync(`${path}-wal`);
  assert.ok(before.length > 0);
  await assert.rejects(openAt(path), hasCode("index-foreign"));
  assert.ok(before.equals(readFileSync(`${path}-wal`)));
});

test("an index of a newer longhand is refused and left as it is", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
  db.close();
  const before = readFileSync(path);
  await assert.rejects(openAt(path), hasCode("index-newer"));
  assert.ok(before.equals(readFileSync(path)));
  assert.deepEqual(
    readdirSync(folder.dir).filter((name) => name.includes("corrupt")),
    [],
  );
});

test("an index that a newer longhand takes over while it is open is neither written nor misread", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  await using store = await openAt(path);
  await store.versions("memory");
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA user_version = ${schemaVersion + 1}; ALTER TABLE files RENAME COLUMN version TO state`);
  db.close();
  await assert.rejects(store.put([document("a.md", ["alpha"])], "cut-1"), hasCode("index-newer"));
  await assert.rejects(store.versions("memory"), hasCode("index-newer"));
});

test("an index of an older longhand, or one with tables missing, is emptied in place; cached vectors stay", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  for (const change of [
    `PRAGMA user_version = ${schemaVersion - 1}`,
    "DROP TABLE chunk_rows",
    "DROP INDEX chunks_file",
    "DROP VIEW chunks",
    // As in earlier versions.
    `DROP VIEW chunks; CREATE TABLE chunks (text TEXT); PRAGMA user_version = ${schemaVersion - 1}`,
  ]) {
    await writeIndex(path);
    const db = new DatabaseSync(path);
    db.exec(`INSERT OR REPLACE INTO embedding_cache VALUES ('p', 'm', 'k', 'h', x'00', 1, 1); ${change}`);
    db.close();
    const repairs: Repair[] = [];
    {
      await using store = await openAt(path, { onRepair: (repair) => repairs.push(repair) });
      assert.equal((await store.versions("memory")).size, 0);
      await store.put([document("a.md", ["alpha"])], "cut-1");
      assert.deepEqual(await search(store, ["alpha"]), ["alpha"]);
    }
    assert.deepEqual(repairs, []);
    const after = new DatabaseSync(path);
    assert.equal(after.prepare("SELECT count(*) AS count FROM embedding_cache").get()?.["count"], 1);
    after.close();
    checkIntegrity(path);
  }
});

for (const [what, damage] of Object.entries({
  "of which some are missing": "DELETE FROM chunks_fts WHERE rowid % 3 = 0",
  "of which as many belong to other chunks":
    "DELETE FROM chunks_fts WHERE rowid = 1; INSERT INTO chunks_fts (rowid, terms) VALUES (99999, 'word7')",
})) {
  test(`words ${what} are built again by the next sync`, async (t) => {
    const path = makeTemporaryFolder(t).at("index.sqlite");
    await writeIndex(path);
    const before = new DatabaseSync(path);
    before.exec(damage);
    before.close();
    {
      await using store = await openAt(path);
      assert.notEqual((await store.documentFrequencies(["word7"])).get("word7"), 30);
      await store.versions("memory");
      assert.equal((await store.documentFrequencies(["word7"])).get("word7"), 30);
    }
    checkIntegrity(path);
  });
}

test("a different analyzer rebuilds all tokens; two that share an index do not mix their tokens", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  await using older = await openAt(path);
  await older.versions("memory");
  await using newer = await openAt(path, {
    analyzerId: "reversed",
    tokens: ({ text }) => ({ body: [...text].reverse().join(""), head: "" }),
  });
  assert.equal((await newer.versions("memory")).size, 30);
  assert.equal((await newer.documentFrequencies(["7drow"])).get("7drow"), 30);
  assert.equal((await newer.documentFrequencies(["word7"])).get("word7"), 0);
  await assert.rejects(older.put([document("a.md", ["alpha"])], "cut-1"), hasCode("index-newer"));
});

test("a folder in the index's place is an error that says so", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  mkdirSync(path);
  await assert.rejects(openAt(path), hasCode("index-foreign"));
  assert.ok(statSync(path).isDirectory());
});

test("a file where a folder should be is an error that says so", async (t) => {
  const folder = makeTemporaryFolder(t);
  writeFileSync(folder.at("state"), "a file");
  await assert.rejects(openAt(folder.at("state/index.sqlite")), hasCode("index-unusable"));
});

test("a read-only index answers, refuses writes, and is never rebuilt", {
  skip: skipWithoutModes,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("inner/index.sqlite");
  await writeIndex(path);
  const bytes = readFileSync(path);
  for (const [fileMode, folderMode] of [
    [0o444, 0o555],
    [0o644, 0o555],
  ] as const) {
    await withModes({ path, fileMode, folderMode }, async () => {
      await using store = await openAt(path);
      assert.match((await store.stats()).readOnly ?? "", /readonly/);
      assert.equal((await search(store, ["word7"])).length, 30);
      assert.equal((await store.versions("memory")).size, 30);
      await assert.rejects(store.put([document("a.md", ["alpha"])], "cut-1"), hasCode("index-unusable"));
      assert.equal((await search(store, ["word7"])).length, 30);
      await assert.rejects(openAt(join(dirname(path), "other.sqlite")), hasCode("index-unusable"));
    });
    assert.ok(bytes.equals(readFileSync(path)));
    assert.deepEqual(readdirSync(dirname(path)), ["index.sqlite", "index.sqlite.lock"]);
  }
});

test("a read-only database file in a writable folder answers", {
  skip: skipWithoutModes,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("inner/index.sqlite");
  await writeIndex(path);
  await withModes({ path, fileMode: 0o444, folderMode: 0o777 }, async () => {
    await using store = await openAt(path);
    assert.equal((await search(store, ["word7"])).length, 30);
    await assert.rejects(store.put([document("a.md", ["alpha"])], "cut-1"), hasCode("index-unusable"));
  });
  assert.deepEqual(
    readdirSync(dirname(path)).filter((name) => name.includes("corrupt")),
    [],
  );
});

test("an index that was read-only is written as soon as it is writable", {
  skip: skipWithoutModes,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("inner/index.sqlite");
  await writeIndex(path);
  const opened = await withModes({ path, fileMode: 0o444, folderMode: 0o555 }, () => openAt(path));
  await using store = opened;
  assert.notEqual((await store.stats()).readOnly, undefined);
  await store.put([document("a.md", ["alpha"])], "cut-1");
  assert.equal((await store.stats()).readOnly, undefined);
  assert.deepEqual(await search(store, ["alpha"]), ["alpha"]);
});

test("a read-only session notices when others write to the index", { skip: skipWithoutModes }, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("inner/index.sqlite");
  await writeIndex(path);
  const reader = await withModes({ path, fileMode: 0o444, folderMode: 0o555 }, () => openAt(path));
  await using _ = reader;
  for (const word of ["alpha", "beta"]) {
    await using writer = await openAt(path);
    await writer.put([document(`${word}.md`, [word])], "cut-1");
    assert.deepEqual(await search(reader, [word]), [word]);
  }
});

test("a damaged index in a folder that cannot be written is an error and stays as it is", {
  skip: skipWithoutModes,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("inner/index.sqlite");
  await writeIndex(path);
  const damaged = readFileSync(path).fill(7, 100, 4000);
  writeFileSync(path, damaged);
  await withModes({ path, fileMode: 0o444, folderMode: 0o555 }, () =>
    assert.rejects(openAt(path), hasCode("index-unusable")),
  );
  assert.ok(damaged.equals(readFileSync(path)));
});

test("the index file says what it is, and only its owner can read it", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await writeIndex(path);
  const db = new DatabaseSync(path);
  assert.equal(db.prepare("PRAGMA application_id").get()?.["application_id"], applicationId);
  assert.equal(db.prepare("PRAGMA journal_mode").get()?.["journal_mode"], "wal");
  const meta = db.prepare("SELECT value FROM meta WHERE key = 'memory_index_meta_v1'").get();
  const { chunker, sources } = JSON.parse(String(meta?.["value"]));
  assert.deepEqual({ chunker, sources }, { chunker: "cut-1", sources: ["memory"] });
  db.close();
  if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
});

/** Runs with these file modes and without root's privileges, and restores both afterwards. */
async function withModes<T>(
  { path, fileMode, folderMode }: { path: string; fileMode: number; folderMode: number },
  work: () => Promise<T>,
): Promise<T> {
  chmodSync(path, fileMode);
  chmodSync(dirname(path), folderMode);
  chmodSync(dirname(dirname(path)), 0o755);
  try {
    return await asOrdinaryUser(work);
  } finally {
    chmodSync(path, 0o600);
    chmodSync(dirname(path), 0o755);
  }
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof LonghandError, String(error));
    assert.equal(error.code, code);
    assert.ok(error.hint.length > 10);
    return true;
  };
}

/** Pseudo-random integers below a bound, determined by the seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
