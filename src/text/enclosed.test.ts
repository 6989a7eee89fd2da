import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../test/support/growth.ts";
import { replaceEnclosed } from "./enclosed.ts";

test("every part from an opening to the next closing delimiter is replaced, like the pattern does", () => {
  const piece = fc.constantFrom("<!--", "-->", "-", "<", "!", ">", "a", " ");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      const replaced = replaceEnclosed(text, "<!--", "-->", (part) => `[${part.length}]`);
      assert.equal(
        replaced,
        text.replace(/<!--.*?-->/g, (part) => `[${part.length}]`),
      );
    }),
  );
});

test("many opening delimiters without an end take linear time", () => {
  assertLinear((size) => replaceEnclosed("<!-- ".repeat(size), "<!--", "-->", () => ""), 10_000);
});
