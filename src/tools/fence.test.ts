import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fence } from "./fence.ts";

test("A fence is one backtick longer than the longest run inside, so that no text can end it", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("`", "``", "```", "\n", "a", "text")), (parts) => {
      const [opening, ...inside] = fence(parts.join("")).split("\n");
      const bar = opening!.replace("text", "");
      assert.equal(inside.pop(), bar);
      assert.equal(inside.join("\n"), parts.join(""));
      assert.ok(inside.every((line) => !line.includes(bar)));
    }),
    { seed: 7 },
  );
});
