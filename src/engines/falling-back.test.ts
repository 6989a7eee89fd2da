import assert from "node:assert/strict";
import { test } from "node:test";
import { LonghandError } from "../errors.ts";
import type { SearchAnswer, SearchHit } from "../search/search.ts";
import type { Engine, PreferredEngine } from "./engine.ts";
import { createFallingBackEngine } from "./falling-back.ts";

const hit = (path: string, score: number): SearchHit => ({
  ...{ path, score, startLine: 1, endLine: 1, snippet: path, source: "memory", headings: [] },
  ...{ textScore: score, vectorScore: null },
});
const answerOf = (provider: string, results: readonly SearchHit[]): SearchAnswer => ({
  ...{
    provider,
    results,
    confidence: 0,
    confidenceLevel: "low",
    mode: "keyword",
    model: null,
    degraded: [],
    stale: false,
  },
});

/** Two engines with scripted answers; a test controls the first. */
function open(
  preferredParts: Partial<PreferredEngine>,
  builtinHits: readonly SearchHit[] = [hit("own", 0.5)],
) {
  const calls: string[] = [];
  const clock = { ms: 0 };
  const outcome = {
    chunks: 1,
    cacheEntries: 0,
    stillIn: [],
    deletedFiles: [],
    rawSearch: "not-found" as const,
  };
  const builtin = {
    search: async () => answerOf("none", builtinHits),
    freshen: async () => {
      calls.push("freshen");
      return { stale: false, degraded: [] };
    },
    preparePurge: async () => async () => outcome,
    async [Symbol.asyncDispose]() {},
  } as unknown as Engine;
  const preferred = {
    name: "other",
    search: async () => ({ answer: answerOf("other", [hit("theirs", 0.4)]), outdated: new Set<string>() }),
    forget: async () => {},
    async [Symbol.asyncDispose]() {},
    ...preferredParts,
  } as PreferredEngine;
  const engine = createFallingBackEngine({
    preferred,
    builtin,
    maxResults: 3,
    now: () => new Date(clock.ms),
  });
  return { engine, calls, clock };
}

test("the pause after a failure doubles up to ten minutes, and an answer ends it", async () => {
  let tries = 0;
  let isBroken = true;
  const { engine, clock } = open({
    search: async () => {
      tries++;
      if (isBroken) throw new Error("broken");
      return { answer: answerOf("other", []), outdated: new Set() };
    },
  });
  const ask = async (): Promise<number> => {
    const { fallback } = await engine.search("x");
    const { from, to, reason } = fallback ?? {};
    assert.deepEqual(
      [from, to, reason],
      isBroken ? ["other", "builtin", "broken"] : [undefined, undefined, undefined],
    );
    if (isBroken)
      assert.ok(Date.parse(fallback!.since) <= clock.ms && Date.parse(fallback!.retryAt!) > clock.ms);
    return tries;
  };
  assert.equal(await ask(), 1);
  let expected = 1;
  for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
    clock.ms += seconds * 1000 - 1;
    assert.equal(await ask(), expected, `before ${seconds} s`);
    clock.ms += 1;
    assert.equal(await ask(), ++expected, `after ${seconds} s`);
  }
  clock.ms += 600_000;
  isBroken = false;
  await ask();
  isBroken = true;
  await ask();
  const failedAgain = tries;
  clock.ms += 30_000;
  assert.equal(await ask(), failedAgain + 1);
});

test("an invalid query and a cancelled one are not failures of the engine", async () => {
  for (const code of ["query-invalid", "aborted"] as const) {
    let tries = 0;
    const { engine } = open({
      search: async () => {
        tries++;
        throw new LonghandError(code, "no", { hint: "none" });
      },
    });
    await assert.rejects(engine.search("x"), { code });
    await assert.rejects(engine.search("x"), { code });
    assert.equal(tries, 2);
  }
});

test("documents that the preferred engine lacks are found by the builtin one", async () => {
  const theirs = [hit("old", 0.9), hit("kept", 0.3)];
  const { engine } = open(
    { search: async () => ({ answer: answerOf("other", theirs), outdated: new Set(["old", "new"]) }) },
    [hit("kept", 0.8), hit("new", 0.5), hit("old", 0.2)],
  );
  const { results, provider } = await engine.search("x", { maxResults: 3 });
  assert.equal(provider, "other");
  assert.deepEqual(
    results.map(({ path, score }) => [path, score]),
    [
      ["new", 0.5],
      ["kept", 0.3],
      ["old", 0.2],
    ],
  );
});

test("these fill up the requested number, however few hits the preferred engine has", async () => {
  const own = ["a", "b", "c", "d"].map((path) => hit(path, 0.5));
  const outdated = new Set(["a", "b", "c", "d"]);
  const { engine } = open({ search: async () => ({ answer: answerOf("other", []), outdated }) }, own);
  assert.equal((await engine.search("question")).results.length, 3);
  assert.equal((await engine.search("question", { maxResults: 4 })).results.length, 4);
});

test("the builtin engine is kept fresh in the background, but not for every answer", async () => {
  const { engine, calls, clock } = open({});
  for (let i = 0; i < 5; i++) await engine.search("x");
  assert.deepEqual(calls, ["freshen"]);
  clock.ms += 30_000;
  await engine.search("x");
  assert.deepEqual(calls, ["freshen", "freshen"]);
});

test("the outcome names an index that could not be purged", async () => {
  const broken = open({
    forget: async () => {
      throw new Error("it is locked");
    },
  });
  const edited = { gone: [], texts: ["x"] };
  const outcome = await (await broken.engine.preparePurge([]))(edited);
  assert.equal(outcome.rawSearch, "not-searched");
  assert.match(outcome.detail ?? "", /other could not be removed: it is locked/);
  assert.equal((await (await open({}).engine.preparePurge([]))(edited)).rawSearch, "not-found");
});
