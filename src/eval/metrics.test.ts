import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createLineChars, type MetricName, metricNames, scoreHits } from "./metrics.ts";
import type { Place } from "./question.ts";

function at(path: string, startLine: number, endLine = startLine): Place {
  return { path, startLine, endLine };
}

const short = (): number => 100;

function check(actual: Record<MetricName, number>, expected: Partial<Record<MetricName, number>>): void {
  for (const [name, value] of Object.entries(expected)) {
    assert.ok(
      Math.abs(actual[name as MetricName] - value) < 1e-9,
      `${name} is ${actual[name as MetricName]}`,
    );
  }
}

test("The answer at rank 1 gets the full score", () => {
  check(scoreHits([at("a.md", 1, 9), at("b.md", 1)], [at("a.md", 4, 5)], short), {
    "nDCG@10": 1,
    "MRR@10": 1,
    "recall@1": 1,
    "recall@5": 1,
    "recall@10": 1,
    "recall@4000c": 1,
    "hit@5": 1,
    empty: 0,
  });
});

test("An empty result scores 0 and counts as empty", () => {
  check(scoreHits([], [at("a.md", 1)], short), {
    "nDCG@10": 0,
    "MRR@10": 0,
    "recall@10": 0,
    "recall@4000c": 0,
    "hit@5": 0,
    empty: 1,
  });
});

test("Two answers, one of them third and one not found", () => {
  const hits = [at("x.md", 1), at("y.md", 1), at("a.md", 7)];
  // 1 / log2(4) of the ideal 1 / log2(2) + 1 / log2(3).
  const ideal = 1 + 1 / Math.log2(3);
  check(scoreHits(hits, [at("a.md", 7), at("b.md", 2)], short), {
    "nDCG@10": 0.5 / ideal,
    "MRR@10": 1 / 3,
    "recall@1": 0,
    "recall@5": 0.5,
    "hit@5": 1,
  });
});

test("A hit counts when it shares one line of the same file", () => {
  const gold = [at("a.md", 5, 8)];
  for (const [hit, counts] of [
    [at("a.md", 1, 4), 0],
    [at("a.md", 1, 5), 1],
    [at("a.md", 8, 20), 1],
    [at("a.md", 9, 20), 0],
    [at("b.md", 5, 8), 0],
  ] as const) {
    check(scoreHits([hit], gold, short), { "recall@1": counts });
  }
});

test("One hit over two answers counts for both, and repeating it earns nothing", () => {
  const gold = [at("a.md", 1), at("a.md", 3)];
  check(scoreHits([at("a.md", 1, 3)], gold, short), { "recall@1": 1, "nDCG@10": 1 });
  const once = scoreHits([at("a.md", 1), at("b.md", 1)], gold, short);
  const repeated = scoreHits([at("a.md", 1), at("a.md", 1)], gold, short);
  assert.equal(repeated["nDCG@10"], once["nDCG@10"]);
});

test("Only hits that fit whole into 4,000 characters count for recall@4000c, and a huge first hit leaves none", () => {
  const hits = [at("a.md", 1), at("b.md", 1), at("c.md", 1)];
  const chars = new Map([
    ["a.md", 3000],
    ["b.md", 1001],
    ["c.md", 10],
  ]);
  const sized = (places: readonly Place[], gold: Place): number =>
    scoreHits(places, [gold], ({ path }) => chars.get(path) ?? 0)["recall@4000c"];
  assert.equal(sized(hits, at("a.md", 1)), 1);
  assert.equal(sized(hits, at("b.md", 1)), 0);
  assert.equal(sized(hits, at("c.md", 1)), 0, "what comes after a hit that does not fit is not shown either");
  chars.set("b.md", 1000);
  assert.equal(sized(hits, at("b.md", 1)), 1, "exactly 4,000 fit");
  chars.set("a.md", 4001);
  assert.equal(sized(hits, at("a.md", 1)), 0);
});

test("The eleventh result never counts", () => {
  const hits = Array.from({ length: 11 }, (_, index) => at(`${index}.md`, 1));
  check(
    scoreHits(hits, [at("10.md", 1)], () => 1),
    { "nDCG@10": 0, "MRR@10": 0, "recall@10": 0, "hit@5": 0 },
  );
});

test("The metrics equal those of a naive implementation", () => {
  const place = fc
    .record({ path: fc.constantFrom("a", "b"), start: fc.integer({ min: 1, max: 12 }), more: fc.nat(3) })
    .map(({ path, start, more }) => at(path, start, start + more));
  fc.assert(
    fc.property(
      fc.array(place, { maxLength: 12 }),
      fc.array(place, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 1500 }),
      (hits, gold, size) => {
        const actual = scoreHits(hits, gold, ({ startLine }) => size + startLine);
        check(
          actual,
          naively(hits, gold, ({ startLine }) => size + startLine),
        );
        for (const name of metricNames) assert.ok(actual[name] >= 0 && actual[name] <= 1, name);
      },
    ),
    { seed: 7, numRuns: 1000 },
  );
});

function naively(hits: readonly Place[], gold: readonly Place[], charsOf: (hit: Place) => number) {
  const covers = (hit: Place, wanted: Place): boolean => {
    if (hit.path !== wanted.path) return false;
    for (let line = hit.startLine; line <= hit.endLine; line++) {
      if (line >= wanted.startLine && line <= wanted.endLine) return true;
    }
    return false;
  };
  const found = (first: number): number =>
    gold.filter((wanted) => hits.slice(0, first).some((hit) => covers(hit, wanted))).length / gold.length;
  let gain = 0;
  let ideal = 0;
  for (let rank = 1; rank <= 10; rank++) {
    const before = found(rank - 1) * gold.length;
    gain += Math.round(found(rank) * gold.length - before) / Math.log2(1 + rank);
    if (rank <= gold.length) ideal += 1 / Math.log2(1 + rank);
  }
  let first = 0;
  for (let rank = 10; rank >= 1; rank--) if (found(rank) > 0) first = rank;
  let shown = 0;
  while (shown < hits.length) {
    const chars = hits.slice(0, shown + 1).reduce((sum, hit) => sum + charsOf(hit), 0);
    if (chars > 4000) break;
    shown++;
  }
  return {
    "nDCG@10": Math.min(1, gain / ideal),
    "MRR@10": first === 0 ? 0 : 1 / first,
    "recall@1": found(1),
    "recall@5": found(5),
    "recall@10": found(10),
    "recall@4000c": found(shown),
    "hit@5": found(5) > 0 ? 1 : 0,
    empty: hits.length === 0 ? 1 : 0,
  };
}

test("Characters of a range are counted with one for each line break", () => {
  const charsOf = createLineChars((path) => (path === "a.md" ? "one\nthree\n\n日本" : null));
  const count = (startLine: number, endLine: number, path = "a.md"): number =>
    charsOf({ path, startLine, endLine });
  assert.equal(count(1, 1), 4);
  assert.equal(count(2, 3), 7);
  assert.equal(count(4, 4), 3);
  assert.equal(count(1, 4), 14);
  assert.equal(count(1, 99), 14, "lines that do not exist have no characters");
  assert.equal(count(9, 99), 0);
  assert.equal(count(1, 5, "gone.md"), 0);
});

test("Each text is read once", () => {
  let reads = 0;
  const charsOf = createLineChars(() => {
    reads++;
    return "x\ny";
  });
  for (let line = 1; line <= 5; line++) charsOf({ path: "a.md", startLine: 1, endLine: line });
  assert.equal(reads, 1);
});
