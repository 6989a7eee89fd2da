import assert from "node:assert/strict";
import { devNull } from "node:os";
import { test } from "node:test";
import { addTopics, createDialledEmbedder, type Dial } from "../bench/dialled-embedder.ts";
import { resolveSettings } from "../src/config/settings.ts";
import { openBuiltinEmbedder } from "../src/embedders/builtin/builtin-embedder.ts";
import type { Embedder } from "../src/embedders/embedder.ts";
import { evaluateSets } from "../src/eval/evaluate.ts";
import { type Row, rowOf } from "../src/eval/report.ts";

/**
 * Hybrid search must not be worse than the better of its parts, however strong the embedder is. `bench/embedder-curve.ts`
 * draws the whole curve on larger sets; this test checks a few points of it, on the first questions of our own.
 */
const limit = 60;
/** One answer that moves from first to second place costs a little less. */
const tolerance = 0.007;

async function evaluate(memorySearch: object, dial?: Dial, topics?: Embedder): Promise<Row> {
  const settings = await resolveSettings({
    config: devNull,
    overrides: { agents: { defaults: { memorySearch } } },
  });
  const { results } = await evaluateSets(import.meta.dirname, {
    settings,
    limit,
    ...(dial && {
      openEmbedder: (set) => {
        const dialled = createDialledEmbedder(set, dial);
        return topics ? addTopics(dialled, topics) : dialled;
      },
    }),
  });
  const row = rowOf(results[0]!);
  assert.equal(row.empty, 0, "questions that have an answer get hits");
  return row;
}

const words = await evaluate({ provider: "none" });

for (const vectorsPerText of ["one", "several"] as const) {
  for (const strength of [0, 0.3, 0.7, 1.5]) {
    test(`an embedder of strength ${strength}, vectors per text: ${vectorsPerText}`, async (t) => {
      const dial = { strength, vectorsPerText };
      const vectors = await evaluate({ query: { hybrid: { enabled: false } } }, dial);
      const hybrid = await evaluate({}, dial);
      const [w, v, h] = [words, vectors, hybrid].map((row) => row["nDCG@10"]) as [number, number, number];
      const { answerLow = 1, noAnswerLow = 0 } = hybrid;
      t.diagnostic(`keyword ${w.toFixed(3)}, semantic ${v.toFixed(3)}, hybrid ${h.toFixed(3)}`);
      t.diagnostic(`low confidence: with an answer ${answerLow}, without ${noAnswerLow}`);
      assert.ok(h >= Math.max(w, v) - tolerance);
      if (strength === 0) assert.ok(h > w, "the builtin model compares words, whatever the embedder says");
      assert.ok(answerLow <= (words.answerLow ?? 0), "a further search makes no answer less certain");
      assert.ok(noAnswerLow >= (words.noAnswerLow ?? 1) - 0.05);
    });
  }
}

test("an embedder that passes its check and is much better than keywords decides", async (t) => {
  const dial = { strength: 0.7, vectorsPerText: "one" } as const;
  await using builtin = await openBuiltinEmbedder();
  const [vectors, hybrid] = [
    await evaluate({ query: { hybrid: { enabled: false } } }, dial, builtin),
    await evaluate({}, dial, builtin),
  ];
  const better = Math.max(words["nDCG@10"], vectors["nDCG@10"]);
  t.diagnostic(`semantic ${vectors["nDCG@10"].toFixed(3)}, hybrid ${hybrid["nDCG@10"].toFixed(3)}`);
  assert.ok(hybrid["nDCG@10"] >= better + 0.01, "it is above both");
});
