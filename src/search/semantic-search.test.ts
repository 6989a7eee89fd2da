import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { hangLimitMs, until } from "../../test/support/hang-limit.ts";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { openSearchFixture } from "../../test/support/search-fixture.ts";
import { makeChunk } from "../../test/support/stored-chunk.ts";
import { openBuiltinEmbedder } from "../embedders/builtin/builtin-embedder.ts";
import { type Embedder, isRefused } from "../embedders/embedder.ts";
import type { Memory } from "../memory/memory.ts";
import { semanticSearch } from "./semantic-search.ts";

const notes = {
  "MEMORY.md": "# Memory\n\nThe koala is private.\n",
  "memory/animals.md": "# Zoo\n\nA quokka and a wallaby moved in.\n",
  "memory/2026-03-01.md": "# Sunday\n\nThe rollout is planned for Friday.\n",
  "memory/office.md": "# Office\n\nThe printer is on the second floor.\n",
  "memory/billing.md": "# Bills\n\nEvery invoice goes to Ada.\n",
};

type Query = NonNullable<Parameters<typeof withMemorySearch>[0]["query"]>;

function open(t: TestContext, embedder: Embedder, query: Query = {}): Promise<Memory> {
  return makeMemoryFixture(t, notes).open({ embedder, config: withMemorySearch({ query }) });
}

const broken: Readonly<Record<string, { readonly embedder: Partial<Embedder>; readonly reason: RegExp }>> = {
  rejects: { embedder: { embedQuery: () => Promise.reject(new Error("no network")) }, reason: /no network/ },
  throws: {
    embedder: {
      embedQuery() {
        throw new Error("no network");
      },
    },
    reason: /no network/,
  },
  "never answers": { embedder: { embedQuery: () => new Promise(() => {}) }, reason: /within 1 ms/ },
  "gives no numbers": {
    embedder: { embedQuery: async () => new Float32Array(64).fill(Number.NaN) },
    reason: /vector/,
  },
  "gives too few numbers": { embedder: { embedQuery: async () => Float32Array.of(1, 0) }, reason: /vector/ },
};

suite("Semantic search", () => {
  test("finds what shares no word with the question, and says how", async (t) => {
    const embedder = createConceptEmbedder();
    const memory = await open(t, embedder);
    const answer = await memory.search("which marsupials live here", { minScore: 0.35 });
    assert.deepEqual([answer.mode, answer.provider, answer.model], ["hybrid", "test", "concepts"]);
    assert.deepEqual([answer.degraded, answer.stale], [[], false]);
    const paths = answer.results.map((hit) => hit.path);
    assert.ok(paths.includes("memory/animals.md") && paths.includes("MEMORY.md"), paths.join());
    assert.ok(!paths.includes("memory/office.md"));
    for (const hit of answer.results) assert.ok(hit.vectorScore !== null && hit.vectorScore > 0);
    assert.deepEqual(embedder.queries, ["which marsupials live here"]);
  });

  test("explains how far similar words cover the question, whichever embedder is used", async (t) => {
    for (const embedder of [createConceptEmbedder(), await openBuiltinEmbedder()]) {
      const memory = await open(t, embedder);
      const { results } = await memory.search("who gets the bill for the printer", { explain: true });
      const invoice = results.find((hit) => hit.path === "memory/billing.md");
      const printer = results.find((hit) => hit.path === "memory/office.md");
      for (const hit of [invoice, printer]) assert.equal(typeof hit?.explain?.similarWords, "number");
      const keywords = await memory.search("printer", { explain: true, keywordOnly: true });
      assert.equal(keywords.results[0]?.explain?.similarWords, undefined);
    }
  });

  test("returns hits of both keyword and semantic search", async (t) => {
    const memory = await open(t, createConceptEmbedder());
    const { results } = await memory.search("second floor, and the launch", { minScore: 0.35 });
    const paths = results.map((hit) => hit.path);
    assert.ok(paths.includes("memory/office.md"), "by keyword search");
    assert.ok(paths.includes("memory/2026-03-01.md"), "by semantic search");
  });

  test("distinguishes passages of one chunk when it rescores them", async (t) => {
    const filler = (topic: string): string => `${topic} `.repeat(20).trim();
    const flight = `The aeroplane departs from the airport gate. ${filler("travel abroad by plane")}`;
    const bug = `${filler("the vote of the council")} The laptop crashes when its server restarts.`;
    const { store } = await openSearchFixture(t, { "memory/day.md": `${flight}\n${bug}\n` });
    const embedder = await openBuiltinEmbedder();
    const [chunk, ...others] = await store.chunksOf("memory", "memory/day.md");
    assert.ok(chunk && others.length === 0);
    const [missing] = await store.missingVectors(embedder.id, 1);
    const [vectors] = await embedder.embedDocuments([chunk.text]);
    await store.putVectors(embedder, [{ hash: missing!.hash, vectors: vectors! }], {
      vectorsPerText: "several",
    });
    const request = {
      chosenId: embedder.id,
      limit: 5,
      filter: {},
      totalChunks: 1,
      trust: async () => ({ understanding: 1, strengths: [], usualSpread: 0, reach: 0 }),
      signal: undefined,
    };
    const vectorResult = await semanticSearch("computer", { embedder, waitMs: 1000 }, store, request);
    assert.ok("scoreOf" in vectorResult);
    const at = (line: number) => ({ chunk, lines: { start: line, end: line }, isMatched: true });
    const [first, second] = [at(1), at(2)];
    assert.equal(vectorResult.scoreOf(first), vectorResult.scoreOf(second), "a chunk has one semantic score");
    await vectorResult.rescore([first, second]);
    assert.ok(vectorResult.scoreOf(second)! > vectorResult.scoreOf(first)!);
    assert.deepEqual(await vectorResult.locate(chunk), { start: 2, end: 2 });
  });

  test("scores from 0 for the median note to 1, and expects more of chance in more notes", async () => {
    const embedder = createConceptEmbedder();
    const found = [1, 0.65, 0.3, 0.1].map((similarity, id) => ({ id, similarity }));
    const store = {
      byVector: async () => ({ candidates: found, median: 0.3 }),
      similarities: async () => new Map<number, number>(),
    };
    const among = async (totalChunks: number) => {
      const result = await semanticSearch("zoo", { embedder, waitMs: hangLimitMs }, store, {
        chosenId: embedder.id,
        limit: 5,
        filter: {},
        totalChunks,
        trust: async () => ({ understanding: 1, strengths: [], usualSpread: 0, reach: 0 }),
        signal: undefined,
      });
      assert.ok("scoreOf" in result);
      const scores = found.map(({ id }) =>
        result.scoreOf({ chunk: makeChunk({ id, text: "" }), lines: { start: 1, end: 1 }, isMatched: true }),
      );
      return { ...result, scores: scores.map((score) => Number(score?.toFixed(6))) };
    };
    const { scores, best, chance } = await among(1000);
    assert.deepEqual(scores, [1, 0.5, 0, 0]);
    assert.equal(best, 1);
    assert.ok(chance > 0 && chance < 1 && (await among(100_000)).chance > chance);
    assert.ok((await among(2)).scores[2]! > 0, "two notes are too few for a median");
    found.length = 0;
    assert.deepEqual((await among(1000)).candidates, [], "no similar chunk is not a problem");
  });

  test("keeps to the filters, and private notes private", async (t) => {
    const memory = await open(t, createConceptEmbedder());
    const pathsFor = async (options: Parameters<Memory["search"]>[1]) =>
      (await memory.search("marsupials", options)).results.map((hit) => hit.path);
    const shared = await pathsFor({ sessionKey: "agent:main:slack:channel:x" });
    assert.ok(shared.includes("memory/animals.md") && !shared.includes("MEMORY.md"));
    assert.deepEqual(
      await pathsFor({ since: "2026-01-01" }),
      await pathsFor({ since: "2026-01-01", path: "memory/2026-03-01.md" }),
    );
    for (const path of await pathsFor({ path: "memory/o*.md" })) assert.equal(path, "memory/office.md");
  });

  for (const fusion of ["weighted", "rrf"] as const) {
    test(`gives scores between 0 and 1, best first: ${fusion}`, async (t) => {
      const memory = await open(t, createConceptEmbedder(), {
        hybrid: { fusion, vectorWeight: 0.7, textWeight: 0.3 },
      });
      for (const query of ["marsupials", "quokka wallaby", "the printer", "invoice costs on Friday", "zzz"]) {
        let previous = 1;
        for (const { score, textScore, vectorScore } of (await memory.search(query)).results) {
          assert.ok(score >= 0 && score <= previous, query);
          previous = score;
          for (const vectorResult of [textScore, vectorScore])
            assert.ok(vectorResult === null || (vectorResult >= 0 && vectorResult <= 1));
        }
      }
    });
  }

  test("can search by vectors alone, and explains that too", async (t) => {
    const memory = await open(t, createConceptEmbedder(), { hybrid: { enabled: false } });
    const answer = await memory.search("marsupials on the floor", { explain: true, minScore: 0.35 });
    assert.equal(answer.mode, "vector");
    const paths = answer.results.map((hit) => hit.path);
    assert.ok(paths.includes("memory/animals.md") && !paths.includes("memory/office.md"), paths.join());
    for (const { textScore, explain } of answer.results) {
      assert.equal(textScore, null);
      for (const { occurrences, contribution } of explain!.terms) {
        assert.ok(Number.isFinite(occurrences) && Number.isFinite(contribution));
      }
    }
  });

  for (const [what, { embedder, reason }] of Object.entries(broken)) {
    test(`answers by the builtin model, with the reason, when the embedder ${what}`, async (t) => {
      const memory = await open(t, createConceptEmbedder(embedder), { vectorWaitMs: 1 });
      await memory.sync();
      await until(
        async () => (await memory.search("printer floor")).provider === "builtin",
        "the builtin model answers",
      );
      const answer = await memory.search("printer floor");
      assert.equal(answer.results[0]?.path, "memory/office.md");
      assert.deepEqual([answer.mode, answer.fallback?.from], ["hybrid", "test"]);
      assert.match(answer.degraded.join(), reason);
      assert.doesNotMatch(JSON.stringify(answer), /NaN|null,"snippet/);
    });
  }

  test("answers by the builtin model, with the reason, when the notes could not be embedded", async (t) => {
    const embedDocuments = () => Promise.reject(new Error("quota used up"));
    const memory = await open(t, createConceptEmbedder({ embedDocuments }));
    const answer = await memory.search("printer floor");
    assert.equal(answer.results[0]?.path, "memory/office.md");
    assert.match(answer.degraded.join(), /quota used up/);
  });

  test("shows the most similar lines of a text with several vectors", async (t) => {
    const fixture = makeMemoryFixture(t, {
      ...notes,
      "memory/long.md": `# Log\n\n${Array.from({ length: 30 }, (_, i) => (i === 25 ? "A quokka moved in." : `Nothing on day ${i}.`)).join("\n")}\n`,
    });
    const one = createConceptEmbedder();
    /** A vector for each third of the text, like windows. */
    const inThirds = async (texts: readonly string[]) =>
      Promise.all(
        texts.map(async (text) => {
          const third = Math.ceil(text.length / 3);
          const parts = [0, 1, 2].map((i) => text.slice(i * third, (i + 1) * third));
          return (await one.embedDocuments(parts)).flatMap((vectors) => (isRefused(vectors) ? [] : vectors));
        }),
      );
    const embedder = createConceptEmbedder({ vectorsPerText: "several", embedDocuments: inThirds });
    const memory = await fixture.open({
      embedder,
      config: withMemorySearch({ query: { hybrid: { vectorWeight: 0.7 } } }),
    });
    const [hit] = (await memory.search("marsupials", { path: "memory/long.md" })).results;
    assert.match(hit?.snippet ?? "", /quokka/);
  });

  for (const outcome of ["never answers", "rejects"]) {
    test(`shows what was found when an embedder with several vectors then ${outcome}`, async (t) => {
      const one = createConceptEmbedder();
      let isIndexed = false;
      const embedder = createConceptEmbedder({
        vectorsPerText: "several",
        async embedDocuments(texts) {
          if (!isIndexed) return await one.embedDocuments(texts);
          if (outcome === "rejects") throw new Error("out of memory");
          return await new Promise(() => {});
        },
      });
      // Long enough for the query, which is answered at once.
      const memory = await open(t, embedder, { vectorWaitMs: 100 });
      await memory.sync();
      isIndexed = true;
      const paths = (await memory.search("marsupials")).results.map(({ path }) => path);
      assert.ok(paths.includes("memory/animals.md"), paths.join());
    });
  }

  test("closes the embedder with the memory, used or not", async (t) => {
    for (const isUsed of [true, false]) {
      const embedder = createConceptEmbedder();
      const memory = await open(t, embedder);
      if (isUsed) await memory.search("marsupials");
      await memory.close();
      await memory.close();
      assert.equal(embedder.closings, 1);
    }
  });

  test("stops when the caller cancels, even if the embedder does not", async (t) => {
    const reached = Promise.withResolvers<void>();
    const embedQuery = (): Promise<never> => {
      reached.resolve();
      return new Promise(() => {});
    };
    const memory = await open(t, createConceptEmbedder({ embedQuery }), { vectorWaitMs: 20_000 });
    const controller = new AbortController();
    const asked = memory.search("marsupials", { signal: controller.signal });
    await reached.promise;
    controller.abort();
    await assert.rejects(asked, { code: "aborted" });
  });
});
