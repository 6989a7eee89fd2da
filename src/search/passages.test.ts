import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeTerms } from "../../test/support/query-term.ts";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import type { StoredChunk } from "../stores/store.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { createMatchFinder } from "./matches.ts";
import { createPassageScorer } from "./passages.ts";
import type { QueryTerm } from "./query-terms.ts";

const analyzer = createAnalyzer();

function score(chunk: StoredChunk, terms: readonly QueryTerm[]) {
  return createPassageScorer(terms, createMatchFinder(terms, analyzer))(chunk);
}

const best = (text: string, question: string, chunk: Partial<StoredChunk> = {}) =>
  Math.max(...score(makeChunk({ text, ...chunk }), makeTerms(question)).map((passage) => passage.score));

const vocabulary = ["alpha", "beta", "gamma", "delta", "filler", "words", "東京都", "x", "y", "zeta"];
const lineOfText = fc
  .array(fc.constantFrom(...vocabulary), { maxLength: 12 })
  .map((words) => words.join(" "));
const text = fc.array(lineOfText, { minLength: 1, maxLength: 15 }).map((lines) => lines.join("\n"));
const terms = fc
  .uniqueArray(fc.constantFrom("alpha", "beta", "gamma", "delta", "zeta"), { minLength: 1, maxLength: 5 })
  .chain((words) =>
    fc
      .array(fc.double({ min: 0.01, max: 12, noNaN: true }), {
        minLength: words.length,
        maxLength: words.length,
      })
      .map((weights) => makeTerms(words.join(" "), weights)),
  );

suite("createPassageScorer", () => {
  test("gives scores between 0 and 1, lines inside the chunk, and windows that do not overlap", () => {
    fc.assert(
      fc.property(text, terms, fc.integer({ min: 1, max: 5000 }), (body, asked, start) => {
        const chunk = makeChunk({ text: body, headings: ["alpha"], path: "memory/beta.md" }, start);
        const passages = score(chunk, asked);
        assert.ok(passages.length >= 1);
        const seen = new Set<number>();
        for (const passage of passages) {
          assert.ok(passage.score >= 0 && passage.score <= 1, `${passage.score}`);
          assert.ok(passage.lines.start >= chunk.lines.start && passage.lines.end <= chunk.lines.end);
          assert.ok(passage.lines.start <= passage.lines.end);
          for (let line = passage.lines.start; line <= passage.lines.end; line++) {
            assert.ok(!seen.has(line), `line ${line} is in two passages`);
            seen.add(line);
          }
          assert.equal(passage.contributions.length, asked.length);
          assert.equal(passage.occurrences.length, asked.length);
          for (const part of passage.contributions) assert.ok(part >= 0 && part <= 1);
        }
        assert.deepEqual(score(chunk, asked), passages, "the same again");
      }),
      { seed: 51, numRuns: 500 },
    );
  });

  test("begins and ends every passage of a matching text at a word of the question", () => {
    fc.assert(
      fc.property(text, terms, (body, asked) => {
        const finder = createMatchFinder(asked, analyzer);
        const lines = body.split("\n");
        if (finder.count(body).every((count) => count === 0)) return;
        for (const { lines: range } of score(makeChunk({ text: body }), asked)) {
          assert.ok(
            finder.count(lines[range.start - 1]!).some((count) => count > 0),
            "first line",
          );
          assert.ok(
            finder.count(lines[range.end - 1]!).some((count) => count > 0),
            "last line",
          );
        }
      }),
      { seed: 52, numRuns: 500 },
    );
  });

  test("never scores a text lower if a filler is replaced by a word of the query", () => {
    const words = fc.array(fc.constantFrom<string>("filler", "alpha", "other"), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(words, fc.nat(), (body, at) => {
        const fillers = body.flatMap((word, i) => (word === "filler" ? [i] : []));
        if (fillers.length === 0) return;
        const replaced = [...body];
        // A word of the query with the same length, so that only the match differs.
        replaced[fillers[at % fillers.length]!] = "quokka";
        assert.ok(best(replaced.join(" "), "alpha quokka") >= best(body.join(" "), "alpha quokka"));
      }),
      { seed: 53, numRuns: 300 },
    );
  });

  test("prefers more words of the question, words together, and a shorter text", () => {
    const filler = "and something else that is written here";
    assert.ok(best(`alpha beta ${filler}`, "alpha beta") > best(`alpha also ${filler}`, "alpha beta"));
    assert.ok(best(`alpha beta ${filler}`, "alpha beta") > best(`alpha ${filler} beta`, "alpha beta"));
    assert.ok(
      best("alpha beta", "alpha beta") > best(`alpha beta\n${`${filler}\n`.repeat(30)}`, "alpha beta"),
    );
    assert.ok(best("alpha here\nbeta there", "alpha beta") > best("alpha here\nnone there", "alpha beta"));
  });

  test("counts a word of the headings or the path, though less than one of the text", () => {
    const plain = best("nothing much", "alpha");
    const headed = best("nothing much", "alpha", { headings: ["Alpha"] });
    assert.equal(plain, 0);
    assert.ok(headed > 0);
    assert.ok(best("nothing much", "alpha", { path: "memory/alpha.md" }) > 0);
    assert.ok(best("alpha much", "alpha") > headed);
    const [passage] = score(makeChunk({ text: "first\nsecond", headings: ["Alpha"] }, 7), makeTerms("alpha"));
    assert.deepEqual(passage!.lines, { start: 7, end: 7 }, "the chunk's beginning represents it");
  });

  test("orders the passages of a chunk from best to worst", () => {
    fc.assert(
      fc.property(text, terms, (body, asked) => {
        const scores = score(makeChunk({ text: body }), asked).map((passage) => passage.score);
        for (let i = 1; i < scores.length; i++) assert.ok(scores[i]! <= scores[i - 1]! + 1e-9);
      }),
      { seed: 54, numRuns: 300 },
    );
  });

  test("keeps code and the text about it in separate passages", () => {
    const chunk = makeChunk({ text: "alpha as in\n```\nalpha beta\nbeta\n```\nbeta is called" });
    const ranges = score(chunk, makeTerms("alpha beta")).map(({ lines }) => lines);
    assert.deepEqual(ranges[0], { start: 3, end: 4 });
    assert.deepEqual(ranges.map(({ start }) => start).sort(), [1, 3, 6]);
  });

  test("scores a second passage that is as good as the first a little lower, since it may repeat it", () => {
    const filler = "something else that is written here. ".repeat(20);
    const passages = score(makeChunk({ text: `alpha beta\n${filler}\nalpha beta` }), makeTerms("alpha beta"));
    assert.deepEqual(
      passages.map(({ lines }) => lines.start),
      [1, 3],
    );
    const share = passages[1]!.score / passages[0]!.score;
    assert.ok(share < 1 && share > 0.8, `${share}`);
  });

  test("gives the pieces of a long line the number of that line", () => {
    const chunk = makeChunk({ text: "alpha beta", lines: { start: 9, end: 9 } });
    assert.deepEqual(score(chunk, makeTerms("alpha"))[0]!.lines, { start: 9, end: 9 });
  });
});

suite("The score, computed by hand", () => {
  const near = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} instead of ${expected}`);

  test("of one word on one line", () => {
    const [passage] = score(makeChunk({ text: "alpha" }), makeTerms("alpha"));
    const chunk = 1 / (1 + 1.2 * (0.4 + (0.6 * 1) / 200));
    const line = 1 / (1 + 0.6) / (1 + (0.4 * 6) / 1000);
    near(passage!.score, 0.6 * line + 0.4 * chunk);
    near(passage!.contributions[0]!, chunk);
  });

  test("of a word in the text and in a heading, beside one that is missing", () => {
    const [passage] = score(
      makeChunk({ text: "alpha", headings: ["alpha"] }),
      makeTerms("alpha gamma", [3, 1]),
    );
    const chunk = ((3 / 4) * 1.6) / (1.6 + 1.2 * (0.4 + (0.6 * 1) / 200));
    // The closeness of the pair could have added 0.6 of the lighter word.
    const line = ((3 / 4.6) * 1.3) / (1.3 + 0.6) / (1 + (0.4 * 6) / 1000);
    near(passage!.score, 0.6 * line + 0.4 * chunk);
  });

  test("of a word only in the heading, represented by the beginning of the text", () => {
    const [passage, ...others] = score(
      makeChunk({ text: "beta\ngamma", headings: ["alpha"] }),
      makeTerms("alpha"),
    );
    assert.deepEqual([others.length, passage!.isMatched, passage!.lines], [0, false, { start: 1, end: 1 }]);
    near(passage!.score, (0.4 * 0.6) / (0.6 + 1.2 * (0.4 + (0.6 * 2) / 200)));
  });

  test("of the second and third passage, each a little lower, without a fourth", () => {
    const line = `alpha ${"x".repeat(450)}`;
    const passages = score(makeChunk({ text: Array(5).fill(line).join("\n") }), makeTerms("alpha"));
    assert.equal(passages.length, 3);
    near(passages[1]!.score / passages[0]!.score, 0.95);
    near(passages[2]!.score / passages[0]!.score, 0.95 ** 2);
  });

  test("without words", () => {
    assert.deepEqual(
      score(makeChunk({ text: "alpha" }), []).map((passage) => passage.score),
      [0],
    );
  });

  test("of a word in front matter, which counts like a heading beside text and in full without", () => {
    const head = "---\ntags: alpha\n---\n";
    const [beside] = score(makeChunk({ text: `${head}alpha` }), makeTerms("alpha"));
    const half = 1.2 * (0.4 + (0.6 * 3) / 200);
    near(beside!.score, (0.6 * 1.3) / 1.9 / (1 + (0.4 * 6) / 1000) + (0.4 * 1.6) / (1.6 + half));
    assert.deepEqual(beside!.lines, { start: 4, end: 4 });
    const [alone] = score(makeChunk({ text: `${head}beta` }), makeTerms("alpha"));
    near(alone!.score, 0.6 / 1.6 / (1 + (0.4 * 12) / 1000) + 0.4 / (1 + half));
    assert.deepEqual(alone!.lines, { start: 2, end: 2 });
  });

  test("of a word in navigation, which counts a fifth and nothing beside text", () => {
    const navigation = "[[alpha]] | [[gamma]]";
    const [alone] = score(makeChunk({ text: `${navigation}\nbeta` }), makeTerms("alpha"));
    const half = 1.2 * (0.4 + (0.6 * 3) / 200);
    near(alone!.score, (0.6 * 0.2) / 0.8 / (1 + (0.4 * 22) / 1000) + (0.4 * 0.2) / (0.2 + half));
    const [beside] = score(makeChunk({ text: `${navigation}\nalpha` }), makeTerms("alpha"));
    near(beside!.score, 0.6 / 1.6 / (1 + (0.4 * 6) / 1000) + 0.4 / (1 + half));
    const days = "<< [[2025-03-03]] | [[2025-03-05]] >>";
    const [day] = score(makeChunk({ text: `${days}\nbeta` }), makeTerms("2025"));
    assert.equal(day!.isMatched, false, "links to other days are never shown");
    // Two of eleven tokens, each a fifth of a word in a heading.
    const inHead = 0.6 * 0.4;
    near(day!.score, (0.4 * inHead) / (inHead + 1.2 * (0.4 + (0.6 * 11) / 200)));
  });
});
