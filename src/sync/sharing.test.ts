import assert from "node:assert/strict";
import { test } from "node:test";
import { describeSharing, readSharing, recordSharing } from "./sharing.ts";

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

test("A fact that another program left there is no conflict", async () => {
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
