import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutIntoParts, markedWords } from "./marked-parts.ts";

test("Ranges are marked, overlapping ones once", () => {
  assert.deepEqual(
    cutIntoParts("we ship on Friday", [
      [11, 17],
      [3, 7],
      [3, 5],
    ]),
    [
      { text: "we ", isMarked: false },
      { text: "ship", isMarked: true },
      { text: " on ", isMarked: false },
      { text: "Friday", isMarked: true },
    ],
  );
});

test("A character is marked if a range contains it, and none is lost or duplicated", () => {
  const range = fc.tuple(fc.nat(12), fc.nat(12)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(fc.string({ maxLength: 10 }), fc.array(range, { maxLength: 5 }), (text, ranges) => {
      const marks = cutIntoParts(text, ranges).flatMap(({ text: part, isMarked }) =>
        part.split("").map((character) => ({ character, isMarked })),
      );
      const expected = text.split("").map((character, index) => ({
        character,
        isMarked: ranges.some(([from, to]) => from <= index && index < to),
      }));
      assert.deepEqual(marks, expected);
    }),
    { seed: 2, numRuns: 300 },
  );
});

test("Marked words are found again in other text, but not within longer words", () => {
  const snippet = "**Ship** it with ship.sh, deployNow (1.2)";
  const found = (text: string, ...words: string[]): string[] => {
    const ranges = words.map((word) => {
      const from = snippet.indexOf(word);
      return [from, from + word.length] as const;
    });
    return [...text.matchAll(markedWords(snippet, ranges)!)].map(([word]) => word);
  };
  assert.deepEqual(found("ship shipping worship SHIP", "Ship"), ["ship", "SHIP"]);
  assert.deepEqual(found("ship ship.sh shipXsh", "Ship", "ship.sh"), ["ship", "ship.sh"]);
  assert.deepEqual(found("deployNow, deploys", "deploy"), ["deploy", "deploy"]);
  assert.deepEqual(found("(1.2) 1.25 (1x2)", "(1.2)"), ["(1.2)"]);
  assert.equal(markedWords(snippet, []), null);
});
