import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitLines } from "./stdio-transport.ts";

function splitIn(pieces: readonly Buffer[], maxBytes = 1000): (string | null)[] {
  const seen: (string | null)[] = [];
  const lines = splitLines({ maxBytes, onLine: (line) => seen.push(line), onTooLong: () => seen.push(null) });
  for (const piece of pieces) lines.push(piece);
  lines.end();
  return seen;
}

test("Lines are the same however the input is split, even within a character", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "\u{1f600}", " ", "\n", "\n") });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 7 }), (sent, size) => {
      const bytes = Buffer.from(sent);
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      assert.deepEqual(
        splitIn(pieces),
        sent.split("\n").filter((line) => line.trim() !== ""),
      );
    }),
    { seed: 5 },
  );
});

test("A line that is too long is reported once, and the lines around it are kept", () => {
  const pieces = ["one\n", "x".repeat(600), "x".repeat(600), "x\ntwo\n"].map((piece) => Buffer.from(piece));
  assert.deepEqual(splitIn(pieces), ["one", null, "two"]);
});
