import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import type { StoredChunk } from "../stores/store.ts";
import type { LineRange } from "../text/document.ts";
import { draftHits, type HitDraft, type RankedPassage } from "./hits.ts";
import { createLineTable } from "./line-table.ts";

function rank(chunk: StoredChunk, lines: LineRange, score = 0.5): RankedPassage {
  const passage = { chunk, lines, score, isMatched: true, contributions: [], occurrences: [] };
  return { passage, index: 0, relevance: score, score, textScore: score, vectorScore: null, decay: 1 };
}

const draft = (ranked: readonly RankedPassage[], maxResults = 10) => {
  const chunks = [...new Set(ranked.map(({ passage }) => passage.chunk))];
  return draftHits(ranked, createLineTable(chunks), maxResults);
};

const rangeOf = ({ passage, lines }: HitDraft) => `${passage.chunk.path}:${lines.start}-${lines.end}`;

/** A few documents, split into chunks that may overlap, and passages in them that begin and end with text, best first. */
const ranked = fc
  .record({
    documents: fc.tuple(
      ...Array.from({ length: 2 }, () =>
        fc.array(fc.constantFrom("", "", "## x", "- x", "x".repeat(80), "x".repeat(400), "x".repeat(1500)), {
          minLength: 1,
          maxLength: 70,
        }),
      ),
    ),
    picks: fc.array(
      fc.record({ document: fc.nat(1), start: fc.nat(), length: fc.nat(20), from: fc.nat(), to: fc.nat(4) }),
      { maxLength: 25 },
    ),
  })
  .map(({ documents, picks }) =>
    picks.flatMap(({ document, start, length, from, to }, i) => {
      const lines = documents[document]!;
      const first = start % lines.length;
      const text = lines.slice(first, first + length + 1);
      const filled = text.flatMap((line, at) => (line === "" ? [] : [at]));
      if (filled.length === 0) return [];
      const chunk = makeChunk({ id: i, path: `memory/${document}.md`, text: text.join("\n") }, first + 1);
      const at = from % filled.length;
      const [begin, end] = [filled[at]!, filled[Math.min(at + to, filled.length - 1)]!];
      return [rank(chunk, { start: first + 1 + begin, end: first + 1 + end }, 1 - i / 100)];
    }),
  );

suite("draftHits", () => {
  test("never lets two hits of a document overlap, and never gives more than requested", () => {
    fc.assert(
      fc.property(ranked, fc.integer({ min: 1, max: 8 }), (all, maxResults) => {
        const drafts = draft(all, maxResults);
        assert.ok(drafts.length <= maxResults);
        assert.ok(all.length === 0 || drafts.length > 0);
        for (const [i, a] of drafts.entries()) {
          assert.ok(a.lines.start >= 1 && a.lines.start <= a.lines.end);
          for (const b of drafts.slice(i + 1)) {
            const isSame = a.passage.chunk.path === b.passage.chunk.path;
            const isApart = a.lines.end < b.lines.start || b.lines.end < a.lines.start;
            assert.ok(!isSame || isApart, `${rangeOf(a)} and ${rangeOf(b)}`);
          }
        }
      }),
      { seed: 101, numRuns: 2000 },
    );
  });

  test("keeps the order of the passages, and every passage is a hit, in a hit, or beyond the last", () => {
    fc.assert(
      fc.property(ranked, (all) => {
        const drafts = draft(all, 1000);
        const heads = drafts.map(({ passage }) => all.findIndex((each) => each.passage === passage));
        assert.deepEqual(
          heads,
          [...heads].sort((a, b) => a - b),
        );
        const kept = drafts.flatMap(({ passage, joined }) => [
          passage,
          ...joined.map((each) => each.passage),
        ]);
        assert.equal(kept.length, all.length);
        assert.deepEqual(new Set(kept), new Set(all.map(({ passage }) => passage)));
      }),
      { seed: 102, numRuns: 500 },
    );
  });

  test("shows every passage with text in it in full, in one hit or across neighbours", () => {
    fc.assert(
      fc.property(ranked, (all) => {
        const drafts = draft(all, 1000);
        for (const { passage } of all) {
          const lines = passage.chunk.text.split("\n");
          for (let line = passage.lines.start; line <= passage.lines.end; line++) {
            if (lines[line - passage.chunk.lines.start] === "") continue;
            const isShown = drafts.some(
              (hit) =>
                hit.passage.chunk.path === passage.chunk.path &&
                hit.lines.start <= line &&
                line <= hit.lines.end,
            );
            assert.ok(isShown, `line ${line} of ${passage.chunk.path}`);
          }
        }
      }),
      { seed: 103, numRuns: 500 },
    );
  });

  test("merges passages that overlap or nearly touch, and counts them", () => {
    const chunk = makeChunk({ text: Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n") });
    const [hit, ...others] = draft([
      rank(chunk, { start: 3, end: 4 }, 0.9),
      rank(chunk, { start: 8, end: 9 }, 0.8),
    ]);
    assert.deepEqual(others, []);
    assert.equal(hit!.joined.length, 1);
    assert.equal(hit!.score, 0.9);
    assert.ok(hit!.lines.start <= 3 && hit!.lines.end >= 9);
  });

  test("does not merge passages that are far apart, or in different documents or sources", () => {
    const text = Array.from({ length: 40 }, () => "x".repeat(300)).join("\n");
    const chunk = makeChunk({ text });
    assert.equal(draft([rank(chunk, { start: 1, end: 1 }), rank(chunk, { start: 39, end: 39 })]).length, 2);
    const short = makeChunk({ id: 2, text: "same line" });
    const other = makeChunk({ id: 3, path: "memory/b.md", text: "same line" });
    const session = makeChunk({ id: 4, source: "sessions", text: "same line" });
    const line = { start: 1, end: 1 };
    assert.equal(draft([rank(short, line), rank(other, line), rank(session, line)]).length, 3);
  });

  test("does not widen a hit beyond its chunk, nor over blank lines at its ends", () => {
    const chunk = makeChunk({ text: "\n\nfirst\nmiddle\nlast\n\n" }, 10);
    const [hit] = draft([rank(chunk, { start: 13, end: 13 })]);
    assert.deepEqual(hit!.lines, { start: 12, end: 14 });
  });

  test("does not let a passage between two hits make them overlap", () => {
    const line = "x".repeat(100);
    const chunk = makeChunk({ text: Array.from({ length: 60 }, () => line).join("\n") });
    const drafts = draft([
      rank(chunk, { start: 5, end: 5 }, 0.9),
      rank(chunk, { start: 30, end: 30 }, 0.8),
      rank(chunk, { start: 6, end: 30 }, 0.7),
    ]);
    const ranges = drafts.map(({ lines }) => lines).sort((a, b) => a.start - b.start);
    for (let i = 1; i < ranges.length; i++) assert.ok(ranges[i]!.start > ranges[i - 1]!.end);
  });

  test("extends the first hit to a thousand characters, first downwards, then upwards", () => {
    const line = "x".repeat(99);
    const chunk = makeChunk({ text: Array.from({ length: 30 }, () => line).join("\n") });
    const at = (start: number) => draft([rank(chunk, { start, end: start })])[0]!.lines;
    assert.deepEqual(at(15), { start: 15, end: 24 });
    assert.deepEqual(at(27), { start: 21, end: 30 });
    assert.deepEqual(at(2), { start: 2, end: 11 });
    const steep = makeChunk({
      text: ["x", "y", "z".repeat(50), "a".repeat(500), "b".repeat(900)].join("\n"),
    });
    assert.deepEqual(draft([rank(steep, { start: 3, end: 3 })])[0]!.lines, { start: 1, end: 4 });
  });

  test("extends later hits only over list items, the less the lower they rank", () => {
    const first = rank(makeChunk({ id: 2, path: "memory/b.md", text: "first" }), { start: 1, end: 1 });
    const prose = makeChunk({ id: 3, text: "one\ntwo\nthree" });
    assert.deepEqual(draft([first, rank(prose, { start: 2, end: 2 })])[1]!.lines, { start: 2, end: 2 });
    const item = `- ${"x".repeat(97)}`;
    const list = (path: string, id: number) =>
      rank(makeChunk({ id, path, text: Array.from({ length: 30 }, () => item).join("\n") }), {
        start: 5,
        end: 5,
      });
    const drafts = draft([first, ...["c", "d", "e"].map((name, at) => list(`memory/${name}.md`, 4 + at))]);
    assert.deepEqual(
      drafts.map(({ lines }) => lines.end - lines.start + 1),
      [1, 16, 16, 8],
    );
    const mixed = makeChunk({ id: 9, text: "- one\n- two\n\n## Next\n\n- three" });
    assert.deepEqual(draft([first, rank(mixed, { start: 2, end: 2 })])[1]!.lines, { start: 1, end: 2 });
  });

  test("names the whole neighbourhood once an agent has enough to read", () => {
    const long = (id: number) =>
      rank(makeChunk({ id, path: `memory/${id}.md`, text: "x".repeat(1499) }), { start: 1, end: 1 });
    const last = rank(makeChunk({ id: 9, path: "memory/9.md", text: "one\ntwo\nthree" }), {
      start: 2,
      end: 2,
    });
    const pointers = (count: number) =>
      draft([...Array.from({ length: count }, (_, id) => long(id + 1)), last]).at(-1)!;
    assert.equal(pointers(2).isPointer, false);
    assert.deepEqual(pointers(2).lines, { start: 2, end: 2 });
    assert.equal(pointers(3).isPointer, true);
    assert.deepEqual(pointers(3).lines, { start: 1, end: 3 });
  });
});

suite("A hit that is a question includes the answer", () => {
  const first = rank(makeChunk({ id: 2, path: "memory/b.md", text: "first" }), { start: 1, end: 1 });
  const linesFor = (text: string, from = 1) =>
    draft([first, rank(makeChunk({ id: 3, text }), { start: from, end: from })])[1]!.lines;
  const answer = "x ".repeat(20);

  test("up to its first forty characters, after remarks, names and blank lines", () => {
    assert.equal(linesFor(`Where is it?\n${answer.trim()}!\nmore`).end, 2);
    assert.equal(linesFor("Where is it?\nIn the shed, I believe.\nOr the garage then.\nmore").end, 3);
    assert.equal(linesFor(`Where is it?\n\nAda:\n\n${answer}!\nmore`).end, 5);
    assert.equal(
      linesFor(
        "Wo ist es？\n会议改到星期三下午会议改到星期三下午会议改到星期三下午会议改到星期三下午会议改到星期三下午\nmehr",
      ).end,
      2,
    );
    assert.equal(linesFor("**Where is it?**\nIn the shed.").end, 2);
  });

  test("but at most eight lines, and without blank lines at the end", () => {
    assert.equal(linesFor(`Where is it?\n${"Hm.\n".repeat(20)}`).end, 9);
    assert.equal(linesFor("Where is it?\nHm.\n\n\n").end, 2);
  });

  test("only if it ends with the question, and the line is not too long for one", () => {
    assert.equal(linesFor("Where is it? I looked everywhere.\nIn the shed.").end, 1);
    const asked = (length: number) => `${"x".repeat(length - 1)}?\nIn the shed.`;
    assert.equal(linesFor(asked(120)).end, 2);
    assert.equal(linesFor(asked(121)).end, 1);
  });
});
