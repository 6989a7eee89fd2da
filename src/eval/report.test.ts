import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, ScoredAnswer, SetResult } from "./answers.ts";
import { scoreHits } from "./metrics.ts";
import { macroOf, rowOf } from "./report.ts";

const gold = [{ path: "a.md", startLine: 1, endLine: 1 }];

function answer(rank: number | null, durationMs = 1, lang = "en"): ScoredAnswer {
  const hit = (path: string) => ({ path, startLine: 1, endLine: 1, score: 1 });
  const hits = rank === null ? [] : [...Array.from({ length: rank - 1 }, () => hit("b.md")), hit("a.md")];
  return {
    question: { id: "q", query: "q", lang, category: "fact", gold },
    hits,
    confidence: rank === null ? 0 : 1,
    confidenceLevel: rank === null ? "low" : "high",
    durationMs,
    mode: "keyword",
    degraded: [],
    metrics: scoreHits(hits, gold, () => 1),
  };
}

function result(answers: readonly ScoredAnswer[], more: Partial<SetResult> = {}): SetResult {
  return { name: "set", answers, unanswerable: [], offTopic: [], warnings: [], ...more };
}

test("A row holds means over the questions, rounded", () => {
  const row = rowOf(result([answer(1), answer(3), answer(null)]));
  assert.equal(row.n, 3);
  assert.equal(row["MRR@10"], 0.4444);
  assert.equal(row["nDCG@10"], 0.5);
  assert.equal(row["recall@1"], 0.3333);
  assert.equal(row["hit@5"], 0.6667);
  assert.equal(row["empty"], 0.3333);
  assert.ok(!("by" in row) && !("noAnswerEmpty" in row) && !("offTopicEmpty" in row));
});

test("Times are the median and the 95th percentile", () => {
  const times = Array.from({ length: 100 }, (_, index) => answer(1, 100 - index));
  const { p50Ms, p95Ms } = rowOf(result(times));
  assert.deepEqual([p50Ms, p95Ms], [50, 95]);
  const one = rowOf(result([answer(1, 1.2345)]));
  assert.deepEqual([one.p50Ms, one.p95Ms], [1.23, 1.23]);
});

test("Empty results are counted if they are correct", () => {
  const silent: Answer = answer(null);
  const row = rowOf(result([answer(1)], { unanswerable: [silent, answer(2)], offTopic: [silent] }));
  assert.deepEqual([row.noAnswerEmpty, row.offTopicEmpty], [0.5, 1]);
  assert.deepEqual([row.noAnswerLow, row.offTopicLow, row.answerLow], [0.5, 1, 0]);
});

test("A breakdown has a row for each value", () => {
  const row = rowOf(result([answer(1, 1, "en"), answer(null, 1, "de"), answer(1, 1, "en")]), "lang");
  assert.deepEqual(Object.keys(row.by ?? {}), ["de", "en"]);
  assert.deepEqual([row.by?.["de"]?.["MRR@10"], row.by?.["en"]?.["MRR@10"]], [0, 1]);
  assert.equal(row.by?.["en"]?.n, 2);
});

test("The macro figure counts every set the same, whatever its size", () => {
  const large = rowOf(result([answer(1), answer(1), answer(1)]), "lang");
  const small = rowOf(result([answer(null, 3, "de")], { unanswerable: [answer(null)] }), "lang");
  const macro = macroOf([large, small]);
  assert.deepEqual([macro.n, macro["MRR@10"], macro.p50Ms], [4, 0.5, 2]);
  assert.equal(macro.noAnswerEmpty, 1, "sets without such questions do not count");
  assert.ok(!("offTopicEmpty" in macro));
  assert.deepEqual([macro.by?.["en"]?.["MRR@10"], macro.by?.["de"]?.["MRR@10"]], [1, 0]);
});
