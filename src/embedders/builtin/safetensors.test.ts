import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeSafetensors } from "../../../test/support/tiny-model.ts";
import { LonghandError } from "../../errors.ts";
import { float16Bits, float32Values, int8Values, parseSafetensors } from "./safetensors.ts";

const whole = encodeSafetensors({
  singles: { type: "F32", shape: [2, 2], values: [1.5, -2, 0, 0.25] },
  bytes: { type: "I8", shape: [3], values: [-128, 0, 127] },
  halves: { type: "F16", shape: [2], values: [0x3c00, 0xc000] },
});

test("Tables are read by name with their shape and numbers, at any alignment in memory", () => {
  for (const shift of [0, 1, 2, 3]) {
    const memory = Buffer.alloc(whole.length + shift);
    memory.set(whole, shift);
    const tensors = parseSafetensors(memory.subarray(shift), "m");
    assert.deepEqual([...tensors.keys()], ["singles", "bytes", "halves"]);
    assert.deepEqual(tensors.get("singles")!.shape, [2, 2]);
    assert.deepEqual([...float32Values(tensors.get("singles")!)], [1.5, -2, 0, 0.25]);
    assert.deepEqual([...int8Values(tensors.get("bytes")!)], [-128, 0, 127]);
    assert.deepEqual([...float16Bits(tensors.get("halves")!)], [0x3c00, 0xc000]);
  }
});

test("Metadata in the header is not a table, and an unsupported type is still listed", () => {
  const file = withHeader({
    __metadata__: { format: "pt" },
    other: { dtype: "BF16", shape: [1], data_offsets: [0, 2] },
  });
  assert.deepEqual(
    [...parseSafetensors(file, "m")].map(([name, { type }]) => [name, type]),
    [["other", "BF16"]],
  );
});

test("A file that is truncated anywhere is refused", () => {
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => parseSafetensors(whole.slice(0, length), "some/file"), {
      code: "model-unusable",
      message: /some\/file/,
    });
  }
});

test("A header that does not match the numbers is refused with the reason", () => {
  const refused: [unknown, RegExp][] = [
    [[], /not a JSON object/],
    [{ a: null }, /description of its table "a"/],
    [{ a: { dtype: "I8", shape: [-1], data_offsets: [0, 1] } }, /description of its table "a"/],
    [{ a: { dtype: "I8", shape: [1], data_offsets: [0] } }, /description of its table "a"/],
    [{ a: { dtype: "I8", shape: [9], data_offsets: [0, 9] } }, /bytes 0 to 9, but only 8 follow/],
    [{ a: { dtype: "I8", shape: [1], data_offsets: [2, 1] } }, /bytes 2 to 1/],
    [{ a: { dtype: "F32", shape: [2, 2], data_offsets: [0, 8] } }, /\(F32, 2 × 2\) needs 16 bytes and has 8/],
  ];
  for (const [header, message] of refused) {
    assert.throws(() => parseSafetensors(withHeader(header), "m"), { code: "model-unusable", message });
  }
});

test("Any bytes are either parsed or refused with its own error", () => {
  const damaged = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, value]) => {
    const copy = whole.slice();
    copy[at] = value;
    return copy;
  });
  const check = fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (bytes) => {
    try {
      parseSafetensors(bytes, "m");
    } catch (error) {
      assert.ok(error instanceof LonghandError, String(error));
    }
  });
  fc.assert(check, { seed: 12, numRuns: 2000 });
});

/** The given header, followed by eight bytes. */
function withHeader(header: unknown): Uint8Array {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return new Uint8Array(Buffer.concat([length, json, Buffer.alloc(8)]));
}
