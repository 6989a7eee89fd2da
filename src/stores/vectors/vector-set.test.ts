import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createUseRecorder,
  estimateTokens,
  isUsedLately,
  toBlob,
  toEntries,
  toFloats,
} from "./vector-set.ts";

const dayMs = 24 * 3600 * 1000;

test("a set counts as used for a day, and so does one of the future", () => {
  const set = { used_at: 10 * dayMs };
  const days = [-1, -0.99, 0, 0.99, 1].map((days) => isUsedLately(set, (10 + days) * dayMs));
  assert.deepEqual(days, [false, true, true, true, false]);
});

test("the use of each set is recorded once a day, and a failure is ignored", async () => {
  let nowMs = 100 * dayMs;
  const recorded: string[] = [];
  const noteUse = createUseRecorder(
    () => nowMs,
    async (name) => {
      recorded.push(name);
      throw new Error("read-only");
    },
  );
  noteUse({ name: "today", used_at: nowMs - dayMs / 2 });
  for (const name of ["old", "old", "other"]) noteUse({ name, used_at: 0 });
  assert.deepEqual(recorded, ["old", "other"]);
  nowMs += dayMs;
  noteUse({ name: "old", used_at: 0 });
  assert.deepEqual(recorded, ["old", "other", "old"]);
});

test("tokens are estimated rather too high than too low", () => {
  assert.deepEqual([0, 1, 3, 4].map(estimateTokens), [0, 1, 1, 2]);
});

test("a blob is read back, wherever it begins in its buffer, and only with the right number of values", () => {
  const vector = Float32Array.of(0.6, -0.8);
  for (let offset = 0; offset < 4; offset++) {
    const bytes = new Uint8Array(offset + 8);
    bytes.set(toBlob(vector), offset);
    assert.deepEqual(toFloats(bytes.subarray(offset), 2), vector);
    assert.equal(toFloats(bytes.subarray(offset), 1), null);
  }
});

test("rows of the cache become entries of equal dimensions, without malformed or missing ones", () => {
  const row = (hash: string, ...numbers: number[]) => ({
    hash,
    embedding: toBlob(Float32Array.from(numbers)),
    dims: numbers.length,
  });
  const missing = { hash: "none", embedding: null, dims: null };
  const rows = [missing, row("blank"), row("a", 0, 1), row("b", 1, 0, 0), row("zero", 0, 0)];
  const found = (dims: number) => toEntries(rows, dims).map(({ hash, vectors }) => [hash, vectors.length]);
  assert.deepEqual(found(0), [
    ["blank", 0],
    ["a", 1],
  ]);
  assert.deepEqual(found(3), [
    ["blank", 0],
    ["b", 1],
  ]);
});
