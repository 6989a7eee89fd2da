import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bar } from "./bars.ts";
import { isFailure, judge } from "./judge.ts";

const bar: Bar = { id: "x", part: "query", what: "x", unit: "ms", judged: "ours" };
const strict = { tolerance: 1 };
const lenient = { tolerance: 2 };

test("a speed-up is the reference divided by ours, a share is ours divided by the reference", () => {
  const figure = { ours: 4, reference: 20 };
  assert.equal(judge({ ...bar, judged: "speedup" }, figure, strict).value, 5);
  assert.equal(judge({ ...bar, judged: "share" }, figure, strict).value, 0.2);
  assert.equal(judge(bar, figure, strict).value, 4);
});

test("a limit is met by an equal figure and missed beyond it", () => {
  const verdict = (limits: Partial<Bar>, ours: number) =>
    judge({ ...bar, ...limits }, { ours }, strict).verdict;
  assert.equal(verdict({ atMost: 10 }, 10), "met");
  assert.equal(verdict({ atMost: 10 }, 10.01), "missed");
  assert.equal(verdict({ atLeast: 10 }, 10), "met");
  assert.equal(verdict({ atLeast: 10 }, 9.99), "missed");
  assert.equal(verdict({ atMost: 0 }, 0), "met");
});

test("with tolerance a limit fails only if it is missed by that factor, unless it is exact", () => {
  const verdict = (limits: Partial<Bar>, ours: number) =>
    judge({ ...bar, ...limits }, { ours }, lenient).verdict;
  assert.equal(verdict({ atMost: 10 }, 20), "tolerated");
  assert.equal(verdict({ atMost: 10 }, 20.1), "missed");
  assert.equal(verdict({ atLeast: 10 }, 5), "tolerated");
  assert.equal(verdict({ atLeast: 10 }, 4.9), "missed");
  assert.equal(verdict({ atLeast: 0.99, isExact: true }, 0.98), "missed");
  assert.equal(verdict({ atMost: 0 }, 1), "missed");
});

test("a figure that was not measured is a failure, and a row without a limit never is", () => {
  const limited = { ...bar, atMost: 10 };
  assert.deepEqual(judge(limited, undefined, lenient), { value: null, verdict: "unmeasured" });
  assert.equal(judge({ ...limited, judged: "share" }, { ours: 1 }, lenient).verdict, "unmeasured");
  assert.equal(judge(limited, { ours: Number.NaN }, lenient).verdict, "unmeasured");
  const told = judge(bar, { ours: 1e9 }, strict);
  assert.equal(told.verdict, "told");
  const failures = (["met", "missed", "tolerated", "told", "unmeasured"] as const).filter((verdict) =>
    isFailure({ value: 1, verdict }),
  );
  assert.deepEqual(failures, ["missed", "unmeasured"]);
});
