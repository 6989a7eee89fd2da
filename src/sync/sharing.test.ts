import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import { createSeenContents } from "../stores/seen-contents.ts";
import type { Store } from "../stores/store.ts";
import { createChunker } from "../text/chunk.ts";
import { syncWords } from "./sync.ts";
import { describeSharing, readSharing, recordSharing } from "./sync-records.ts";

function createFacts(facts: Record<string, string> = {}) {
  return {
    facts,
    readFact: async (key: string) => facts[key] ?? null,
    writeFact: async (key: string, value: string) => {
      facts[key] = value;
    },
  };
}

const at = "2026-01-01T00:00:00.000Z";
const weekMs = 7 * 24 * 3_600_000;
const after = (ms: number) => new Date(Date.parse(at) + ms);

test("A conflict is remembered for less than a week, and a pass without one leaves it", async () => {
  const store = createFacts();
  assert.equal(await readSharing(store, after(0)), null);
  const trouble = { at, problems: ["removed a.md"] };
  await recordSharing(store, trouble);
  await recordSharing(store, { at: after(5).toISOString(), problems: [] });
  assert.deepEqual(await readSharing(store, after(weekMs - 1)), trouble);
  assert.equal(await readSharing(store, after(weekMs)), null);
});

test("A malformed fact of another program is not a conflict", async () => {
  for (const json of ["", "[", "{}", "1", `{"at":"${at}"}`, `{"at":1,"problems":[]}`]) {
    assert.equal(await readSharing(createFacts({ sharing: json }), after(0)), null, json);
  }
});

test("Each kind of conflict is a sentence that names the first note and counts the others", () => {
  assert.deepEqual(describeSharing({ restored: [], foreign: [] }), []);
  const [restored, foreign, ...more] = describeSharing({
    restored: ["a.md"],
    foreign: ["b.md", "c.md", "d.md"],
  });
  assert.match(restored!, /^another machine replaced or removed a\.md in the shared index, put back now\. /);
  assert.match(foreign!, /^removed b\.md and 2 more from the shared index, which this machine never had\. /);
  assert.deepEqual(more, []);
});

suite("Machines that share an index", () => {
  const now = () => after(0);
  const chunker = createChunker({ tokens: 400, overlap: 80 });

  async function openIndex(t: TestContext): Promise<Store> {
    const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
    t.after(() => store[Symbol.asyncDispose]());
    return store;
  }

  /** Its files have their own timestamps, so its versions never equal those of another machine. */
  async function createMachine(t: TestContext, texts: Record<string, string>, stamp: number) {
    const source = createTextSource(texts);
    source.stamp = stamp;
    const seen = createSeenContents(makeTemporaryFolder(t).at("seen.json"));
    await seen.open("index");
    return {
      source,
      sync: (store: Store) => syncWords({ store, sources: [source], chunker, now, seen }),
    };
  }

  test("that have the same notes write each once, and read each once", async (t) => {
    const store = await openIndex(t);
    const notes = { "a.md": "Alpha", "b.md": "Beta" };
    const [one, two] = [await createMachine(t, notes, 1), await createMachine(t, notes, 2)];
    assert.equal((await one.sync(store)).added, 2);
    const versions = await store.versions("memory");
    for (let round = 0; round < 2; round++) {
      for (const machine of [two, one]) {
        const { unchanged, updated, degraded } = await machine.sync(store);
        assert.deepEqual([unchanged, updated, degraded], [2, 0, []]);
      }
    }
    assert.deepEqual(await store.versions("memory"), versions);
    assert.deepEqual([one.source.reads.length, two.source.reads.length], [2, 2]);
  });

  test("that have different notes report what they remove, and what they put back", async (t) => {
    const store = await openIndex(t);
    const one = await createMachine(t, { "a.md": "Alpha", "b.md": "Beta" }, 1);
    const two = await createMachine(t, { "a.md": "Alpha" }, 2);
    await one.sync(store);
    const removing = await two.sync(store);
    assert.equal(removing.removed, 1);
    assert.match(
      removing.degraded.join(),
      /^removed b\.md from the shared index, which this machine never had/,
    );
    const restoring = await one.sync(store);
    assert.equal(restoring.added, 1);
    assert.match(restoring.degraded.join(), /^another machine replaced or removed b\.md/);
    assert.deepEqual((await readSharing(store, now()))?.problems, restoring.degraded);
  });

  test("report nothing that a machine deletes or changes itself", async (t) => {
    const store = await openIndex(t);
    const one = await createMachine(t, { "a.md": "Alpha", "b.md": "Beta" }, 1);
    await one.sync(store);
    one.source.texts.delete("b.md");
    one.source.texts.set("a.md", "Alpha 2");
    const { removed, updated, degraded } = await one.sync(store);
    assert.deepEqual([removed, updated, degraded], [1, 1, []]);
  });

  test("report nothing when the index was deleted", async (t) => {
    const one = await createMachine(t, { "a.md": "Alpha", "b.md": "Beta" }, 1);
    await one.sync(await openIndex(t));
    const { added, degraded } = await one.sync(await openIndex(t));
    assert.deepEqual([added, degraded], [2, []]);
  });
});
