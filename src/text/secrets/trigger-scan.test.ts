import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTriggerScan, maxTrigger } from "./trigger-scan.ts";

/** Few letters, so that words overlap, contain each other and share suffixes. */
const letters = fc.constantFrom("a", "b", "c", "-", "ß", "é");

test("finds the beginning of every word wherever it is, and nothing else", () => {
  const words = fc.uniqueArray(fc.string({ unit: letters, minLength: 1, maxLength: 9 }), { maxLength: 12 });
  const texts = fc.string({ unit: fc.oneof(letters, fc.constantFrom("A", "B", "x", "É")), maxLength: 60 });
  fc.assert(
    fc.property(words, texts, (list, text) => {
      const found: string[] = [];
      createTriggerScan(list).scan(text, 0, text.length, (word, start) => found.push(`${word} at ${start}`));
      assert.deepEqual(found.sort(), findEach(list, text).sort());
    }),
    { numRuns: 2000 },
  );
});

function findEach(words: readonly string[], text: string): string[] {
  const lower = text.toLowerCase();
  return words.flatMap((word, index) => {
    const head = word.slice(0, maxTrigger);
    const starts = Array.from(lower, (_, start) => start).filter((start) => lower.startsWith(head, start));
    return starts.map((start) => `${index} at ${start}`);
  });
}
