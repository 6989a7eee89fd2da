import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeSafetensors, type TableOf } from "../../../test/support/tiny-model.ts";
import { parseSafetensors } from "./safetensors.ts";
import { createStaticModel, type StaticModel } from "./static-model.ts";

/** Small whole numbers, which all three types represent exactly. */
const rows = [
  [0, 0, 0],
  [1, 2, 0],
  [-1, 0, 2],
  [0, -2, 1],
  [-1, -2, 0],
];
const halfBits: Readonly<Record<number, number>> = { 0: 0, 1: 0x3c00, 2: 0x4000, [-1]: 0xbc00, [-2]: 0xc000 };
const values = rows.flat();

function modelOf(tables: Readonly<Record<string, TableOf>>): StaticModel {
  return createStaticModel(parseSafetensors(encodeSafetensors(tables), "m"), "m");
}

const single: TableOf = { type: "F32", shape: [5, 3], values };
const weights: TableOf = { type: "F32", shape: [5], values: [1, 0.5, 2, 1, 0.25] };

test("Single-precision, half-precision and byte tables with the same numbers give the same vectors", () => {
  const models = [
    single,
    { type: "F16", shape: [5, 3], values: values.map((value) => halfBits[value]!) } as const,
    { type: "I8", shape: [5, 3], values } as const,
  ].map((embeddings) => modelOf({ embeddings, weights }));
  const [first, ...others] = models.map((model) => model.embedWhole([1, 2, 2, 3]));
  for (const other of others) assert.deepEqual(other, first);
});

test("Each row is multiplied by its weight, or by 1 without weights", () => {
  const plain = modelOf({ embeddings: single });
  assert.deepEqual(plain.embedWhole([1, 2, 3]), unit([0, 0, 3]));
  const weighted = modelOf({ embeddings: single, weights });
  assert.deepEqual(weighted.embedWhole([1, 2, 3]), unit([-1.5, -1, 5]));
});

test("Pieces without a direction have no vector", () => {
  const model = modelOf({ embeddings: single });
  assert.equal(model.embedWhole([]), null);
  assert.equal(model.embedWhole([0, 0]), null);
  assert.equal(model.embedWhole([1, 4]), null, "the pieces cancel out");
  assert.deepEqual(model.embedWindows([], 2), []);
  assert.deepEqual(model.embedWindows([0, 0, 0, 0, 0, 0, 1, 1], 2), [unit([1, 2, 0])]);
});

test("Windows are two steps long, begin one step apart, and reach the end of the text", () => {
  const model = modelOf({ embeddings: single, weights });
  const check = fc.property(
    fc.array(fc.nat(4), { maxLength: 60 }),
    fc.integer({ min: 1, max: 8 }),
    (ids, step) => {
      const starts = [0];
      while (starts.at(-1)! + 2 * step < ids.length) starts.push(starts.at(-1)! + step);
      const expected = starts
        .map((start) => model.embedWhole(ids.slice(start, start + 2 * step)))
        .filter((vector) => vector !== null);
      const found = model.embedWindows(ids, step);
      assert.equal(found.length, expected.length);
      found.forEach((vector, i) => {
        vector.forEach((value, j) => {
          assert.ok(Math.abs(value - expected[i]![j]!) < 1e-6);
        });
      });
    },
  );
  fc.assert(check, { seed: 15, numRuns: 500 });
});

test("A table of another shape or type is refused with the reason", () => {
  const refused: [Readonly<Record<string, TableOf>>, RegExp][] = [
    [{}, /has no table "embeddings"/],
    [{ other: single, weights }, /has no table "embeddings", only "other", "weights"/],
    [{ embeddings: { ...single, shape: [15] } }, /has the shape \[15\]/],
    [{ embeddings: { ...single, shape: [0, 3], values: [] } }, /has the shape \[0,3\]/],
    [
      { embeddings: single, weights: { ...weights, shape: [4], values: [1, 1, 1, 1] } },
      /F32 \[4\] instead of F32 \[5\]/,
    ],
    [
      { embeddings: single, weights: { type: "I8", shape: [5], values: [1, 1, 1, 1, 1] } },
      /I8 \[5\] instead/,
    ],
  ];
  for (const [tables, message] of refused) {
    assert.throws(() => modelOf(tables), { code: "model-unusable", message });
  }
  const unread = new Map([["embeddings", { type: "BF16", shape: [1, 1], bytes: new Uint8Array(2) }]]);
  assert.throws(() => createStaticModel(unread, "m"), { message: /of type BF16 instead of F32, F16 or I8/ });
});

test("A number that is not finite is an error, and never becomes part of a vector", () => {
  const infinite = [...values.slice(0, -1), Number.POSITIVE_INFINITY];
  const model = modelOf({ embeddings: { ...single, values: infinite } });
  assert.ok(model.embedWhole([1]));
  assert.throws(() => model.embedWhole([1, 4]), { code: "model-unusable", message: /not finite/ });
  assert.throws(() => model.embedWindows([4], 2), { code: "model-unusable" });
});

function unit(direction: readonly number[]): Float32Array {
  return Float32Array.from(direction.map((value) => value / Math.hypot(...direction)));
}
