import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Memory } from "../../src/memory/memory.ts";
import { openPostgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { contractTokens } from "../../src/stores/store.contract.ts";
import { openEmbeddingServer } from "../support/embedding-server.ts";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { skipWithoutLance } from "../support/platform.ts";
import { startPglite } from "../support/postgres.ts";

const notes = Object.fromEntries(
  ["The car broke down.", "We ship on Friday.", "A quokka moved in.", "The invoice is due."].map(
    (text, index) => [`memory/${index}.md`, `${text}\n`],
  ),
);

type StoreSettings = NonNullable<Parameters<typeof withMemorySearch>[0]["store"]>;

/** A compatible service whose model can be replaced under the same name and address. */
async function setUp(t: TestContext, store: StoreSettings = {}) {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const vectorsOf = (dimensions: number) => (text: string) => {
    const counts = new Array<number>(dimensions).fill(0.01);
    for (const letter of text.toLowerCase()) counts[letter.codePointAt(0)! % dimensions]! += 1;
    return counts;
  };
  const exchangeModel = (dimensions: number): void => {
    server.vectorOf = vectorsOf(dimensions);
  };
  exchangeModel(256);
  const fixture = makeMemoryFixture(t, notes);
  const remote = { baseUrl: server.baseUrl("openai"), apiKey: "k-1234567890", concurrency: 1 };
  const config = withMemorySearch({ provider: "openai", model: "model-a", remote, store });
  const open = () => fixture.open({ config });
  const sentNotes = () => server.requests.flatMap(({ texts }) => texts).filter((text) => text.endsWith("."));
  return { server, fixture, config, open, exchangeModel, vectorsOf, sentNotes };
}

const dimsOf = async (memory: Memory) => (await memory.status()).vector.dims;

/** Waits for all vectors, and checks that nothing is degraded then. */
async function expectWhole(memory: Memory): Promise<void> {
  await memory.sync();
  const { degraded, results } = await memory.search("quokka");
  assert.deepEqual([degraded, results[0]?.path], [[], "memory/2.md"]);
}

suite("A service that returns vectors of other dimensions under the same model name", () => {
  test("is noticed by a query in a running process, and all notes are embedded again", async (t) => {
    const { open, exchangeModel } = await setUp(t);
    await using memory = await open();
    await expectWhole(memory);
    assert.equal(await dimsOf(memory), 256);
    exchangeModel(384);
    const { degraded, results } = await memory.search("quokka");
    assert.equal(results[0]?.path, "memory/2.md", "words still answer");
    assert.match(degraded.join("\n"), /openai model-a now gives vectors of 384 dimensions/);
    await expectWhole(memory);
    assert.equal(await dimsOf(memory), 384);
    assert.equal((await memory.search("quokka")).mode, "hybrid");
  });

  test("is noticed with an index in LanceDB too", { skip: skipWithoutLance }, async (t) => {
    const { open, exchangeModel } = await setUp(t, { driver: "lancedb" });
    await using memory = await open();
    await expectWhole(memory);
    exchangeModel(384);
    await memory.search("quokka");
    await expectWhole(memory);
    assert.equal(await dimsOf(memory), 384);
  });

  test("is noticed with an index in PostgreSQL too", async (t) => {
    await using server = await startPglite();
    const { fixture, config, exchangeModel } = await setUp(t);
    // PGlite has one session, in which a held lock would block everything else.
    const store = await openPostgresStore({
      ...server,
      place: "PGlite",
      owner: "main",
      analyzerId: "plain",
      tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
    });
    await using memory = await fixture.open({ config, store });
    await memory.sync();
    assert.equal(await dimsOf(memory), 256);
    exchangeModel(384);
    await memory.search("quokka");
    assert.deepEqual((await memory.sync()).degraded, []);
    assert.equal(await dimsOf(memory), 384);
    const { mode, degraded } = await memory.search("quokka");
    assert.deepEqual([mode, degraded], ["hybrid", []]);
  });

  test("moves to another store with the vectors of the new length", { skip: skipWithoutLance }, async (t) => {
    const { open, fixture, config, exchangeModel, server, sentNotes } = await setUp(t);
    const first = await open();
    await expectWhole(first);
    exchangeModel(384);
    await first.search("quokka");
    await expectWhole(first);
    server.requests.length = 0;
    const { vectors, degraded } = await first.migrate({ to: "lancedb" });
    assert.deepEqual([vectors, degraded], [4, []]);
    await first.close();
    const { memorySearch } = config.agents!.defaults!;
    await using moved = await fixture.open({
      config: withMemorySearch({ ...memorySearch!, store: { driver: "lancedb" } }),
    });
    await expectWhole(moved);
    assert.equal(await dimsOf(moved), 384);
    assert.deepEqual(sentNotes(), []);
  });

  test("is noticed by a sync that embeds a new note, in a new process too", async (t) => {
    const { open, exchangeModel, fixture, sentNotes, server } = await setUp(t);
    const first = await open();
    await expectWhole(first);
    await first.close();
    exchangeModel(384);
    fixture.write("memory/4.md", "The lamp is green.\n");
    server.requests.length = 0;
    await using second = await open();
    const report = await second.sync();
    assert.deepEqual([report.embedded, report.degraded], [5, []]);
    assert.equal(sentNotes().length, 6, "the new note twice, the others once");
    assert.equal(await dimsOf(second), 384);
    await expectWhole(second);
  });

  test("is remembered by the index: another process starts with the new vectors", async (t) => {
    const { open, exchangeModel, server, sentNotes } = await setUp(t);
    const first = await open();
    await expectWhole(first);
    exchangeModel(384);
    await first.search("quokka");
    await expectWhole(first);
    await first.close();
    server.requests.length = 0;
    await using second = await open();
    assert.equal(await dimsOf(second), 384);
    assert.equal((await second.sync()).embedded, 0);
    await expectWhole(second);
    assert.deepEqual(sentNotes(), []);
  });

  test("costs a process that still expects the old dimensions a single request", async (t) => {
    const { open, exchangeModel, server, sentNotes } = await setUp(t);
    await using old = await open();
    await expectWhole(old);
    exchangeModel(384);
    await using other = await open();
    await other.search("quokka");
    await expectWhole(other);
    server.requests.length = 0;
    const { degraded, mode, results } = await old.search("quokka");
    assert.deepEqual([degraded, mode, results[0]?.path], [[], "hybrid", "memory/2.md"]);
    assert.deepEqual(sentNotes(), []);
    assert.equal(await dimsOf(old), 384);
  });

  test("that goes back still has the old vectors", async (t) => {
    const { open, exchangeModel, server, sentNotes } = await setUp(t);
    await using memory = await open();
    await expectWhole(memory);
    exchangeModel(384);
    await memory.search("quokka");
    await expectWhole(memory);
    exchangeModel(256);
    server.requests.length = 0;
    const { degraded, mode } = await memory.search("quokka");
    assert.deepEqual([degraded, mode, await dimsOf(memory)], [[], "hybrid", 256]);
    assert.deepEqual(sentNotes(), []);
  });

  test("once, by accident, changes nothing", async (t) => {
    const { open, server, vectorsOf, sentNotes } = await setUp(t);
    await using memory = await open();
    await expectWhole(memory);
    let isOdd = true;
    server.behave = ({ texts }, reply) => {
      reply.answer(isOdd ? texts.map(vectorsOf(384)) : undefined);
      isOdd = false;
    };
    server.requests.length = 0;
    const { degraded, results } = await memory.search("quokka");
    assert.equal(results[0]?.path, "memory/2.md");
    assert.match(degraded.join("\n"), /a vector of 384 numbers instead of 256/);
    assert.equal(await dimsOf(memory), 256);
    await expectWhole(memory);
    assert.deepEqual(sentNotes(), []);
  });

  test("lets the builtin model answer meanwhile, if it has vectors", async (t) => {
    const { open, fixture, exchangeModel, server } = await setUp(t);
    const builtin = await fixture.open({ config: withMemorySearch({ provider: "builtin" }) });
    await builtin.sync();
    await builtin.close();
    await using memory = await open();
    await expectWhole(memory);
    exchangeModel(384);
    const isQuestion = (texts: readonly string[]) => texts.every((text) => !text.endsWith("."));
    server.behave = ({ texts }, reply) =>
      isQuestion(texts) ? reply.answer() : reply.json(503, { error: { message: "loading" } });
    await memory.search("quokka");
    const { degraded, provider } = await memory.search("automobile");
    assert.equal(provider, "builtin");
    assert.match(
      degraded.join("\n"),
      /0 of 4 chunks have their vectors of openai; the builtin model answers/,
    );
  });
});
