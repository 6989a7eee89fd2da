import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import { openBuiltinEmbedder } from "../embedders/builtin/builtin-embedder.ts";
import { alignPassages, wordShare } from "./assist.ts";
import type { Passage } from "./passages.ts";
import type { QueryTerm } from "./query-terms.ts";

const { compareWords, knowsWord } = await openBuiltinEmbedder();
const model = { compareWords: compareWords!, knowsWord: knowsWord! };

function term(text: string, { kind = "word", weight = 1, chunks = 0 }: Partial<QueryTerm> = {}): QueryTerm {
  return { text, kind, weight, forms: new Map([[text, 1]]), chunks, certainty: 1 };
}

function passage(text: string, contributions: readonly number[]): Passage {
  const chunk = makeChunk({ id: 1, path: "memory/a.md", text });
  return { chunk, lines: chunk.lines, score: 0, isMatched: false, contributions, occurrences: [] };
}

suite("alignPassages", () => {
  test("finds synonyms of the query's words, even in another language", () => {
    const passages = [
      "The due date is Friday.",
      "Bread and butter are in the kitchen.",
      "Die Einstellungen stehen im Menü.",
    ].map((text) => passage(text, [0, 0]));
    const best = (words: string[]): number => {
      const terms = words.map((word) => term(word));
      const aligned = alignPassages(passages, words.join(" "), terms, model);
      const covered = passages.map((each) => aligned.get(each)!.covered);
      return covered.indexOf(Math.max(...covered));
    };
    assert.equal(best(["deadline", "date"]), 0);
    assert.equal(best(["user", "preferences"]), 2);
  });

  test("leaves out words that the chunk contains, and numbers", () => {
    const [has, lacks] = [passage("The deadline is near.", [0.4]), passage("The deadline is near.", [0])];
    const aligned = alignPassages([has, lacks], "deadline", [term("deadline")], model);
    assert.equal(aligned.get(has)!.covered, 0);
    assert.ok(aligned.get(lacks)!.covered > 0.9);
    const [numbers] = alignPassages([passage("2024", [0])], "2025", [term("2025")], model).values();
    assert.deepEqual(numbers, { covered: 0, contrast: 0 });
  });

  test("contrasts passages by the words that distinguish them", () => {
    const boilerplate =
      "def run(self): return the value of this function, or raise an error if there is none.";
    const passages = [
      "Writes the rows to a spreadsheet.",
      "Splits a list into batches.",
      "Removes blanks at both ends.",
      "Opens a socket and waits.",
      "Draws a line between two points.",
      "Sorts the names.",
      "Reads the settings.",
      "Counts the days of a month.",
      "Closes the window.",
    ].map((text) => passage(`${boilerplate} ${text}`, [0, 0]));
    const contrasts = (query: string): number[] => {
      const terms = query.split(" ").map((word) => term(word));
      const aligned = alignPassages(passages, query, terms, model);
      return passages.map((each) => aligned.get(each)!.contrast);
    };
    const bySheet = contrasts("export excel table");
    assert.equal(bySheet.indexOf(Math.max(...bySheet)), 0);
    const byChunks = contrasts("divide array into chunks");
    assert.equal(byChunks.indexOf(Math.max(...byChunks)), 1);
    assert.ok(Math.min(...bySheet) < 0, "some are less similar than usual");
    const unknown = contrasts("zqbbbbbjbx excel table");
    assert.ok(Math.max(...unknown) < Math.max(...bySheet) / 2, "a word that the model does not know");
  });

  test("covers a fraction between 0 and 1 for any text and query", () => {
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
          const aligned = alignPassages(passages, words.join(" "), terms, model);
          for (const { covered, contrast } of aligned.values()) {
            assert.ok(covered >= 0 && covered <= 1, `${covered}`);
            assert.ok(Math.abs(contrast) <= 2, `${contrast}`);
          }
        },
      ),
      { seed: 7 },
    );
  });
});

test("Numbers, hashes, identifiers, emoji and unknown words of the notes count as unknown to the model", () => {
  const share = (terms: readonly QueryTerm[]): number => wordShare(terms, knowsWord!);
  assert.equal(share([]), 1);
  assert.equal(share([term("release", { chunks: 3 })]), 1);
  assert.equal(share([term("release"), term("2025", { weight: 3 })]), 0.25);
  assert.equal(share([term("a828e60", { kind: "hash" })]), 0);
  assert.equal(share([term("release", { weight: 3 }), term("git.py", { kind: "exact", chunks: 2 })]), 0.75);
  assert.equal(share([term("zqbbbbbjbx", { chunks: 1 })]), 0);
  assert.equal(share([term("zqbbbbbjbx")]), 1);
  assert.equal(share([term("κλειδαριά", { chunks: 1 })]), 0, "a script that the model does not know");
});
