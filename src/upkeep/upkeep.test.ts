import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { expectEqualToRebuild, makeIndexFixture, tamper } from "../../test/support/index-fixture.ts";
import { withMemorySearch } from "../../test/support/memory-fixture.ts";
import { skipOnWindows } from "../../test/support/platform.ts";
import { loadLance } from "../stores/lancedb/lance-package.ts";
import type { DifferenceKind } from "./compare-contents.ts";

test("a correct index is equal to a rebuild, and is not changed", async (t) => {
  const fixture = makeIndexFixture(t);
  const memory = await fixture.open();
  const { dbPath } = await memory.status();
  const report = await memory.verify();
  assert.deepEqual(report.differences, []);
  assert.equal(report.equal, true);
  assert.equal(report.documents, 13);
  assert.ok(report.chunks > 20 && report.vectorsCompared);
  const { done, equal } = await memory.repair();
  assert.deepEqual({ done, equal }, { done: [], equal: true });
  assert.deepEqual(
    readdirSync(dirname(dbPath)).filter((name) => name.includes("verify")),
    [],
    "nothing temporary is left",
  );
});

test("after edits, moves and deletions, an index is equal to a rebuild", async (t) => {
  const fixture = makeIndexFixture(t);
  const memory = await fixture.open();
  await memory.sync();
  fixture.write("memory/new.md", "Quite new.\n\nTwo paragraphs.\n");
  fixture.write("MEMORY.md", "# Facts\n\nWe ship on Mondays.\n");
  await memory.sync();
  await memory.add("One more thing.", { to: "long-term" });
  await expectEqualToRebuild(memory);
});

test("notes on an unmounted disk are not a difference, and repair leaves them indexed", async (t) => {
  const fixture = makeIndexFixture(t, { notes: 3 });
  fixture.write("../disk/tea.md", "Tea is in the blue tin.\n");
  const config = withMemorySearch({ provider: "builtin", extraPaths: ["../disk"] });
  const memory = await fixture.open({ config });
  await memory.sync();
  const disk = join((await memory.status()).workspaceDir, "../disk");
  renameSync(disk, `${disk}-away`);
  await expectEqualToRebuild(memory);
  assert.deepEqual((await memory.repair()).done, []);
  assert.equal((await memory.search("blue tin")).results[0]?.path, "extra/0/tea.md");
});

describe("A change made behind longhand's back is reported by verify and fixed by repair:", () => {
  const cases: Readonly<Record<string, readonly [sql: string, kinds: readonly DifferenceKind[]]>> = {
    "the text of a chunk": ["UPDATE chunk_rows SET text = text || 'x' WHERE key = 3", ["chunks"]],
    "its headings": [`UPDATE chunk_rows SET headings = '["Other"]' WHERE key = 3`, ["chunks"]],
    "its lines": ["UPDATE chunk_rows SET start_line = start_line + 1 WHERE key = 3", ["chunks"]],
    "a chunk that is gone": ["DELETE FROM chunk_rows WHERE key = 3", ["chunks", "stray"]],
    "the hash of a document": ["UPDATE files SET hash = 'x' WHERE id = 2", ["document"]],
    "who may see it": ["UPDATE files SET scope = 'shared' WHERE path = 'MEMORY.md'", ["document"]],
    "a document that is gone": ["DELETE FROM files WHERE id = 2", ["document", "stray"]],
    "words of another chunk": [
      "DELETE FROM chunks_fts WHERE rowid = 3; INSERT INTO chunks_fts (rowid, terms) VALUES (3, 'other')",
      ["words"],
    ],
    "vectors of another chunk": [
      "UPDATE vector_rows SET codes = (SELECT codes FROM chunks_vec WHERE key = 2) WHERE place & 0xffffffffff = 3",
      ["vectors"],
    ],
    "vectors that are gone though they are said to be there": [
      "DELETE FROM vector_rows WHERE place & 0xffffffffff = 3",
      ["vectors"],
    ],
    "vectors that are said to be there, of chunks to come": ["UPDATE embedders SET done_key = 99999", []],
  };
  for (const [what, [sql, kinds]] of Object.entries(cases)) {
    test(what, async (t) => {
      const fixture = makeIndexFixture(t, { notes: 3 });
      const memory = await fixture.open();
      await memory.sync();
      const { dbPath } = await memory.status();
      tamper(dbPath, sql);
      const before = await memory.verify();
      const found = new Set(before.differences.map(({ kind }) => kind));
      assert.deepEqual([...found].sort(), kinds);
      assert.equal(before.equal, kinds.length === 0);
      const { done, equal, differences } = await memory.repair();
      assert.deepEqual(differences, []);
      assert.ok(equal && done.length > 0, done.join());
      assert.deepEqual((await memory.repair()).done, [], "a second time there is nothing to do");
      assert.equal((await memory.search("ship")).results[0]?.path, "MEMORY.md");
      fixture.write("memory/later.md", "Something quite different: zeppelins.\n");
      assert.equal((await memory.search("zeppelins")).results[0]?.path, "memory/later.md");
      await expectEqualToRebuild(memory);
    });
  }
});

test("vectors of a service are neither requested again nor dropped because they cannot be compared", async (t) => {
  const fixture = makeIndexFixture(t, { notes: 2 });
  let asked = 0;
  const concepts = createConceptEmbedder();
  const embedder = createConceptEmbedder({
    embedDocuments: (texts, options) => {
      asked += texts.length;
      return concepts.embedDocuments(texts, options);
    },
  });
  const memory = await fixture.open({ embedder });
  await memory.sync();
  const { embedding, dbPath } = await memory.status();
  assert.ok(asked > 0 && embedding.missing === 0);
  asked = 0;
  tamper(dbPath, "UPDATE chunk_rows SET text = text || 'x' WHERE key = 1");
  assert.deepEqual(
    (await memory.verify()).differences.map(({ kind }) => kind),
    ["chunks"],
  );
  const { equal, vectorsCompared } = await memory.repair();
  assert.deepEqual({ equal, vectorsCompared, asked }, { equal: true, vectorsCompared: false, asked: 0 });
  await memory.sync();
  assert.ok(asked < embedding.texts, `${asked} of ${embedding.texts} texts were embedded again`);
});

test("repair removes leftovers of crashed work, and restricts files that others could read", async (t) => {
  const fixture = makeIndexFixture(t, { notes: 1 });
  const memory = await fixture.open();
  const { dbPath } = await memory.status();
  for (const number of [1, 2, 3, 4]) writeFileSync(`${dbPath}.corrupt-${number}`, "");
  writeFileSync(`${dbPath}.corrupt-1-wal`, "");
  writeFileSync(`${dbPath}.foreign-1`, "");
  mkdirSync(`${dbPath}.verify-old/inner`, { recursive: true });
  utimesSync(`${dbPath}.verify-old`, 0, 0);
  mkdirSync(`${dbPath}.verify-new`);
  chmodSync(dbPath, 0o644);
  const { done } = await memory.repair();
  const left = readdirSync(dirname(dbPath)).map((name) => name.replace(/^.*sqlite/, ""));
  assert.deepEqual(left.filter((name) => !["", "-wal", "-shm", ".lock"].includes(name)).sort(), [
    ".corrupt-3",
    ".corrupt-4",
    ".foreign-1",
    ".verify-new",
  ]);
  assert.equal(done.filter((sentence) => sentence.startsWith("removed")).length, 4);
  if (process.platform !== "win32") assert.equal(statSync(dbPath).mode & 0o777, 0o600);
});

test("repair leaves files of others alone in a folder that was chosen with store.path", async (t) => {
  if (process.platform === "win32") return;
  const fixture = makeIndexFixture(t, { notes: 1 });
  const shared = join(fixture.stateDir, "..", "shared");
  mkdirSync(shared);
  const path = join(shared, "index");
  const memory = await fixture.open({ config: withMemorySearch({ store: { path } }) });
  await memory.sync();
  const theirs = ["index.html", "index-of-things", "index.foreign-1"].map((name) => join(shared, name));
  for (const file of theirs) writeFileSync(file, "");
  const ours = [path, `${path}.corrupt-1`, `${path}.corrupt-1-wal`];
  for (const file of ours) writeFileSync(file, "", { flag: "a" });
  chmodSync(shared, 0o775);
  for (const file of [...theirs, ...ours]) chmodSync(file, 0o664);
  const { done } = await memory.repair();
  const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
  assert.equal(modeOf(shared), "775");
  assert.deepEqual(theirs.map(modeOf), ["664", "664", "664"]);
  assert.deepEqual(ours.map(modeOf), ["600", "600", "600"]);
  assert.equal(done.length, ours.length);
});

test("an index of another agent is refused, and neither agent loses anything", async (t) => {
  const fixture = makeIndexFixture(t, { notes: 2 });
  const path = `${fixture.stateDir}/shared.sqlite`;
  const config = withMemorySearch({ store: { path } });
  const { openMemory } = await import("../memory/open-memory.ts");
  const options = { workspace: fixture.workspace, stateDir: fixture.stateDir, config };
  await using first = await openMemory({ ...options, agent: "one" });
  await first.sync();
  await using second = await openMemory({ ...options, agent: "two" });
  await assert.rejects(second.search("ship"), { code: "index-shared" });
  await assert.rejects(second.sync(), { code: "index-shared" });
  assert.equal((await first.search("ship")).results.length, 1);
  await expectEqualToRebuild(first);
});

test("probes say whether texts can be embedded and vectors searched", async (t) => {
  const fixture = makeIndexFixture(t, { notes: 1 });
  const memory = await fixture.open();
  await memory.sync();
  const embedding = await memory.probeEmbeddingAvailability();
  assert.deepEqual({ ok: embedding.ok, provider: embedding.provider }, { ok: true, provider: "builtin" });
  assert.ok((embedding.dims ?? 0) > 0 && !("vector" in embedding));
  const vectors = await memory.probeVectorAvailability();
  assert.ok(vectors.ok && vectors.texts > 0 && vectors.dims === embedding.dims);
});

test("probes say why there is no embedder", async (t) => {
  const fixture = makeIndexFixture(t, { notes: 1 });
  const { openMemory } = await import("../memory/open-memory.ts");
  await using memory = await openMemory({
    workspace: fixture.workspace,
    stateDir: fixture.stateDir,
    config: withMemorySearch({ provider: "none" }),
  });
  const embedding = await memory.probeEmbeddingAvailability();
  assert.equal(embedding.ok, false);
  assert.match(embedding.error ?? "", /provider is none/);
  assert.equal((await memory.probeVectorAvailability()).ok, false);
});

test("on LanceDB, tokens and vectors are compared and repaired, too", {
  skip: skipOnWindows("the native package of LanceDB is installed for this system only"),
}, async (t) => {
  const onLance = { provider: "builtin", store: { driver: "lancedb" } } as const;
  const fixture = makeIndexFixture(t);
  const memory = await fixture.open({ config: withMemorySearch(onLance) });
  await memory.sync();
  const sound = await memory.verify();
  assert.deepEqual([sound.differences, sound.vectorsCompared], [[], true]);
  const { dbPath } = await memory.status();
  const connection = await (await loadLance({ user: "A test" })).connect(dbPath);
  const chunks = await connection.openTable("chunks");
  const [first, second] = (
    await chunks.query().where("id IS NOT NULL").select(["key", "hash"]).toArray()
  ).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await chunks.update({ where: `key = '${first.key}'`, values: { words: "otherword" } });
  assert.deepEqual(kindsOf(await openAnew()), ["words"]);
  const set = await connection.openTable(
    (await connection.tableNames()).find((name) => name.startsWith("set_"))!,
  );
  const [other] = await set.query().where(`hash <> '${second.hash}'`).limit(1).toArray();
  const swapped = { hash: second.hash, codes: Buffer.from(other.codes) };
  await set.mergeInsert("hash").whenMatchedUpdateAll().execute([swapped]);
  assert.deepEqual(kindsOf(await openAnew()), ["vectors", "words"]);
  await using repaired = await fixture.open({ config: withMemorySearch(onLance) });
  assert.deepEqual((await repaired.repair()).differences, []);

  async function openAnew() {
    await using other = await fixture.open({ config: withMemorySearch(onLance) });
    return await other.verify();
  }
  function kindsOf({ differences }: { differences: readonly { kind: DifferenceKind }[] }): DifferenceKind[] {
    return differences.map(({ kind }) => kind).toSorted();
  }
});
