import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeGguf, makeTinyModel } from "../../../test/support/tiny-gguf.ts";
import { type GgufHeader, parseGguf } from "./gguf.ts";

const small = encodeGguf(
  {
    "general.name": { type: "text", value: "Größe" },
    words: { type: "texts", value: ["a", "bc", ""] },
    numbers: { type: "i32s", value: [1, -2] },
    count: { type: "u32", value: 7 },
    less: { type: "i32", value: -7 },
    half: { type: "f32", value: 0.5 },
    yes: { type: "bool", value: true },
  },
  [
    { name: "one", shape: [3], numbers: Float32Array.of(1, 2, 3) },
    { name: "two", shape: [2, 4], numbers: new Float32Array(8) },
  ],
);

function parseWhole(bytes: Uint8Array): GgufHeader {
  const header = parseGguf(bytes);
  assert.ok(header !== null && "values" in header);
  return header;
}

test("Single values are read and lists are skipped", () => {
  const { values } = parseWhole(small);
  assert.deepEqual(Object.fromEntries(values), {
    "general.name": "Größe",
    count: 7,
    less: -7,
    half: 0.5,
    yes: true,
  });
});

test("A complete file is exactly as long as its tables need, padding aside", () => {
  const { neededBytes, headerBytes } = parseWhole(small);
  assert.equal(neededBytes, small.length, "the last table fills its 32 bytes");
  assert.ok(headerBytes < neededBytes);
  const model = makeTinyModel();
  assert.equal(parseWhole(model).neededBytes, model.length);
});

test("A header that is truncated anywhere asks for more bytes", () => {
  const { headerBytes } = parseWhole(small);
  for (let length = 0; length < headerBytes; length++) {
    assert.equal(parseGguf(small.subarray(0, length)), null, `${length} bytes`);
  }
  assert.notEqual(parseGguf(small.subarray(0, headerBytes)), null);
});

test("A file that is not GGUF, or has impossible values, is refused with the reason", () => {
  assert.deepEqual(parseGguf(Buffer.from("<!doctype html><html>")), { fault: "is not a GGUF file" });
  const changed = (at: number, value: number) => {
    const bytes = small.slice();
    bytes.fill(value, at, at + 4);
    return JSON.stringify(parseGguf(bytes));
  };
  assert.match(changed(4, 1), /version/);
  assert.match(changed(8, 255), /tables/);
  assert.match(changed(16, 255), /values/);
});

test("Damage of any kind gives an answer and never an exception", () => {
  const { headerBytes } = parseWhole(small);
  const damage = fc.array(fc.tuple(fc.nat(headerBytes - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(damage, (changes) => {
      const bytes = small.slice();
      for (const [at, value] of changes) bytes[at] = value;
      const header = parseGguf(bytes);
      if (header === null || "fault" in header) return;
      assert.ok(Number.isFinite(header.neededBytes) && header.headerBytes <= bytes.length);
    }),
    { seed: 7, numRuns: 2000 },
  );
});
