import assert from "node:assert/strict";
import { test } from "node:test";
import { readSyncHistory, recordSync } from "./sync-records.ts";

function openFacts(facts: Record<string, string> = {}) {
  return {
    readFact: async (key: string) => facts[key] ?? null,
    writeFact: async (key: string, value: string) => {
      facts[key] = value;
    },
  };
}

const pass = {
  at: "2026-03-02T10:00:00.000Z",
  reason: "cli",
  added: 1,
  updated: 0,
  removed: 0,
  durationMs: 5,
};
const failure = { path: "memory/a.md", code: "note-binary", message: "It holds binary data." } as const;

test("The latest twenty passes are kept, the newest first, with their first failures", async () => {
  const store = openFacts();
  assert.deepEqual(await readSyncHistory(store), []);
  for (let added = 1; added <= 25; added++) {
    await recordSync(store, { ...pass, added, failed: Array(added).fill(failure) });
  }
  const history = await readSyncHistory(store);
  assert.deepEqual(
    history.map(({ added }) => added),
    Array.from({ length: 20 }, (_, index) => 25 - index),
  );
  assert.deepEqual([history[0]!.failed, history[0]!.failures.length], [25, 5]);
  assert.deepEqual(history[0]!.failures[0], failure);
});

test("A malformed record reads as an empty history", async () => {
  for (const value of ["", "{", "7", "null", '[null, 7, {"at": "never", "failures": []}]']) {
    assert.deepEqual(await readSyncHistory(openFacts({ sync_history: value })), [], value);
  }
});
