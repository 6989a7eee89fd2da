import assert from "node:assert/strict";
import { once } from "node:events";
import { suite, type TestContext, test } from "node:test";
import type { MemoryStatus } from "../../src/memory/status.ts";
import type { EmbeddingProbe, VectorProbe } from "../../src/upkeep/probes.ts";
import { type EmbeddingServer, openEmbeddingServer } from "../support/embedding-server.ts";
import { until } from "../support/hang-limit.ts";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { openCliFixture } from "../support/run-cli.ts";

const key = "sk-trouble-key-6101";

async function openServer(t: TestContext): Promise<EmbeddingServer> {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  return server;
}

async function setUp(t: TestContext, memorySearch: object = {}) {
  const server = await openServer(t);
  const fixture = openCliFixture(t);
  const remote = { baseUrl: server.baseUrl("openai"), apiKey: key };
  const config = { agents: { defaults: { memorySearch: { provider: "openai", remote, ...memorySearch } } } };
  fixture.write("../state/longhand.json5", JSON.stringify(config));
  fixture.write("MEMORY.md", "# Memory\n\nWe ship on Friday.\n");
  return { server, fixture };
}

type DeepStatus = MemoryStatus & { readonly probes: { embedding: EmbeddingProbe; vector: VectorProbe } };

suite("A service in trouble, from the command line", () => {
  test("Before anything is sent, index reports how much it will be", async (t) => {
    const { server, fixture } = await setUp(t);
    const { stderr, code } = await fixture.run("index");
    assert.equal(code, 0);
    assert.match(stderr, /^Sending 1 text \(about \d+ tokens\) to openai text-embedding-3-small\.$/m);
    assert.equal(server.requests.length, 1);
    assert.equal((await fixture.run("index")).stderr, "");
  });

  test("What an index could not do is reported by other processes, until it is done", async (t) => {
    const { server, fixture } = await setUp(t);
    server.behave = (_, { json }) => json(401, { error: { message: `Incorrect key ${key}` } });
    const { stdout } = await fixture.run("index", "--json");
    const reason = /openai .*\(HTTP 401\): Incorrect key \[secret\]/;
    assert.match(JSON.parse(stdout).degraded.join(), reason);
    const { value } = await fixture.json("status");
    const { fallback, provider } = value as MemoryStatus;
    assert.deepEqual([provider, fallback?.from], ["builtin", "openai"]);
    assert.match(fallback?.reason ?? "", reason);
    const { checks } = (await fixture.json("doctor")).value as { checks: { name: string; ok: boolean }[] };
    assert.equal(checks.find(({ name }) => name === "embedder")?.ok, false);

    server.behave = (_, reply) => reply.answer();
    await fixture.run("index");
    const after = (await fixture.json("status")).value as MemoryStatus;
    assert.deepEqual([after.provider, after.fallback, after.embedding.problems], ["openai", undefined, []]);
    assert.deepEqual([after.dirty, after.embedding.missingTokens], [false, 0]);
  });

  test("status --deep reports the fault and what to do, and shows no key", async (t) => {
    const { server, fixture } = await setUp(t, { outputDimensionality: 8 });
    const probe = async () => {
      const { value } = await fixture.json("status", "--deep");
      return (value as DeepStatus).probes;
    };
    await fixture.run("index");
    const well = await probe();
    assert.deepEqual([well.embedding.ok, well.embedding.dims, well.vector.ok], [true, 8, true]);
    server.behave = (_, { json }) => json(401, { error: { message: `Incorrect key ${key}` } });
    const refused = await probe();
    assert.match(refused.embedding.error ?? "", /HTTP 401\): Incorrect key \[secret\]/);
    assert.match(refused.embedding.hint ?? "", /Check the key/);
    assert.equal(refused.vector.ok, false);
    server.behave = ({ texts }, reply) => reply.answer(texts.map(() => [1, 2, 3]));
    assert.match((await probe()).embedding.error ?? "", /3 numbers instead of 8/);
    await server[Symbol.asyncDispose]();
    const { stdout } = await fixture.run("status", "--deep");
    assert.match(stdout, /embed +failed: openai .* could not be reached: ECONNREFUSED/);
    assert.match(stdout, /Check the network and remote\.baseUrl/);
    assert.match(stdout, /search +not tried/);
  });

  test("Killed while it embeds, it continues and pays again only for requests that were in progress", async (t) => {
    const { server, fixture } = await setUp(t);
    for (let note = 0; note < 60; note++) {
      const lines = Array.from(
        { length: 30 },
        (_, line) => `Line ${line} of note ${note}, thing ${line * note}.`,
      );
      fixture.write(`memory/${note}.md`, `# Note ${note}\n\n${lines.join("\n")}\n`);
    }
    const answered: string[] = [];
    const underWay = new Set<string>();
    const stuck = Promise.withResolvers<void>();
    server.behave = ({ texts }, reply) => {
      if (answered.length > 0) {
        for (const text of texts) underWay.add(text);
        stuck.resolve();
        return;
      }
      answered.push(...texts);
      reply.answer();
    };
    const child = fixture.start({}, "index");
    await stuck.promise;
    // Received vectors are indexed soon, although the rest never arrives.
    for (;;) {
      const { value } = await fixture.json("status");
      if ((value as MemoryStatus).embedding.texts === answered.length) break;
    }
    child.kill("SIGKILL");
    await once(child, "close");
    server.behave = (_, reply) => reply.answer();
    server.requests.length = 0;
    const { value } = await fixture.json("index");
    const again = server.requests.flatMap(({ texts }) => texts);
    assert.equal((value as { embedded: number }).embedded, again.length);
    assert.ok(again.every((text) => !answered.includes(text)));
    assert.equal(new Set([...answered, ...again]).size, 61);
    const { embedding } = (await fixture.json("status")).value as MemoryStatus;
    assert.deepEqual([embedding.tokens, embedding.missing], [610, 0]);
  });
});

suite("A service in trouble, in a program", () => {
  test("a probe times out, and reports that", async (t) => {
    const server = await openServer(t);
    server.behave = () => {};
    const fixture = makeMemoryFixture(t);
    const remote = { baseUrl: server.baseUrl("openai") };
    const memory = await fixture.open({ config: withMemorySearch({ provider: "openai", remote }) });
    const { ok, error } = await memory.probeEmbeddingAvailability({ timeoutMs: 100 });
    assert.deepEqual([ok, error], [false, "it gave no vector within 0.1 seconds"]);
    const vector = await memory.probeVectorAvailability({ timeoutMs: 100 });
    assert.deepEqual([vector.ok, vector.error], [false, "it gave no vector within 0.1 seconds"]);
    const signal = AbortSignal.timeout(50);
    await assert.rejects(memory.probeEmbeddingAvailability({ signal }), { code: "aborted" });
  });

  test("one that comes back is used by a sync after a pause, without an edit in between", async (t) => {
    const server = await openServer(t);
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "We ship on Friday.\n" });
    const remote = { baseUrl: server.baseUrl("openai") };
    server.behave = (_, { json }) => json(529, { error: { message: "overloaded" } });
    const clock = { now: new Date() };
    const config = withMemorySearch({ provider: "openai", remote });
    const memory = await fixture.open({ config, now: () => clock.now });
    assert.match((await memory.sync()).degraded.join(), /HTTP 529/);
    server.behave = (_, reply) => reply.answer();
    clock.now = new Date(clock.now.getTime() + 60_000);
    await memory.search("friday");
    // Success is recorded after the vectors are.
    await until(async () => (await memory.search("friday")).degraded.length === 0, "the service answers");
    assert.equal((await memory.search("friday")).provider, "openai");
    assert.equal((await memory.status()).embedding.missing, 0);
  });

  test("a watcher reports once that texts cannot be embedded, and again when the failure returns", async (t) => {
    const server = await openServer(t);
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "We ship on Friday.\n" });
    const remote = { baseUrl: server.baseUrl("openai") };
    const refuse: EmbeddingServer["behave"] = (_, { json }) => json(401, { error: { message: "no" } });
    server.behave = refuse;
    const memory = await fixture.open({ config: withMemorySearch({ provider: "openai", remote }) });
    const warnings: string[] = [];
    await memory.watch({ onEvent: (event) => event.kind === "warning" && warnings.push(event.message) });
    await until(() => warnings.length === 1, "a first warning");
    await memory.sync();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /openai cannot be used: openai .*HTTP 401.*; builtin takes over/);
    server.behave = (_, reply) => reply.answer();
    await memory.sync();
    server.behave = refuse;
    await memory.add("We rest on Sunday.");
    await until(() => warnings.length === 2, "a second warning");
  });
});
