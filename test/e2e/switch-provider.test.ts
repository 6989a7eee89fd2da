import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { PartialConfig } from "../../src/config/options.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { type EmbeddingServer, openEmbeddingServer } from "../support/embedding-server.ts";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";

type MemorySearch = Parameters<typeof withMemorySearch>[0];

const notes = Object.fromEntries(
  ["The car broke down.", "We ship on Friday.", "A quokka moved in.", "The invoice is due."].map(
    (text, index) => [`memory/${index}.md`, `${text}\n`],
  ),
);

async function setUp(t: TestContext) {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const fixture = makeMemoryFixture(t, notes);
  const remote = { baseUrl: server.baseUrl("openai"), apiKey: "k-1234567890", concurrency: 1 };
  const openai = (memorySearch: MemorySearch = {}): PartialConfig =>
    withMemorySearch({ provider: "openai", model: "model-a", remote, ...memorySearch });
  return { server, fixture, openai };
}

/** Blocks every request for notes until it is released; queries are answered. */
function holdNotes(server: EmbeddingServer) {
  const held: (() => void)[] = [];
  const arrived = Promise.withResolvers<void>();
  server.behave = ({ texts }, reply) => {
    if (texts.every((text) => !notesText.has(text))) return reply.answer();
    held.push(() => reply.answer());
    arrived.resolve();
  };
  const release = (): void => {
    server.behave = (_, reply) => reply.answer();
    for (const answer of held) answer();
  };
  return { arrived: arrived.promise, release };
}

/** More than fit into one request. */
const longNote = `${Array.from({ length: 900 }, (_, at) => `Line ${at} about thing number ${at * 7}.`).join("\n")}\n`;

const notesText = new Set(Object.values(notes).map((text) => text.trim()));

/** Without its reasons, an answer names its embedder. */
async function ask(memory: Memory, query = "automobile") {
  const { provider, model, mode, degraded, results } = await memory.search(query);
  return { provider, model, mode, degraded, paths: results.map(({ path }) => path) };
}

suite("A change of embedder", () => {
  test("from builtin to a service: the builtin model answers until all vectors exist", async (t) => {
    const { server, fixture, openai } = await setUp(t);
    const first = await fixture.open({ config: withMemorySearch({ provider: "builtin" }) });
    await first.sync();
    const before = await ask(first);
    assert.deepEqual([before.provider, before.degraded, before.paths[0]], ["builtin", [], "memory/0.md"]);
    await first.close();

    const { arrived, release } = holdNotes(server);
    const second = await fixture.open({ config: openai() });
    const syncing = second.sync();
    await arrived;
    server.requests.length = 0;
    const meanwhile = await ask(second);
    assert.deepEqual(
      { ...meanwhile, degraded: [] },
      { ...before, degraded: [] },
      "the same answer by the same vectors",
    );
    const note = "0 of 4 chunks have their vectors of openai; the builtin model answers meanwhile";
    assert.deepEqual(meanwhile.degraded, [note]);
    assert.deepEqual(
      server.requests,
      [],
      "the service is not asked for a vector that nothing is compared with",
    );
    const status = await second.status();
    assert.deepEqual([status.provider, status.embedding.meanwhile], ["openai", note]);

    release();
    assert.equal((await syncing).embedded, 4);
    const after = await ask(second);
    assert.deepEqual([after.provider, after.model, after.degraded], ["openai", "model-a", []]);
    assert.equal((await second.status()).embedding.meanwhile, undefined);
  });

  test("that stops halfway leaves the builtin model in use, also in a new process", async (t) => {
    const { server, fixture, openai } = await setUp(t);
    fixture.write("memory/long.md", longNote);
    await using first = await fixture.open({ config: withMemorySearch({ provider: "builtin" }) });
    await first.sync();
    const texts: string[] = [];
    server.behave = (request, reply) => {
      if (texts.length > 0) return reply.json(401, { error: { message: "no" } });
      texts.push(...request.texts);
      reply.answer();
    };
    const second = await fixture.open({ config: openai() });
    const report = await second.sync();
    assert.ok(texts.length > 0 && report.degraded.length === 1);
    await second.close();
    const third = await fixture.open({ config: openai() });
    const { provider, degraded } = await ask(third);
    assert.equal(provider, "builtin");
    assert.match(degraded.join("\n"), /openai cannot be used: .*HTTP 401.*; builtin takes over/);

    server.behave = (_, reply) => reply.answer();
    assert.deepEqual((await third.sync()).degraded, []);
    assert.equal((await ask(third)).provider, "openai");
  });

  test("without builtin vectors: keyword search answers, then new vectors as they arrive; nothing is mixed", async (t) => {
    const { server, fixture, openai } = await setUp(t);
    await using first = await fixture.open({ config: openai() });
    await first.sync();
    assert.deepEqual((await ask(first)).provider, "openai");
    const { arrived, release } = holdNotes(server);
    const next = await fixture.open({ config: openai({ model: "model-b" }) });
    const syncing = next.sync();
    await arrived;
    const { degraded: reasons, paths } = await ask(next, "quokka");
    const note =
      "0 of 4 chunks have their vectors of openai; the others are found by keyword search meanwhile";
    assert.deepEqual([reasons, paths], [[note], ["memory/2.md"]]);
    release();
    assert.equal((await syncing).embedded, 4);
    assert.equal((await ask(next, "quokka")).model, "model-b");
    await next.close();
    server.requests.length = 0;
    const { provider, model, degraded } = await ask(first);
    assert.deepEqual([provider, model, degraded], ["openai", "model-a", []]);
    assert.equal(
      server.requests.length,
      1,
      "the first still has all its vectors and asks for the question alone",
    );
  });

  test("to fewer dimensions takes effect when all vectors exist", async (t) => {
    const { server, fixture, openai } = await setUp(t);
    server.behave = ({ body, texts }, reply) =>
      reply.answer(texts.map((text) => server.vectorOf(text).slice(0, (body["dimensions"] as number) ?? 8)));
    for (const outputDimensionality of [undefined, 4, 6]) {
      const memory = await fixture.open({
        config: openai(outputDimensionality === undefined ? {} : { outputDimensionality }),
      });
      assert.equal((await memory.sync()).embedded, 4);
      assert.equal((await memory.status()).vector.dims, outputDimensionality ?? 8);
      assert.deepEqual((await ask(memory, "quokka")).degraded, []);
      await memory.close();
    }
    server.requests.length = 0;
    const back = await fixture.open({ config: openai() });
    assert.equal((await back.sync()).embedded, 0);
    assert.deepEqual(server.requests, []);
  });

  test("of the chunking requests only new texts", async (t) => {
    const { server, fixture, openai } = await setUp(t);
    fixture.write("memory/long.md", longNote);
    const first = await fixture.open({ config: openai() });
    await first.sync();
    await first.close();
    server.requests.length = 0;
    const second = await fixture.open({ config: openai({ chunking: { tokens: 100, overlap: 0 } }) });
    const { embedded } = await second.sync();
    const sent = server.requests.flatMap(({ texts }) => texts);
    assert.ok(embedded > 5);
    assert.equal(sent.length, embedded);
    assert.ok(sent.every((text) => text.includes("about thing")));
  });
});
