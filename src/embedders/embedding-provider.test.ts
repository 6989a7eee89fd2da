import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { embedderContract } from "./embedder.contract.ts";
import { type EmbeddingProvider, fromEmbeddingProvider } from "./embedding-provider.ts";

/** A provider in the shape of OpenClaw's, whose vectors are plain arrays of any length. */
function createProvider(changes: Partial<EmbeddingProvider> = {}) {
  const concepts = createConceptEmbedder();
  const calls: { method: string; texts: readonly string[] }[] = [];
  const vectorOf = async (text: string) => [...(await concepts.embedQuery(text))!].map((value) => value * 3);
  const provider: EmbeddingProvider = {
    id: "host",
    model: "concepts",
    async embedQuery(text) {
      calls.push({ method: "embedQuery", texts: [text] });
      return await vectorOf(text);
    },
    async embedBatch(texts) {
      calls.push({ method: "embedBatch", texts });
      return await Promise.all(texts.map(vectorOf));
    },
    ...changes,
  };
  return { provider, calls };
}

embedderContract("an embedding provider", {
  open: async () => fromEmbeddingProvider(createProvider().provider),
});

suite("A provider with embedQuery and embedBatch", () => {
  test("embeds questions and notes each by its own method, and is closed with the memory", async (t) => {
    let closings = 0;
    const { provider, calls } = createProvider({ close: () => closings++ });
    const fixture = makeMemoryFixture(t, { "memory/a.md": "# A\n\nThe wallaby has a pouch.\n" });
    const memory = await fixture.open({
      embedder: fromEmbeddingProvider(provider),
      config: withMemorySearch({}),
    });
    assert.equal((await memory.sync()).embedded, 1);
    assert.deepEqual([calls[0]!.method, calls[0]!.texts.length], ["embedBatch", 1]);
    calls.length = 0;
    const answer = await memory.search("marsupial");
    assert.deepEqual([answer.mode, answer.provider, answer.model], ["hybrid", "host", "concepts"]);
    assert.equal(answer.results[0]?.path, "memory/a.md");
    assert.ok(calls.some(({ method, texts }) => method === "embedQuery" && texts[0] === "marsupial"));
    await memory.close();
    assert.equal(closings, 1);
  });

  test("gets at most as many texts per call as it accepts, and no secret", async () => {
    const { provider, calls } = createProvider();
    const embedder = fromEmbeddingProvider(provider, { maxBatch: 2 });
    await embedder.embedDocuments(["a", "b", "password: hunter2hunter2", "d", "e"]);
    assert.deepEqual(calls.map(({ texts }) => texts.length).toSorted(), [1, 2, 2]);
    assert.ok(!JSON.stringify(calls).includes("hunter2"));
  });

  test("is reported by name when it fails, without what looks like a secret", async () => {
    const { provider } = createProvider({
      embedQuery: async () => {
        throw new Error("401 bad key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD");
      },
    });
    await assert.rejects(fromEmbeddingProvider(provider).embedQuery("x"), (error: Error) => {
      assert.match(error.message, /^host concepts could not embed: 401 bad key/);
      assert.doesNotMatch(error.message, /abcdefghijkl/);
      return true;
    });
  });

  test("is retried after a rate limit or an outage, and not after other errors", async () => {
    const clock = { now: () => 0, random: () => 0, sleep: async () => {} };
    const cases: readonly [error: Error, calls: number][] = [
      [new Error("openai embeddings failed: 429 rate limit"), 3],
      [new Error("openai embeddings failed: 502 Bad Gateway"), 3],
      [Object.assign(new Error("busy"), { status: 503 }), 3],
      [Object.assign(new Error("no model of 502 dimensions"), { status: 400 }), 1],
      [new Error("openai embeddings failed: 429 insufficient_quota"), 1],
      [new Error("openai embeddings failed: 400 bad request"), 1],
    ];
    for (const [error, expected] of cases) {
      let calls = 0;
      const { provider } = createProvider({
        embedBatch: async (texts) => {
          if (++calls < 3) throw error;
          return texts.map(() => [0, 1]);
        },
      });
      await fromEmbeddingProvider(provider, { clock })
        .embedDocuments(["a"])
        .catch(() => {});
      assert.equal(calls, expected, error.message);
    }
  });

  test("needs a name for its model, because vectors of two models are never compared", () => {
    const { id: _, model: __, ...nameless } = createProvider().provider;
    assert.throws(() => fromEmbeddingProvider(nameless), { code: "not-supported", hint: /model:/ });
    const named = fromEmbeddingProvider(nameless, { model: "mine" });
    assert.deepEqual([named.provider, named.model], ["custom", "mine"]);
    const other = fromEmbeddingProvider(nameless, { model: "mine", endpoint: "b" });
    assert.notEqual(other.id, named.id);
    assert.throws(() => fromEmbeddingProvider({} as never), { code: "not-supported" });
  });
});
