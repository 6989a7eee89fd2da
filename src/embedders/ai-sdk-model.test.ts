import assert from "node:assert/strict";
import { after, before, beforeEach, suite, test } from "node:test";
import { createGateway, customProvider, type EmbeddingModel } from "ai";
import { type EmbeddingServer, openEmbeddingServer } from "../../test/support/embedding-server.ts";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { LonghandError } from "../errors.ts";
import { type AiSdkEmbeddingModel, fromAiSdk } from "./ai-sdk-model.ts";
import { embedderContract } from "./embedder.contract.ts";

const canary = "canary-gateway-key-4716";
let server: EmbeddingServer;
before(async () => {
  server = await openEmbeddingServer();
});
beforeEach(() => {
  server.requests.length = 0;
  server.behave = (_, reply) => reply.answer();
});
after(() => server[Symbol.asyncDispose]());

/** The SDK's own model over real HTTP. */
function gatewayModel(): Exclude<EmbeddingModel, string> {
  const gateway = createGateway({ baseURL: server.baseUrl("ai-gateway"), apiKey: canary });
  return gateway.embeddingModel("test/model");
}

embedderContract("a model of the AI SDK's gateway", { open: async () => fromAiSdk(gatewayModel()) });

suite("A model of the AI SDK", () => {
  test("may come from a custom provider, and serves semantic search", async (t) => {
    const provider = customProvider({ embeddingModels: { small: gatewayModel() } });
    const fixture = makeMemoryFixture(t, { "memory/a.md": "# A\n\nThe zebra zigzags.\n" });
    const memory = await fixture.open({
      embedder: fromAiSdk(provider.embeddingModel("small")),
      config: withMemorySearch({}),
    });
    const report = await memory.sync();
    assert.deepEqual([report.embedded, report.degraded], [1, []]);
    const answer = await memory.search("zebra");
    assert.deepEqual([answer.mode, answer.model, answer.degraded], ["hybrid", "test/model", []]);
    const { embedding, vector } = await memory.status();
    assert.deepEqual([embedding.tokens, embedding.costUsd, vector.dims], [10, null, 8]);
  });

  test("is retried, waited for and checked like any other service", async () => {
    const clock = { now: () => 0, random: () => 0, sleep: async () => {} };
    const open = () => fromAiSdk(gatewayModel(), { clock });
    let count = 0;
    server.behave = (_, reply) =>
      count++ < 2
        ? reply.json(503, { error: { message: "busy", type: "internal_server_error" } })
        : reply.answer();
    assert.ok(await open().embedQuery("text"));
    assert.equal(server.requests.length, 3);

    server.requests.length = 0;
    server.behave = (_, { json }) =>
      json(401, { error: { message: `Bad key ${canary}`, type: "authentication_error" } });
    const error = await open()
      .embedQuery("text")
      .catch((reason: unknown) => reason);
    assert.ok(error instanceof LonghandError);
    assert.equal(error.code, "provider-refused");
    assert.equal(server.requests.length, 1);
  });

  test("that hangs and ignores signals is abandoned at the deadline, or when the caller cancels", async () => {
    const model: AiSdkEmbeddingModel = {
      specificationVersion: "v2",
      provider: "own",
      modelId: "deaf",
      maxEmbeddingsPerCall: undefined,
      doEmbed: () => new Promise(() => {}),
    };
    const deadlineMs = { query: 20, document: 20 };
    await assert.rejects(fromAiSdk(model, { deadlineMs }).embedQuery("text"), {
      code: "provider-unreachable",
    });
    const controller = new AbortController();
    const embedding = fromAiSdk(model).embedDocuments(["text"], { signal: controller.signal });
    setImmediate(() => controller.abort());
    await assert.rejects(embedding, { code: "aborted" });
  });

  test("gets at most as many texts per call as it accepts", async () => {
    const sizes: number[] = [];
    const model: AiSdkEmbeddingModel = {
      specificationVersion: "v3",
      provider: "own",
      modelId: "small",
      maxEmbeddingsPerCall: Promise.resolve(3),
      doEmbed: async ({ values }) => {
        sizes.push(values.length);
        return { embeddings: values.map(() => [1, 2]) };
      },
    };
    await fromAiSdk(model).embedDocuments(["a", "b", "c", "d", "e", "f", "g"]);
    assert.deepEqual(sizes.toSorted(), [1, 3, 3]);
  });

  test("whose limit cannot be found out fails the calls, not the process", async () => {
    const model: AiSdkEmbeddingModel = {
      specificationVersion: "v3",
      provider: "own",
      modelId: "unlimited",
      maxEmbeddingsPerCall: Promise.reject(new Error("no limit")),
      doEmbed: async ({ values }) => ({ embeddings: values.map(() => [1, 2]) }),
    };
    const embedder = fromAiSdk(model);
    await new Promise(setImmediate);
    await assert.rejects(embedder.embedQuery("a"), /no limit/);
  });

  test("must be an object, not a name", () => {
    assert.throws(() => fromAiSdk("openai/text-embedding-3-small" as never), { code: "not-supported" });
  });
});
