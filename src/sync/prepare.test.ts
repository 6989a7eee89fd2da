import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createChunker } from "../text/chunk.ts";
import { joinChunks } from "./prepare.ts";

test("turns cut into chunks and joined again are the same text, long turns and gaps included", () => {
  const word = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replaceAll(/\s/g, "x"));
  const turn = fc
    .tuple(fc.constantFrom("User: ", "Assistant: "), fc.array(word, { minLength: 1, maxLength: 60 }))
    .map(([speaker, words]) => speaker + words.join(" "));
  const lines = fc.array(fc.oneof(turn, fc.constant("")), { minLength: 1, maxLength: 40 });
  const chunker = createChunker({ tokens: 25, overlap: 8 });
  fc.assert(
    fc.property(lines, (texts) => {
      const text = texts.join("\n");
      assert.equal(joinChunks(chunker.chunk(text), { start: 1, end: texts.length }), text);
    }),
    { seed: 3, numRuns: 500 },
  );
});

test("lines that no chunk has are blank", () => {
  assert.equal(joinChunks([], { start: 3, end: 5 }), "\n\n");
  assert.equal(joinChunks([{ lines: { start: 4, end: 4 }, text: "a" }], { start: 3, end: 5 }), "\na\n");
});
