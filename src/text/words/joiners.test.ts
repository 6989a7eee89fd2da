import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readSigil } from "./joiners.ts";

test("a flag ends where its letters do, in any script", () => {
  const body = /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)*/uy;
  const pieces = fc.constantFrom(..."a B 9 é ö ж 日 ́ - _ -- . 😀 / x-y".split(" "), " ");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = `--${parts.join("")}`;
      body.lastIndex = 2;
      const length = body.exec(text)?.[0].length ?? 0;
      assert.equal(readSigil(text, 2)?.end ?? 2, 2 + length, text);
    }),
    { seed: 5, numRuns: 3000 },
  );
});
