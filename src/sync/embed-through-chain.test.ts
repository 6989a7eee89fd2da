import assert from "node:assert/strict";
import { test } from "node:test";
import type { Embedder } from "../embedders/embedder.ts";
import { createFallbackChain } from "../embedders/fallback-chain.ts";
import { LonghandError } from "../errors.ts";
import { type EmbedRun, embedByFree, embedThroughChain, probeFailing } from "./embed-runs.ts";
import type { VectorReport } from "./sync.ts";

const done: VectorReport = {
  embedded: 1,
  reused: 0,
  problem: null,
  waiting: 0,
  refused: [],
  durationMs: 5,
};
const nothingToDo: VectorReport = { ...done, embedded: 0 };
const down: VectorReport = {
  ...nothingToDo,
  problem: "no answer",
  failure: { reason: "no answer", kind: "unreachable" },
};

const pauseMs = 10_000;

interface Member {
  readonly isSlow?: boolean;
  readonly cannotOpen?: boolean;
}

/** A chain with a clock that the test advances; a pass of each embedder ends with the report given for it. */
function createFixture(members: Record<string, Member>) {
  const place = { nowMs: 0, runs: [] as string[], questions: [] as string[], questionFails: false };
  const reports: Record<string, VectorReport> = {};
  const embedderOf = (provider: string, { isSlow = false }: Member): Embedder => ({
    specificationVersion: 1,
    ...{ id: provider, provider, model: "m", maxBatch: 8, dimensions: 2, vectorsPerText: "one", isSlow },
    embedDocuments: async () => [],
    async embedQuery(text, options) {
      place.questions.push(text);
      options?.signal?.throwIfAborted();
      if (place.questionFails)
        throw new LonghandError("provider-unreachable", "no answer", { hint: "Wait." });
      return new Float32Array(2);
    },
    async [Symbol.asyncDispose]() {},
  });
  const chain = createFallbackChain({
    links: Object.entries(members).map(([provider, member]) => ({
      provider,
      open: async () => (member.cannotOpen ? null : embedderOf(provider, member)),
    })),
    now: () => new Date(place.nowMs),
  });
  const run = async ({ embedder: { provider }, isStandIn }: EmbedRun): Promise<VectorReport> => {
    place.runs.push(isStandIn ? `${provider} as stand-in` : provider);
    return reports[provider] ?? done;
  };
  /** Which embedders ran in a pass that starts now, and its report. */
  async function pass(): Promise<[string[], VectorReport]> {
    const report = await embedThroughChain(chain, run);
    return [place.runs.splice(0), report];
  }
  return { place, chain, reports, run, pass };
}

test("The chosen embedder embeds alone while it answers", async () => {
  const { pass, chain } = createFixture({ chosen: {}, free: {} });
  assert.deepEqual(await pass(), [["chosen"], done]);
  assert.equal(chain.isFailing(), false);
});

test("A fallback embeds for a failing embedder until that one gives a vector again", async () => {
  const { pass, place, reports, chain } = createFixture({ chosen: {}, free: {} });
  reports["chosen"] = down;
  assert.deepEqual(await pass(), [["chosen", "free as stand-in"], done]);
  assert.deepEqual((await pass())[0], ["free as stand-in"], "the failing one is not asked for a while");

  place.nowMs += pauseMs;
  reports["chosen"] = nothingToDo;
  assert.deepEqual(await pass(), [["chosen", "free as stand-in"], nothingToDo]);
  assert.equal(chain.isFailing(), true, "a pass without work proves nothing");
  reports["chosen"] = done;
  assert.deepEqual(await pass(), [["chosen"], done]);
  assert.equal(chain.isFailing(), false);
});

test("The free model embeds before a slow fallback does, and only once", async () => {
  const { pass, reports } = createFixture({ chosen: {}, local: { isSlow: true }, free: {} });
  reports["chosen"] = down;
  reports["free"] = { ...done, embedded: 7 };
  assert.deepEqual(await pass(), [["chosen", "free as stand-in", "local as stand-in"], done]);
});

test("A slow chosen embedder waits for no other", async () => {
  const { pass } = createFixture({ local: { isSlow: true }, free: {} });
  assert.deepEqual(await pass(), [["local"], done]);
});

test("Where every embedder fails, the report says why", async () => {
  const { pass, reports } = createFixture({ chosen: {}, free: {} });
  reports["chosen"] = down;
  reports["free"] = { ...down, problem: "no memory", failure: { reason: "no memory", kind: "refused" } };
  assert.equal((await pass())[1].problem, "no memory");
  const [, report] = await pass();
  assert.deepEqual([report.problem, report.embedded, report.reused, report.waiting], ["no memory", 0, 0, 0]);
});

test("Without a fallback, a pass during the pause of the embedder repeats its reason", async () => {
  const { pass, reports } = createFixture({ chosen: {} });
  reports["chosen"] = down;
  assert.deepEqual(await pass(), [["chosen"], down]);
  assert.deepEqual(await pass(), [[], { ...nothingToDo, problem: "no answer", durationMs: 0 }]);
});

test("An embedder that cannot be opened is passed over", async () => {
  const { pass, chain, run, place } = createFixture({ chosen: { cannotOpen: true }, free: {} });
  assert.deepEqual(await pass(), [["free as stand-in"], done]);
  assert.deepEqual(await embedByFree(chain, run), done);
  assert.deepEqual(place.runs, ["free as stand-in"]);
  const none = createFixture({ chosen: { cannotOpen: true } });
  assert.deepEqual(await none.pass(), [[], { ...nothingToDo, durationMs: 0 }]);
  assert.equal(await embedByFree(none.chain, none.run), null);
});

test("A failing embedder is probed with one word after its pause, and an answer ends the failure", async () => {
  const { pass, place, reports, chain } = createFixture({ chosen: {}, free: {} });
  await probeFailing(chain, undefined);
  assert.deepEqual(place.questions, [], "it does not fail");
  reports["chosen"] = down;
  await pass();
  await probeFailing(chain, undefined);
  assert.deepEqual(place.questions, [], "its pause has not ended");

  place.nowMs += pauseMs;
  place.questionFails = true;
  await assert.rejects(probeFailing(chain, AbortSignal.abort()), { code: "aborted" });
  await probeFailing(chain, undefined);
  await probeFailing(chain, undefined);
  assert.equal(place.questions.length, 2, "the failed question began a new pause");
  assert.equal(chain.isFailing(), true);

  place.nowMs += 2 * pauseMs;
  place.questionFails = false;
  await probeFailing(chain, undefined);
  assert.deepEqual([place.questions.length, chain.isFailing()], [3, false]);
});
