import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { planFlush } from "./flush-plan.ts";

const now = new Date("2026-03-02T23:30:00Z");
const withFlush = (memoryFlush: object, rest: object = {}) => ({
  agents: { defaults: { userTimezone: "Asia/Tokyo", compaction: { memoryFlush, ...rest } } },
});

suite("The flush plan", () => {
  test("names today's note in the user's time zone, and the tool that appends to it", () => {
    const plan = planFlush(withFlush({}), { now })!;
    assert.equal(plan.relativePath, "memory/2026-03-03.md");
    assert.match(plan.prompt, /memory\/2026-03-03\.md/);
    assert.match(plan.prompt, /NO_REPLY/);
    assert.match(plan.prompt, /write tool/);
    assert.deepEqual(
      [plan.softThresholdTokens, plan.reserveTokensFloor, plan.forceFlushTranscriptBytes, plan.model],
      [4000, 20_000, 2_097_152, undefined],
    );
  });

  test("follows the settings of the host", () => {
    const plan = planFlush(
      withFlush(
        { softThresholdTokens: 500, model: "ollama/qwen3:8b", prompt: "Write it down on YYYY-MM-DD." },
        { reserveTokensFloor: 9000 },
      ),
      { now },
    )!;
    assert.deepEqual(
      [plan.softThresholdTokens, plan.reserveTokensFloor, plan.model],
      [500, 9000, "ollama/qwen3:8b"],
    );
    assert.match(plan.prompt, /^Write it down on 2026-03-03\./);
    assert.equal(planFlush(withFlush({ enabled: false }), { now }), null);
  });

  test("states the user's time once", () => {
    const { prompt } = planFlush(withFlush({}), { now })!;
    assert.match(prompt, /^Current time: 2026-03-03 08:30 \(Asia\/Tokyo\)$/m);
    const own = planFlush(withFlush({ prompt: "Write it down.\nCurrent time: noon" }), { now })!.prompt;
    assert.deepEqual(own.match(/Current time:.*/g), ["Current time: noon"]);
  });

  test("leaves room in a small context window", () => {
    const plan = planFlush({}, { now, contextWindowTokens: 8000 })!;
    assert.deepEqual([plan.reserveTokensFloor, plan.softThresholdTokens], [2000, 3000]);
  });

  test("accepts a model with fallbacks, and a time that is out of range", () => {
    const model = { primary: "ollama/qwen3:8b", fallbacks: ["a/b", "  ", "c/d"] };
    const plan = planFlush(withFlush({ model }), { now })!;
    assert.deepEqual([plan.model, plan.fallbacks], ["ollama/qwen3:8b", ["a/b", "c/d"]]);
    for (const alone of ["ollama/qwen3:8b", { primary: "ollama/qwen3:8b", fallbacks: [" "] }]) {
      const { model: only, fallbacks } = planFlush(withFlush({ model: alone }), { now })!;
      assert.deepEqual([only, fallbacks], ["ollama/qwen3:8b", undefined]);
    }
    const today = new Date().toISOString().slice(0, 4);
    assert.ok(planFlush({}, { now: new Date(8.64e15 + 1) })!.relativePath.startsWith(`memory/${today}`));
  });

  test("accepts invalid settings", () => {
    for (const memoryFlush of [null, "on", { softThresholdTokens: -1, model: 7, prompt: "  " }]) {
      const config = { agents: { defaults: { userTimezone: "Mars/Base", compaction: { memoryFlush } } } };
      assert.equal(planFlush(config, { now })!.softThresholdTokens, 4000);
    }
    assert.ok(planFlush(undefined, { now }));
  });
});
