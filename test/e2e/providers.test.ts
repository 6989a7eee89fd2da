import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { PartialConfig } from "../../src/config/options.ts";
import { type EmbeddingServer, openEmbeddingServer } from "../support/embedding-server.ts";
import { type MemoryFixture, makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";

const canaries = ["sk-canary-remote-4721", "canary-header-4722", "canary-query-4723"] as const;
const [key, header, query] = canaries;

const notes = {
  "MEMORY.md": "# Memory\n\nThe deployment goes out on Friday.\n",
  "memory/zoo.md": "# Zoo\n\nA quokka moved in.\n",
  "memory/office.md": "# Office\n\nThe printer is on the second floor.\n",
};

type MemorySearch = Parameters<typeof withMemorySearch>[0];

async function setUp(t: TestContext) {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const fixture = makeMemoryFixture(t, notes);
  const remote = {
    baseUrl: `${server.baseUrl("openai")}?token=${query}`,
    apiKey: key,
    headers: { "x-canary": header },
  };
  const configFor = (memorySearch: MemorySearch = {}): PartialConfig =>
    withMemorySearch({ provider: "openai", remote, ...memorySearch });
  return { server, fixture, configFor };
}

function silence(server: EmbeddingServer): void {
  server.behave = () => {};
}

/** The bytes of everything that was written below the state folder. */
function assertNoCanary(fixture: Pick<MemoryFixture, "stateDir">, ...outputs: unknown[]): void {
  const texts = outputs.map((output) => (typeof output === "string" ? output : JSON.stringify(output)));
  for (const name of readdirSync(fixture.stateDir, {
    recursive: true,
    encoding: "utf8",
    withFileTypes: true,
  })) {
    if (name.isFile()) {
      texts.push(readFileSync(path.join(name.parentPath, name.name)).toString("latin1"));
    }
  }
  for (const canary of canaries)
    assert.ok(
      texts.every((text) => !text.includes(canary)),
      canary,
    );
}

suite("A memory with an embedding service", () => {
  test("finds by semantic search, embeds each text once, and not again when it was moved or copied", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    const memory = await fixture.open({ config: configFor() });
    const report = await memory.sync();
    assert.deepEqual([report.embedded, report.degraded], [3, []]);
    assert.equal(server.requests.length, 1);
    const answer = await memory.search("quokka");
    assert.deepEqual([answer.mode, answer.provider, answer.degraded], ["hybrid", "openai", []]);
    assert.equal(answer.model, "text-embedding-3-small");
    const status = await memory.status();
    assert.deepEqual([status.embedding.requests, status.embedding.tokens, status.dirty], [1, 30, false]);

    server.requests.length = 0;
    assert.equal((await memory.sync()).embedded, 0);
    renameSync(fixture.at("memory/zoo.md"), fixture.at("memory/animals.md"));
    fixture.write("memory/copy.md", notes["memory/office.md"]);
    assert.equal((await memory.sync({ force: true })).embedded, 0);
    await memory.close();
    const again = await fixture.open({ config: configFor() });
    assert.equal((await again.sync()).embedded, 0);
    assert.deepEqual(server.requests, []);
  });

  test("continues where a killed or failed run stopped, without paying twice", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    for (let i = 0; i < 40; i++)
      fixture.write(`memory/${i}.md`, `# N${i}\n\n${`number ${i} `.repeat(150)}\n`);
    const memory = await fixture.open({
      config: configFor({ remote: { ...configOf(configFor()), concurrency: 1 } }),
    });
    let count = 0;
    server.behave = (_, reply) =>
      ++count === 2 ? reply.json(401, { error: { message: "no" } }) : reply.answer();
    const first = await memory.sync();
    assert.match(first.degraded.join(), /HTTP 401/);
    const paid = new Set(server.requests[0]!.texts);
    assert.ok(paid.size > 0 && paid.size < 43);
    server.requests.length = 0;
    const second = await memory.sync();
    assert.equal(paid.size + second.embedded, 43);
    assert.ok(server.requests.flatMap(({ texts }) => texts).every((text) => !paid.has(text)));
  });

  test("the builtin model answers, and the answer says why, when the service hangs", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    silence(server);
    const memory = await fixture.open({ config: configFor({ query: { vectorWaitMs: 400 } }) });
    // The very first search builds the index, the second finds it built.
    for (let round = 0; round < 2; round++) {
      const began = performance.now();
      const answer = await memory.search("printer");
      const tookMs = performance.now() - began;
      assert.equal(answer.results[0]?.path, "memory/office.md");
      assert.deepEqual([answer.mode, answer.provider, answer.stale], ["hybrid", "builtin", false]);
      assert.match(answer.degraded.join(), /openai gave no vector for the question within 400 ms/);
      t.diagnostic(`${tookMs.toFixed(0)} ms`);
      // The service never answers, so any answer shows that the search did not wait for it. How long it takes is a
      // benchmark.
    }
    const { indexed } = await memory.add("The stapler is in the drawer.");
    assert.ok(indexed, "a note is indexed by its words without waiting for the service");
  });

  test("the builtin model answers, and the answer says why, when the service is down", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    await server[Symbol.asyncDispose]();
    const memory = await fixture.open({ config: configFor() });
    const answer = await memory.search("printer");
    assert.equal(answer.results[0]?.path, "memory/office.md");
    assert.match(answer.degraded.join(), /ECONNREFUSED|within 1500 ms/);
    const report = await memory.sync();
    assert.match(report.degraded.join(), /openai cannot be used: openai .* ECONNREFUSED/);
    const status = await memory.status();
    assert.match(status.fallback?.reason ?? "", /ECONNREFUSED/);
    assert.deepEqual([status.provider, status.dirty], ["builtin", false]);
    assertNoCanary(fixture, answer, report, status);
  });

  test("sends no secret from a note, not even its own key", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    fixture.write(
      "memory/keys.md",
      `# Keys\n\nOurs is ${header}.\nAWS: AKIAIOSFODNN7EXAMPLE\npassword = "hunter2hunter2"\n`,
    );
    const memory = await fixture.open({ config: configFor() });
    await memory.sync();
    await memory.search(`whose is ${header}?`);
    const sent = JSON.stringify(server.requests.map(({ body }) => body));
    assert.match(sent, /Ours is \[redacted/);
    for (const secret of [header, "AKIAIOSFODNN7EXAMPLE", "hunter2hunter2"])
      assert.ok(!sent.includes(secret), secret);
  });

  test("skips a text that the service refuses, and says so", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    server.behave = ({ texts }, { json, answer }) =>
      texts.some((text) => text.includes("quokka"))
        ? json(400, { error: { message: `I do not like it, ${key}` } })
        : answer();
    const memory = await fixture.open({ config: configFor() });
    const report = await memory.sync();
    assert.equal(report.embedded, 2);
    assert.match(report.degraded.join(), /one text was refused .*I do not like it/);
    server.requests.length = 0;
    assert.equal((await memory.sync()).embedded, 0);
    assert.deepEqual(server.requests, []);
    const status = await memory.status();
    assert.equal(status.embedding.refused.length, 1);
    assert.equal((await memory.search("quokka")).results[0]?.path, "memory/zoo.md");
    await memory.close();
    assertNoCanary(fixture, report, status);
  });
});

suite("The choice of a provider", () => {
  test("is auto: by key, otherwise the builtin model, and status suggests improvements", async (t) => {
    const { server, fixture } = await setUp(t);
    const open = (models: PartialConfig["models"]) =>
      fixture.open({ config: withMemorySearch({ provider: "auto" }, { models: models! }) });
    const google = { apiKey: key, baseUrl: server.baseUrl("gemini") };
    const voyage = { apiKey: key, baseUrl: server.baseUrl("voyage") };
    const openai = { apiKey: key, baseUrl: server.baseUrl("openai") };
    for (const [providers, expected] of [
      [{}, "builtin"],
      [{ voyage }, "voyage"],
      [{ google, voyage }, "gemini"],
      [{ openai, google, voyage }, "openai"],
    ] as const) {
      const memory = await open({ providers });
      const { provider, embedding, fallback } = await memory.status();
      assert.equal(provider, expected);
      assert.match(embedding.why, /auto/);
      assert.equal(fallback, undefined);
      if (expected === "builtin")
        assert.match(embedding.better ?? "", /openai needs a key \(OPENAI_API_KEY\)/);
      await memory.close();
    }
  });

  test("falls back to another embedder, which answers alone, and reports why", async (t) => {
    const { fixture } = await setUp(t);
    const memory = await fixture.open({
      config: withMemorySearch({ provider: "voyage", fallback: "builtin" }),
    });
    const answer = await memory.search("quokka");
    assert.deepEqual([answer.provider, answer.fallback?.from], ["builtin", "voyage"]);
    assert.match(answer.degraded.join(), /voyage needs a key.*VOYAGE_API_KEY/);
    const status = await memory.status();
    assert.deepEqual([status.provider, status.requestedProvider], ["builtin", "voyage"]);
    assert.match(status.embedding.why, /fallback of voyage/);
  });

  test("never sends the model, key or headers of one provider to another", async (t) => {
    const { server, fixture } = await setUp(t);
    const google = { apiKey: "sk-google-4725", baseUrl: server.baseUrl("gemini") };
    // A header cannot contain an arrow, so voyage cannot be created.
    const remote = { apiKey: key, headers: { "x-bad": "→" } };
    const memorySearch: MemorySearch = { provider: "voyage", model: "special", fallback: "gemini", remote };
    const memory = await fixture.open({
      config: withMemorySearch(memorySearch, { models: { providers: { google } } }),
    });
    await memory.sync();
    const [request] = server.requests;
    assert.equal(request?.kind, "gemini");
    assert.equal(request.headers["x-goog-api-key"], "sk-google-4725");
    assert.equal(request.headers["x-bad"], undefined);
    assert.match(request.path, /gemini-embedding-001/);
  });
});

function configOf(config: PartialConfig) {
  return config.agents!.defaults!.memorySearch!.remote!;
}
