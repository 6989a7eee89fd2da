import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromSqlText, toSqlText } from "./sql-values.ts";

test("any text survives a round trip, and contains no NUL in between", () => {
  const odd = fc.constantFrom("\0", "\uffff", "\uffff0", "\uffff1", "0", "1", "a", "😀");
  const text = fc.array(fc.oneof(odd, fc.string({ unit: "binary" }))).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (each) => {
      const written = toSqlText(each);
      assert.ok(!written.includes("\0"));
      assert.equal(fromSqlText(written), each.toWellFormed());
    }),
    { seed: 5 },
  );
});
