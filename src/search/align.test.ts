import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import { openBuiltinEmbedder } from "../embedders/builtin/builtin-embedder.ts";
import { alignPassages, wordShare } from "./align.ts";
import type { Passage } from "./passages.ts";
import type { QueryTerm } from "./query-terms.ts";

const { alignWords, knowsWord } = await openBuiltinEmbedder();

function term(text: string, { kind = "word", weight = 1, chunks = 0 }: Partial<QueryTerm> = {}): QueryTerm {
  return { text, kind, weight, forms: new Map([[text, 1]]), chunks };
}

function passage(text: string, contributions: readonly number[]): Passage {
  const chunk = makeChunk({ id: 1, path: "memory/a.md", text });
  return { chunk, lines: chunk.lines, score: 0, isMatched: false, contributions, occurrences: [] };
}

suite("alignPassages", () => {
  test("finds other words for those of the question, also in another language", () => {
    const passages = [
      "The due date is Friday.",
      "Bread and butter are in the kitchen.",
      "Die Einstellungen stehen im Menü.",
    ].map((text) => passage(text, [0, 0]));
    const best = (words: string[]): number => {
      const terms = words.map((word) => term(word));
      const aligned = alignPassages(passages, terms, alignWords!);
      return passages.findIndex((each) => aligned.get(each) === Math.max(...aligned.values()));
    };
    assert.equal(best(["deadline", "date"]), 0);
    assert.equal(best(["user", "preferences"]), 2);
  });

  test("leaves out words that the chunk has, and numbers", () => {
    const [has, lacks] = [passage("The deadline is near.", [0.4]), passage("The deadline is near.", [0])];
    const aligned = alignPassages([has, lacks], [term("deadline")], alignWords!);
    assert.equal(aligned.get(has), 0);
    assert.ok(aligned.get(lacks)! > 0.9);
    assert.equal(
      alignPassages([passage("2024", [0])], [term("2025")], alignWords!)
        .values()
        .next().value,
      0,
    );
  });

  test("is a share between 0 and 1 for any text and question", () => {
    const word = fc.string({ unit: "grapheme", maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 80 }), { maxLength: 12 }),
        fc.array(word),
        (texts, words) => {
          const terms = words.map((each) => term(each));
          const passages = texts.map((text) =>
            passage(
              text,
              terms.map(() => 0),
            ),
          );
          for (const value of alignPassages(passages, terms, alignWords!).values()) {
            assert.ok(value >= 0 && value <= 1, `${value}`);
          }
        },
      ),
      { seed: 7 },
    );
  });
});

test("Numbers, hashes, identifiers, emoji and unknown words of the notes are nothing that the model knows", () => {
  const share = (terms: readonly QueryTerm[]): number => wordShare(terms, knowsWord!);
  assert.equal(share([]), 1);
  assert.equal(share([term("release", { chunks: 3 })]), 1);
  assert.equal(share([term("release"), term("2025", { weight: 3 })]), 0.25);
  assert.equal(share([term("a828e60", { kind: "hash" })]), 0);
  assert.equal(share([term("release", { weight: 3 }), term("git.py", { kind: "exact", chunks: 2 })]), 0.75);
  assert.equal(share([term("zqbbbbbjbx", { chunks: 1 })]), 0);
  assert.equal(share([term("zqbbbbbjbx")]), 1);
});
