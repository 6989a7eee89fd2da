import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createNeedleSearch } from "./needle-search.ts";

function search(text: string, needles: readonly string[]): string[] {
  const found = new Set<number>();
  const bytes = Buffer.from(text);
  createNeedleSearch(needles).find(bytes, bytes.length, found);
  return needles.filter((_, index) => found.has(index));
}

test("finds what a naive search for each needle finds", () => {
  const letters = fc.constantFrom("a", "b", "ab", "é", "\0");
  const needle = fc.string({ unit: letters, minLength: 3, maxLength: 9 });
  const property = fc.property(
    fc.string({ unit: letters, maxLength: 60 }),
    fc.uniqueArray(needle, { maxLength: 12 }),
    (text, needles) => {
      const expected = needles.filter((each) => Buffer.from(text).includes(each));
      assert.deepEqual(search(text, needles), expected);
    },
  );
  fc.assert(property, { seed: 11, numRuns: 3000 });
});

test("a needle that is a prefix of another is found with it, and without it", () => {
  assert.deepEqual(search("…quokkaberry…", ["quokka", "quokkaberry", "quokkaberries"]), [
    "quokka",
    "quokkaberry",
  ]);
  assert.deepEqual(search("quokkabe", ["quokka", "quokkaberry"]), ["quokka"]);
});

test("only matches that begin before the end are reported", () => {
  const found = new Set<number>();
  createNeedleSearch(["later", "sooner"]).find(Buffer.from("sooner later"), 3, found);
  assert.deepEqual([...found], [1]);
});
