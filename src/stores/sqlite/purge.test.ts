import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { checkIntegrity, document, openAt, search } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { embedSingly } from "../contract/fixture.ts";
import { searchRawBytes } from "./raw-search.ts";

const secret = "The safe in the cellar opens with platypus-4711 and quokkaberry.";

/** Runs in a separate process, while this one may have the index open. */
function countInFiles(path: string, needles: readonly string[]): number {
  const source = `
    const { existsSync, readFileSync } = require("node:fs");
    const [path, ...needles] = process.argv.slice(1);
    const files = ["", "-wal", "-shm", "-journal", ".corrupt-1"].map((end) => path + end).filter(existsSync);
    console.log(needles.filter((needle) => files.some((file) => readFileSync(file).includes(needle))).length);`;
  return Number(execFileSync(process.execPath, ["-e", source, path, ...needles], { encoding: "utf8" }));
}

test("after a purge neither the text nor its words are in any file of the index, though it stays open", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  const filler = (n: number) =>
    `Filler number ${n} speaks of shipping, weather and invoices of week ${n * 7}.`;
  for (let n = 0; n < 60; n++) {
    const own = n === 30 ? [secret, filler(1000)] : [];
    await store.put([document(`${n}.md`, [filler(n), ...own, filler(n + 100)])], "cut-1");
  }
  writeFileSync(`${path}.corrupt-1`, `a copy of ${secret}`);
  await store.put([document("30.md", [filler(30), filler(1000), filler(130)], "2")], "cut-1");
  const needles = [secret, "platypus", "quokkaberry"];
  assert.ok(countInFiles(path, needles) > 0, "before the purge something is there");

  const report = await store.purge!({ texts: [secret] });
  assert.deepEqual(report, {
    cacheEntries: 0,
    stillIn: [],
    deletedFiles: [`${path}.corrupt-1`],
    rawSearch: "not-found",
  });
  assert.equal(countInFiles(path, needles), 0);
  assert.ok(!existsSync(`${path}.corrupt-1`));
  assert.deepEqual(await search(store, ["quokkaberry."]), []);
  assert.equal((await search(store, ["weather"])).length, 100);
  await store[Symbol.asyncDispose]();
  checkIntegrity(path);
});

test("text that another chunk also contains stays, and is named", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", [secret]), document("b.md", ["other", `* ${secret}`])], "cut-1");
  await store.remove("memory", ["a.md"]);
  const report = await store.purge!({ texts: [`- ${secret} <!-- from: tool 10:00 -->`] });
  assert.deepEqual(report.stillIn, [{ path: "b.md", line: 2 }]);
  assert.equal(report.rawSearch, "not-found", "text that a row explains is not a trace");
  assert.deepEqual(await search(store, ["quokkaberry."]), [`* ${secret}`]);
});

test("cached vectors are deleted with the text; those of texts in use stay", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept", secret])], "cut-1");
  const db = new DatabaseSync(path);
  const insert = db.prepare("INSERT INTO embedding_cache VALUES ('p', 'm', 'k', ?, ?, 1, 0)");
  for (const text of ["kept", secret, "an earlier form"])
    insert.run(`hash of ${text}`, Buffer.from(`vector of ${text}`));
  db.close();
  await store.put([document("a.md", ["kept"], "2")], "cut-1");
  const { cacheEntries, rawSearch } = await store.purge!({ texts: [secret] });
  assert.deepEqual({ cacheEntries, rawSearch }, { cacheEntries: 2, rawSearch: "not-found" });
  assert.equal(countInFiles(path, [`vector of ${secret}`, "vector of an earlier form"]), 0);
  assert.equal(countInFiles(path, ["vector of kept"]), 1);
});

test("a trace that no row explains is removed by rewriting the file", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept"])], "cut-1");
  // Deleted without zeroing, as a database from another program may be.
  const db = new DatabaseSync(path);
  db.exec("PRAGMA secure_delete = OFF");
  db.prepare("INSERT INTO meta VALUES ('x', ?)").run(secret);
  db.exec("DELETE FROM meta WHERE key = 'x'");
  db.close();
  assert.equal((await store.purge!({ texts: [secret] })).rawSearch, "not-found");
  assert.equal(countInFiles(path, [secret]), 0);
  assert.deepEqual(await search(store, ["kept"]), ["kept"]);
});

test("a reader in another process that does not end is named, and nothing is claimed", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path, { writeWaitMs: 100 });
  await store.put([document("a.md", [secret])], "cut-1");
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM chunks").get();
  await store.remove("memory", ["a.md"]);
  const report = await store.purge!({ texts: [secret] });
  assert.equal(report.rawSearch, "found");
  assert.match(report.detail!, /another process kept reading/);
  reader.close();
  assert.equal((await store.purge!({ texts: [secret] })).rawSearch, "not-found");
});

test("the raw search finds text anywhere, even across block boundaries", async (t) => {
  const folder = makeTemporaryFolder(t);
  const block = (1 << 22) + 40;
  const needles = ["first needle", "needle across the edge of a block 123456", "last", "absent needle"];
  const bytes = Buffer.alloc(3 * block, "n");
  bytes.write(needles[0]!, 0);
  bytes.write(needles[1]!, block - 17);
  bytes.write(needles[2]!, bytes.length - 4);
  folder.write("a.bin", bytes);
  assert.deepEqual(await searchRawBytes([folder.at("a.bin"), folder.at("missing")], needles), {
    found: [0, 1, 2],
  });
  folder.makeFolder("b.bin");
  const unreadable = await searchRawBytes([folder.at("b.bin")], needles);
  assert.ok("problem" in unreadable && unreadable.isUnreadable, "a folder cannot be read as a file");
  assert.deepEqual(await searchRawBytes(["no\0file"], needles), {
    problem: "the searching process ended with 1",
  });
});

test("a short line is searched for, too, and nothing is claimed about text that is too short", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept"])], "cut-1");
  const db = new DatabaseSync(path);
  db.exec("PRAGMA secure_delete = OFF");
  db.prepare("INSERT INTO meta VALUES ('x', ?)").run("- pin 4711");
  db.exec("DELETE FROM meta WHERE key = 'x'");
  db.close();
  assert.equal(countInFiles(path, ["- pin 4711"]), 1);
  assert.equal((await store.purge!({ texts: ["- pin 4711"] })).rawSearch, "not-found");
  assert.equal(countInFiles(path, ["- pin 4711"]), 0);
  assert.equal((await store.purge!({ texts: ["# B"] })).rawSearch, "too-short");
  assert.equal((await store.purge!({ texts: ["", "\n"] })).rawSearch, "not-found");
});

test("digits within a hash of the index are not a trace", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept"])], "cut-1");
  const db = new DatabaseSync(path);
  const { hash } = db.prepare("SELECT hash FROM chunks").get() as { hash: string };
  db.close();
  const digits = hash.slice(20, 26);
  assert.equal(countInFiles(path, [digits]), 1);
  assert.equal((await store.purge!({ texts: [`- order ${digits}`] })).rawSearch, "not-found");
});

test("text that the first row of a table explains is not a trace", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  // A path without chunks is in no other table, nor is the model of a cached vector whose set was dropped.
  await store.put([document("zanzibar/empty.md", []), document("a.md", ["fig"])], "cut-1");
  await embedSingly(store);
  await store.repair({ vectors: "drop" });
  const texts = ["zanzibar/empty.md", "model of single", "fig"];
  assert.equal(countInFiles(path, texts.slice(0, 2)), 2);
  assert.equal((await store.purge({ texts })).rawSearch, "not-found");
});

test("every piece of a large text is searched for", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept"])], "cut-1");
  const lines = Array.from({ length: 10_000 }, (_, index) => `- line ${index} of gronk${index}`);
  const db = new DatabaseSync(path);
  db.exec("PRAGMA secure_delete = OFF");
  db.prepare("INSERT INTO meta VALUES ('x', ?)").run(lines.at(-1)!);
  db.exec("DELETE FROM meta WHERE key = 'x'");
  db.close();
  assert.equal((await store.purge!({ texts: [lines.join("\n")] })).rawSearch, "not-found");
  assert.equal(countInFiles(path, [lines.at(-1)!]), 0);
});

test("after a purge all words are in one segment, so that no older segment keeps a removed word", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const countSegments = () => {
    using db = new DatabaseSync(path, { readOnly: true });
    return db.prepare("SELECT count(DISTINCT segid) AS count FROM chunks_fts_idx").get()?.["count"];
  };
  await using store = await openAt(path);
  for (let number = 0; number < 6; number++) {
    const words = Array.from({ length: 400 }, (_, index) => `word${number}x${index}`).join(" ");
    await store.put([document(`${number}.md`, [words])], "cut-1");
  }
  assert.notEqual(countSegments(), 1);
  await store.remove("memory", ["3.md"]);
  await store.purge({ texts: ["word3x0 word3x1 word3x2"] });
  assert.equal(countSegments(), 1);
});

/** A text that was deleted without zeroing, and that the purge does not name. */
function leaveTrace(path: string, text: string): void {
  using db = new DatabaseSync(path);
  db.exec("PRAGMA secure_delete = OFF");
  db.prepare("INSERT INTO meta VALUES ('x', ?)").run(text);
  db.exec("DELETE FROM meta WHERE key = 'x'");
}

test("unknown texts are removed by rewriting the file, and only by that", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept"])], "cut-1");
  leaveTrace(path, secret);
  const clean = { cacheEntries: 0, stillIn: [], deletedFiles: [], rawSearch: "not-found" };
  assert.deepEqual(await store.purge({ texts: [] }), clean);
  assert.deepEqual(await store.purge({ texts: ["something that is not in it"] }), clean);
  assert.equal(countInFiles(path, [secret]), 1);
  assert.deepEqual(await store.purge({ texts: [], rewrite: true }), clean);
  assert.equal(countInFiles(path, [secret]), 0);
});

test("while another process reads, unknown texts are reported as not searched for", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path, { writeWaitMs: 100 });
  await store.put([document("a.md", [secret])], "cut-1");
  const reader = openReader(t, path);
  await store.remove("memory", ["a.md"]);
  const keptReading = "another process kept reading the index, so its log could not be cut";
  const unknown = await store.purge({ texts: [], rewrite: true });
  assert.deepEqual([unknown.rawSearch, unknown.detail], ["not-searched", keptReading]);
  const known = await store.purge({ texts: [secret] });
  assert.equal(known.rawSearch, "found");
  assert.match(
    known.detail!,
    /^pieces of the text are still in the files of the index \(\d+\): another process/,
  );
  const others = await store.purge({ texts: ["something that is not in it"] });
  assert.equal(others.rawSearch, "not-found", "a reader alone is not a trace");
  reader.close();
});

test("a purge that waits for a reader ends when the reader does", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path, { writeWaitMs: 60_000 });
  await store.put([document("a.md", [secret])], "cut-1");
  const reader = openReader(t, path);
  await store.remove("memory", ["a.md"]);
  const timer = setInterval(() => reader.isOpen && reader.close(), 100);
  t.after(() => clearInterval(timer));
  assert.equal((await store.purge({ texts: [secret] })).rawSearch, "not-found");
});

for (const count of [63, 64, 65, 129]) {
  test(`equal lines are found in the first and the last of ${count} chunks`, async (t) => {
    const path = makeTemporaryFolder(t).at("index.sqlite");
    await using store = await openAt(path);
    const chunks = Array.from({ length: count }, (_, index) => `chunk number ${index}`);
    chunks[0] = `first: ${secret}`;
    chunks[count - 1] = secret;
    await store.put([document("a.md", chunks)], "cut-1");
    const { stillIn } = await store.purge({ texts: [secret] });
    assert.deepEqual(stillIn, [
      { path: "a.md", line: 1 },
      { path: "a.md", line: count },
    ]);
  });
}

test("at most a hundred lines are named, and a short line none", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  const chunks = Array.from({ length: 130 }, (_, index) => `${secret} Copy ${index}.`);
  await store.put([document("a.md", [...chunks, "pin 4711"])], "cut-1");
  const { stillIn } = await store.purge({ texts: [secret] });
  assert.deepEqual(
    stillIn.map(({ line }) => line),
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
  assert.deepEqual((await store.purge({ texts: ["pin 4711"] })).stillIn, []);
});

test("a text with too many pieces is reported as partly searched for", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept"])], "cut-1");
  const text = Array.from({ length: 100_001 }, (_, index) => `line${index}`).join("\n");
  const report = await store.purge({ texts: [text] });
  assert.equal(report.rawSearch, "not-found");
  assert.equal(report.detail, "100000 pieces and 100000 words from all parts of it were looked for");
});

test("of several texts, one that can be searched for is enough", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["kept"])], "cut-1");
  const results = [];
  for (const texts of [["# B", ""], ["# B", "- pin 4711"], ["", " "], []])
    results.push((await store.purge({ texts })).rawSearch);
  assert.deepEqual(results, ["too-short", "not-found", "not-found", "not-found"]);
});

/** A connection in a transaction, as that of another process which reads. */
function openReader(t: TestContext, path: string): DatabaseSync {
  const reader = new DatabaseSync(path);
  t.after(() => reader.isOpen && reader.close());
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM chunks").get();
  return reader;
}
