import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { createPurgeRecords } from "../src/forget/purge-records.ts";
import type { Memory } from "../src/memory/memory.ts";
import { tryFileLock } from "../src/stores/lock.ts";
import { sha256 } from "../src/text/hash.ts";
import { createConceptEmbedder } from "./support/concept-embedder.ts";
import { type MemoryFixture, makeMemoryFixture, withMemorySearch } from "./support/memory-fixture.ts";
import { skipWithoutLance } from "./support/platform.ts";
import { openCliFixture } from "./support/run-cli.ts";

const secret = "- The alarm code of the quokkaberry warehouse is 7741-zebrafinch.";
const words = ["quokkaberry", "zebrafinch"];
const note = "memory/log.md";
const kept = "# Log\n\n- We ship on Fridays only.\n";
const whole = `${kept}${secret}\n`;

/** Names of the files below a folder that contain one of the words. Nothing of ours is open meanwhile. */
function filesWith(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file).toString("latin1").toLowerCase();
      return words.some((word) => bytes.includes(word));
    });
}

async function use<T>(fixture: MemoryFixture, work: (memory: Memory) => Promise<T>): Promise<T> {
  const memory = await fixture.open({ embedder: createConceptEmbedder() });
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

/** An index with the text, and a purge that was recorded before the note was edited. */
async function beginForget(fixture: MemoryFixture) {
  const dbPath = await use(fixture, async (memory) => {
    await memory.sync();
    return (await memory.status()).dbPath;
  });
  const records = createPurgeRecords(`${dbPath}.pending`);
  records.add({ at: "2026-11-15T10:00:00.000Z", notes: [{ path: note, before: sha256(whole) }] });
  assert.ok(filesWith(fixture.stateDir).length > 0);
  const lockPath = join(fixture.stateDir, "locks", `forget-${sha256(dbPath).slice(0, 16)}.lock`);
  return { dbPath, records, lockPath };
}

describe("A forget that was killed", () => {
  for (const end of ["edited", "deleted", "taken away"] as const) {
    test(`after the note was ${end} is shown as pending, and finished by the next sync`, async (t) => {
      const fixture = makeMemoryFixture(t, {
        "MEMORY.md": "# Memory\n\n- Kim waters the plants.\n",
        [note]: whole,
      });
      const { dbPath, records } = await beginForget(fixture);
      if (end === "edited") fixture.write(note, kept);
      if (end === "deleted") rmSync(fixture.at(note));
      if (end === "taken away")
        renameSync(fixture.at(note), fixture.at("memory/.longhand-0123456789abcdef.tmp"));
      await use(fixture, async (memory) => {
        assert.deepEqual((await memory.status()).pendingPurges, [
          { at: "2026-11-15T10:00:00.000Z", notes: [note] },
        ]);
        assert.deepEqual((await memory.sync()).degraded, []);
        assert.deepEqual((await memory.status()).pendingPurges, []);
      });
      assert.deepEqual(filesWith(fixture.stateDir), []);
      assert.deepEqual(filesWith(fixture.workspace), []);
      assert.deepEqual(records.list(), []);
      assert.ok(!existsSync(`${dbPath}.pending`));
    });
  }

  test("before the note was edited leaves everything as it is", async (t) => {
    const fixture = makeMemoryFixture(t, { [note]: whole });
    const { records } = await beginForget(fixture);
    await use(fixture, (memory) => memory.sync());
    assert.deepEqual(records.list(), []);
    assert.equal(readFileSync(fixture.at(note), "utf8"), whole);
    const { results } = await use(fixture, (memory) => memory.search("quokkaberry"));
    assert.equal(results.length, 1);
  });

  test("is finished by a search too, which says so first", async (t) => {
    const fixture = makeMemoryFixture(t, { [note]: whole });
    await beginForget(fixture);
    fixture.write(note, kept);
    const answer = await use(fixture, (memory) => memory.search("ship on Fridays"));
    assert.match(answer.degraded.join(), /may still hold text that was to be forgotten/);
    assert.deepEqual(filesWith(fixture.stateDir), []);
    assert.deepEqual((await use(fixture, (memory) => memory.search("ship on Fridays"))).degraded, []);
  });

  test("is left alone while a forget runs, because it may be that one's", async (t) => {
    const fixture = makeMemoryFixture(t, { [note]: whole });
    const { lockPath, records } = await beginForget(fixture);
    {
      using _lock = tryFileLock(lockPath);
      await use(fixture, async (memory) => {
        await memory.search("ship on Fridays");
        assert.deepEqual((await memory.status()).pendingPurges, []);
      });
      assert.equal(records.list().length, 1);
    }
  });

  test("is waited for by a sync while another process finishes it", async (t) => {
    const fixture = makeMemoryFixture(t, { [note]: whole });
    const { lockPath } = await beginForget(fixture);
    fixture.write(note, kept);
    const other = tryFileLock(lockPath);
    await use(fixture, async (memory) => {
      let isFreed = false;
      const synced = memory.sync().then(() => isFreed);
      await memory.search("ship on Fridays");
      isFreed = true;
      other?.[Symbol.dispose]();
      assert.equal(await synced, true);
    });
    assert.deepEqual(filesWith(fixture.stateDir), []);
  });

  test("is pending even if its record is malformed", async (t) => {
    const fixture = makeMemoryFixture(t, { [note]: whole });
    const { dbPath } = await beginForget(fixture);
    for (const name of readdirSync(`${dbPath}.pending`))
      writeFileSync(join(`${dbPath}.pending`, name), '{"at": ');
    fixture.write(note, kept);
    await use(fixture, (memory) => memory.sync());
    assert.deepEqual(filesWith(fixture.stateDir), []);
    assert.ok(!existsSync(`${dbPath}.pending`));
  });

  test("is shown by status and doctor, and finished by index", async (t) => {
    const fixture = openCliFixture(t);
    fixture.write(note, whole);
    await fixture.run("index");
    const { dbPath } = (await fixture.json("status")).value as { dbPath: string };
    createPurgeRecords(`${dbPath}.pending`).add({
      at: "2026-11-15",
      notes: [{ path: note, before: "other" }],
    });
    assert.match((await fixture.run("status")).stdout, /to forget +interrupted .*memory\/log\.md/);
    assert.match((await fixture.run("doctor")).stdout, /✗ forgetting .*\n.*longhand index/);
    assert.equal((await fixture.run("index")).code, 0);
    assert.doesNotMatch((await fixture.run("status")).stdout, /to forget/);
  });
});

test("notes are edited although the index cannot be opened; the purge is pending until it can", async (t) => {
  const fixture = makeMemoryFixture(t, { [note]: whole });
  const dbPath = await use(fixture, async (memory) => {
    await memory.sync();
    return (await memory.status()).dbPath;
  });
  renameSync(dbPath, `${dbPath}.away`);
  mkdirSync(dbPath);
  const unable = await fixture.open();
  const { receipt } = await unable.forget({ path: note, startLine: 4 });
  await unable.close();
  assert.deepEqual([receipt?.complete, receipt?.pending], [false, true]);
  rmSync(dbPath, { recursive: true });
  renameSync(`${dbPath}.away`, dbPath);
  assert.ok(filesWith(fixture.stateDir).length > 0);
  await use(fixture, (memory) => memory.sync());
  assert.deepEqual(filesWith(fixture.stateDir), []);
});

test("vectors that arrive after their text was forgotten are not kept", async (t) => {
  const fixture = makeMemoryFixture(t, { [note]: whole });
  const embedder = createConceptEmbedder();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const memory = await fixture.open({
    embedder: {
      ...embedder,
      isSlow: true,
      async embedDocuments(texts, options) {
        asked.resolve();
        await answered.promise;
        return await embedder.embedDocuments(texts, options);
      },
    },
  });
  const syncing = memory.sync();
  await asked.promise;
  const { receipt } = await memory.forget({ path: note, startLine: 4 });
  answered.resolve();
  await syncing;
  const { dbPath } = await memory.status();
  await memory.close();
  assert.equal(receipt?.complete, true);
  assert.deepEqual(filesWith(fixture.stateDir), []);
  const db = new DatabaseSync(dbPath);
  const unused = db.prepare("SELECT hash FROM embedding_cache WHERE hash NOT IN (SELECT hash FROM chunks)");
  assert.deepEqual(unused.all(), []);
  db.close();
});

test("a conversation that is not indexed and says the same is named, never edited", async (t) => {
  const fixture = makeMemoryFixture(t, { [note]: whole });
  const memory = await fixture.open();
  const file = join(fixture.stateDir, "agents", memory.agentId, "sessions", "talk.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  const said = (content: string) =>
    `${JSON.stringify({ type: "message", message: { role: "user", content } })}\n`;
  const talk = said("hello") + said(`I said "note this": ${secret.slice(2)}`);
  writeFileSync(file, talk);
  const { receipt } = await memory.forget({ path: note, startLine: 4 });
  assert.deepEqual(receipt?.stillIn, [{ path: "sessions/talk.jsonl", line: 2 }]);
  assert.equal(receipt.complete, true);
  assert.equal(readFileSync(file, "utf8"), talk);
});

test("leftovers of a killed verify are deleted and named; those of a running one are a problem", async (t) => {
  const fixture = makeMemoryFixture(t, { [note]: `${whole}- Another secret: wombatfruit.\n` });
  const { dbPath } = await use(fixture, async (memory) => {
    await memory.sync();
    return await memory.status();
  });
  const leave = (pid: number): string => {
    const folder = `${dbPath}.verify-${pid}-abcdef`;
    mkdirSync(folder);
    writeFileSync(join(folder, "index.sqlite"), secret);
    return folder;
  };
  // Higher than any process id.
  const dead = leave(2 ** 22 + 1);
  const { receipt } = await use(fixture, (memory) => memory.forget({ path: note, startLine: 4 }));
  assert.deepEqual([receipt?.complete, receipt?.deletedFiles], [true, [dead]]);
  assert.deepEqual(filesWith(fixture.stateDir), []);
  const alive = leave(process.ppid);
  const second = await use(fixture, (memory) => memory.forget({ path: note, startLine: 4 }));
  assert.equal(second.receipt?.complete, false);
  assert.ok(second.receipt.problems.join().includes(alive));
});

describe("An index that was used before", () => {
  const open = (fixture: MemoryFixture, store: object) =>
    fixture.open({ config: withMemorySearch({ store }), embedder: createConceptEmbedder() });

  for (const [from, to] of [
    ["sqlite", "lancedb"],
    ["lancedb", "sqlite"],
  ] as const) {
    test(`with ${from} is purged when ${to} is in use`, { skip: skipWithoutLance }, async (t) => {
      const fixture = makeMemoryFixture(t, { [note]: whole });
      const before = await open(fixture, { driver: from });
      await before.sync();
      const earlier = (await before.status()).dbPath;
      await before.close();
      const memory = await open(fixture, { driver: to });
      await memory.sync();
      const { receipt } = await memory.forget({ path: note, startLine: 4 });
      await memory.close();
      assert.deepEqual(receipt?.problems, []);
      assert.deepEqual([receipt?.complete, receipt?.alsoPurged], [true, [earlier]]);
      assert.equal(receipt?.proof, to === "sqlite" ? "bytes" : "rows");
      assert.deepEqual(filesWith(fixture.stateDir), []);
      const again = await open(fixture, { driver: from });
      const { results } = await again.search("quokkaberry zebrafinch");
      assert.ok(!results.some(({ snippet }) => /quokkaberry|zebrafinch/.test(snippet)));
      await again.close();
    });
  }

  test("at another store.path is purged, and one on a server is named", async (t) => {
    const fixture = makeMemoryFixture(t, { [note]: whole });
    const first = join(fixture.stateDir, "elsewhere", "first.sqlite");
    for (const path of [first, join(fixture.stateDir, "second.sqlite")]) {
      const memory = await open(fixture, { path });
      await memory.sync();
      await memory.close();
    }
    const memory = await open(fixture, {});
    const { agentId } = memory;
    const places = join(fixture.stateDir, "agents", agentId, "index-places.json");
    const known = JSON.parse(readFileSync(places, "utf8")) as object[];
    writeFileSync(
      places,
      JSON.stringify([...known, { driver: "postgres", place: "postgres://db.test/notes" }]),
    );
    const { receipt } = await memory.forget({ path: note, startLine: 4 });
    await memory.close();
    assert.deepEqual(receipt?.alsoPurged.map((path) => dirname(path)).length, 2);
    assert.deepEqual(filesWith(fixture.stateDir), []);
    assert.equal(receipt?.complete, false);
    assert.match(
      receipt.problems.join(),
      /postgres:\/\/db\.test\/notes, used before, may still hold the text/,
    );
  });
});
