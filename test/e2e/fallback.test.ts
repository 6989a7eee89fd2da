import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { PartialConfig } from "../../src/config/options.ts";
import type { MemoryStatus } from "../../src/memory/status.ts";
import type { SearchAnswer } from "../../src/search/search.ts";
import { type Behave, type EmbeddingServer, openEmbeddingServer } from "../support/embedding-server.ts";
import { until } from "../support/hang-limit.ts";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { openCliFixture } from "../support/run-cli.ts";

type MemorySearch = Parameters<typeof withMemorySearch>[0];

const key = "sk-fallback-key-7310";
const notes = {
  "memory/car.md": "The car broke down on the way to Lyon.\n",
  "memory/ship.md": "We ship on Fridays only.\n",
  "memory/tea.md": "Ada drinks green tea.\n",
};

async function openServer(t: TestContext): Promise<EmbeddingServer> {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  return server;
}

async function setUp(t: TestContext) {
  const primary = await openServer(t);
  const second = await openServer(t);
  const fixture = makeMemoryFixture(t, notes);
  const clock = { now: new Date("2026-11-15T12:00:00Z") };
  const config = (memorySearch: MemorySearch = {}): PartialConfig =>
    withMemorySearch(
      {
        provider: "openai",
        model: "model-a",
        remote: { baseUrl: primary.baseUrl("openai"), apiKey: key },
        ...memorySearch,
      },
      { models: { providers: { google: { apiKey: key, baseUrl: second.baseUrl("gemini") } } } },
    );
  const open = (memorySearch?: MemorySearch) =>
    fixture.open({ config: config(memorySearch), now: () => clock.now });
  const pass = (ms: number): void => {
    clock.now = new Date(clock.now.getTime() + ms);
  };
  return { primary, second, fixture, open, pass, config };
}

/** Longer than the longest pause. */
const aWhile = 11 * 60_000;

const isQuestion = (texts: readonly string[]): boolean => texts.some((text) => text.includes("automobile"));

const faults: Record<string, { behave: Behave; reason: RegExp }> = {
  "a key that is not valid": {
    behave: (_, { json }) => json(401, { error: { message: "Incorrect API key" } }),
    reason: /HTTP 401/,
  },
  "a missing right": {
    behave: (_, { json }) => json(403, { error: { message: "not allowed" } }),
    reason: /HTTP 403/,
  },
  "a used-up quota": {
    behave: (_, { json }) => json(429, { error: { code: "insufficient_quota", message: "no money" } }),
    reason: /HTTP 429/,
  },
  "too many requests, after all attempts": {
    behave: (_, { json }) => json(429, { error: { message: "slow down" } }),
    reason: /HTTP 429/,
  },
  "a fault of the service, after all attempts": {
    behave: (_, { json }) => json(500, { error: { message: "oops" } }),
    reason: /HTTP 500/,
  },
  "a connection that is reset": {
    behave: (_, { response }) => void response.socket?.destroy(),
    reason: /could not be reached/,
  },
  "a web page instead of vectors": {
    behave: (_, { response }) => void response.end("<html>login</html>"),
    reason: /cannot be used|not JSON|web page/i,
  },
  "vectors of zeros": {
    behave: ({ texts }, reply) => reply.answer(texts.map(() => [0, 0, 0, 0, 0, 0, 0, 0])),
    reason: /zero|direction|cannot be used/,
  },
};

suite("When the provider fails, the builtin model answers", () => {
  for (const [name, { behave, reason }] of Object.entries(faults)) {
    test(`${name}: from the first index on`, async (t) => {
      const { primary, open } = await setUp(t);
      primary.behave = behave;
      const memory = await open();
      const report = await memory.sync();
      assert.match(report.degraded.join(), /^openai cannot be used: .*; builtin takes over$/);
      assert.match(report.degraded.join(), reason);
      const answer = await memory.search("automobile");
      assert.deepEqual([answer.provider, answer.mode], ["builtin", "hybrid"]);
      assert.equal(answer.results[0]?.path, "memory/car.md");
      const { from, to, since } = answer.fallback!;
      assert.deepEqual([from, to, since], ["openai", "builtin", "2026-11-15T12:00:00.000Z"]);
      assert.match(answer.fallback!.reason, reason);
      assert.match(answer.degraded.join(), reason);
      const status = await memory.status();
      assert.deepEqual([status.provider, status.requestedProvider], ["builtin", "openai"]);
      assert.deepEqual(status.fallback, answer.fallback);
      assert.deepEqual([status.embedding.missing, status.vector.dims], [0, 256]);
    });

    test(`${name}: for queries, after all notes were embedded`, async (t) => {
      const { primary, open } = await setUp(t);
      const memory = await open();
      await memory.sync();
      assert.equal((await memory.search("automobile")).provider, "openai");
      primary.behave = behave;
      const answer = await memory.search("automobile");
      assert.deepEqual([answer.provider, answer.mode], ["builtin", "hybrid"]);
      assert.equal(answer.results[0]?.path, "memory/car.md");
      assert.match(answer.degraded.join(), reason);
      assert.equal(answer.degraded.length, 1);
      // Until the pause is over, the provider gets no requests.
      const before = primary.requests.length;
      assert.equal((await memory.search("automobile")).provider, "builtin");
      assert.equal(primary.requests.length, before);
    });
  }

  test("a server that has stopped", async (t) => {
    const { primary, open } = await setUp(t);
    const memory = await open();
    await memory.sync();
    await primary[Symbol.asyncDispose]();
    const answer = await memory.search("automobile");
    assert.equal(answer.provider, "builtin");
    assert.match(answer.fallback!.reason, /ECONNREFUSED/);
  });

  test("one that never answers a query", async (t) => {
    const { primary, open, pass } = await setUp(t);
    const memory = await open({ query: { vectorWaitMs: 300 } });
    await memory.sync();
    primary.behave = ({ texts }, reply) => (isQuestion(texts) ? undefined : reply.answer());
    const ask = async () => await memory.search("automobile");
    await until(async () => (await ask()).provider === "builtin", "the builtin model answers");
    assert.match((await ask()).fallback!.reason, /within 300 ms/);
    // Notes are embedded by the provider, which accepts those requests.
    await memory.add("A quokka moved in.");
    await memory.sync();
    assert.ok(primary.requests.some(({ texts }) => texts.some((text) => text.includes("quokka"))));
    primary.behave = (_, reply) => reply.answer();
    pass(aWhile);
    assert.equal((await ask()).provider, "openai");
  });

  test("with auto, an invalid key is no worse than none", async (t) => {
    const { primary, fixture } = await setUp(t);
    primary.behave = faults["a key that is not valid"]!.behave;
    const openai = { apiKey: key, baseUrl: primary.baseUrl("openai") };
    const config = withMemorySearch({ provider: "auto" }, { models: { providers: { openai } } });
    const memory = await fixture.open({ config });
    const answer = await memory.search("automobile");
    assert.deepEqual([answer.provider, answer.results[0]?.path], ["builtin", "memory/car.md"]);
    assert.equal(answer.fallback?.from, "openai");
  });

  test("no other service is asked, although its key is set", async (t) => {
    const { primary, second, open } = await setUp(t);
    primary.behave = faults["a key that is not valid"]!.behave;
    const memory = await open();
    await memory.sync();
    await memory.search("automobile");
    assert.deepEqual(second.requests, []);
  });
});

suite("When the provider is back", () => {
  test("it answers after a pause, and gets only texts that it has not seen", async (t) => {
    const { primary, fixture, open, pass } = await setUp(t);
    const memory = await open();
    await memory.sync();
    primary.behave = faults["a fault of the service, after all attempts"]!.behave;
    assert.equal((await memory.search("automobile")).provider, "builtin");
    fixture.write("memory/new.md", "The bicycle has a flat tyre.\n");
    const meanwhile = await memory.search("bike");
    assert.deepEqual([meanwhile.provider, meanwhile.results[0]?.path], ["builtin", "memory/new.md"]);

    primary.behave = (_, reply) => reply.answer();
    primary.requests.length = 0;
    assert.equal((await memory.search("automobile")).provider, "builtin");
    assert.deepEqual(primary.requests, []);
    pass(aWhile);
    await until(async () => {
      const { provider, degraded } = await memory.search("automobile");
      return provider === "openai" && degraded.length === 0;
    }, "the provider answers again");
    const sent = primary.requests.flatMap(({ texts }) => texts).filter((text) => !isQuestion([text]));
    assert.deepEqual(sent, ["The bicycle has a flat tyre."]);
    const status = await memory.status();
    assert.deepEqual([status.provider, status.fallback, status.embedding.missing], ["openai", undefined, 0]);
  });

  test("an explicit index does not wait for the end of the pause", async (t) => {
    const { primary, open } = await setUp(t);
    primary.behave = faults["a fault of the service, after all attempts"]!.behave;
    const memory = await open();
    await memory.sync();
    primary.behave = (_, reply) => reply.answer();
    assert.deepEqual((await memory.sync()).degraded, []);
    const { provider, degraded } = await memory.search("automobile");
    assert.deepEqual([provider, degraded], ["openai", []]);
  });

  test("index sends it one word if no note needs a vector", async (t) => {
    for (const name of ["a fault of the service, after all attempts", "a missing right"]) {
      const { primary, open } = await setUp(t);
      const memory = await open();
      await memory.sync();
      primary.behave = faults[name]!.behave;
      assert.equal((await memory.search("automobile")).provider, "builtin");
      await memory.close();
      const later = await open();
      assert.match((await later.sync()).degraded.join(), /openai cannot be used/, name);
      primary.behave = (_, reply) => reply.answer();
      primary.requests.length = 0;
      assert.deepEqual((await later.sync()).degraded, [], name);
      assert.deepEqual(
        primary.requests.map(({ texts }) => texts),
        [["memory"]],
        name,
      );
      assert.equal((await later.status()).fallback, undefined, name);
      await later.close();
    }
  });

  test("pauses double up to ten minutes", async (t) => {
    const { primary, open, pass } = await setUp(t);
    const memory = await open();
    await memory.sync();
    primary.behave = faults["a missing right"]!.behave;
    const pauses: number[] = [];
    for (let failures = 0; failures < 9; failures++) {
      const { fallback } = await memory.search("automobile");
      const { retryAt } = fallback!;
      const status = await memory.status();
      assert.equal(status.fallback?.retryAt, retryAt);
      const pauseMs =
        Date.parse(retryAt!) - Date.parse("2026-11-15T12:00:00Z") - pauses.reduce((a, b) => a + b, 0);
      pauses.push(pauseMs);
      pass(pauseMs);
    }
    assert.deepEqual(
      pauses.map((ms) => ms / 1000),
      [10, 20, 40, 80, 160, 320, 600, 600, 600],
    );
  });
});

suite("The fallback of the configuration", () => {
  test("takes over queries and notes with vectors of its own", async (t) => {
    const { primary, second, open } = await setUp(t);
    const memory = await open({ fallback: "gemini" });
    await memory.sync();
    assert.equal(second.requests.length, 0);
    primary.behave = faults["a key that is not valid"]!.behave;
    const first = await memory.search("automobile");
    assert.match(
      first.provider,
      /^(builtin|gemini)$/,
      "the builtin model, until the fallback has all vectors",
    );
    await until(async () => (await memory.search("automobile")).provider === "gemini", "gemini answers");
    const documents = second.requests.filter(({ purpose }) => purpose === "document");
    assert.deepEqual(
      documents.flatMap(({ texts }) => texts).sort(),
      Object.values(notes)
        .map((text) => text.trim())
        .sort(),
    );
    await memory.add("A quokka moved in.");
    await memory.sync();
    assert.ok(second.requests.some(({ texts }) => texts.some((text) => text.includes("quokka"))));
    const status = await memory.status();
    assert.deepEqual([status.provider, status.fallback?.to], ["gemini", "gemini"]);
    primary.behave = (_, reply) => reply.answer();
    await memory.sync();
    assert.equal((await memory.search("automobile")).provider, "openai");
  });

  test("that fails as well leaves the builtin model", async (t) => {
    const { primary, second, open } = await setUp(t);
    primary.behave = faults["a key that is not valid"]!.behave;
    second.behave = faults["a missing right"]!.behave;
    const memory = await open({ fallback: "gemini" });
    await memory.sync();
    const answer = await memory.search("automobile");
    assert.deepEqual([answer.provider, answer.fallback?.to], ["builtin", "builtin"]);
    assert.match(answer.fallback!.reason, /HTTP 401/);
  });

  test("is not used because of one slow query", async (t) => {
    const { primary, second, open } = await setUp(t);
    const memory = await open({ fallback: "gemini", query: { vectorWaitMs: 300 } });
    await memory.sync();
    primary.behave = ({ texts }, reply) => (isQuestion(texts) ? undefined : reply.answer());
    assert.equal((await memory.search("automobile")).provider, "builtin");
    await memory.sync();
    assert.deepEqual(second.requests, []);
  });

  test("its vectors are only compared with its own", async (t) => {
    const { primary, second, open, pass } = await setUp(t);
    const memory = await open({ fallback: "gemini" });
    // Both return vectors of eight dimensions; comparing them with each other would find the wrong note.
    second.vectorOf = (text) => primary.vectorOf(text).toReversed();
    await memory.sync();
    const byPrimary = await memory.search("shipping friday");
    const [openaiScore] = byPrimary.results.map(({ vectorScore }) => vectorScore);
    primary.behave = faults["a key that is not valid"]!.behave;
    await until(async () => (await memory.search("shipping friday")).provider === "gemini", "gemini answers");
    const bySecond = await memory.search("shipping friday");
    assert.equal(bySecond.results[0]?.path, byPrimary.results[0]?.path);
    assert.ok(Math.abs((bySecond.results[0]?.vectorScore ?? 0) - (openaiScore ?? 1)) < 1e-6);
    primary.behave = (_, reply) => reply.answer();
    pass(aWhile);
    const again = await memory.search("shipping friday");
    assert.deepEqual([again.provider, again.results[0]?.vectorScore], ["openai", openaiScore]);
  });
});

suite("Several processes", () => {
  test("do not each wait for a service that is down", async (t) => {
    const { primary, open, pass } = await setUp(t);
    const memory = await open();
    await memory.sync();
    primary.behave = faults["a fault of the service, after all attempts"]!.behave;
    await memory.search("automobile");
    primary.requests.length = 0;
    const other = await open();
    const answer = await other.search("automobile");
    assert.deepEqual([answer.provider, answer.fallback?.from], ["builtin", "openai"]);
    assert.deepEqual(primary.requests, []);
    // And learn from each other when it is back.
    primary.behave = (_, reply) => reply.answer();
    pass(aWhile);
    assert.equal((await memory.search("automobile")).provider, "openai");
    assert.equal((await other.search("automobile")).provider, "openai");
    assert.equal((await other.status()).fallback, undefined);
  });

  test("with another key try for themselves", async (t) => {
    const { primary, open, config, fixture } = await setUp(t);
    primary.behave = ({ headers }, reply) =>
      headers.authorization === `Bearer ${key}`
        ? reply.json(401, { error: { message: "bad key" } })
        : reply.answer();
    const dead = await open();
    await dead.sync();
    assert.equal((await dead.search("automobile")).provider, "builtin");
    const good = config({ remote: { baseUrl: primary.baseUrl("openai"), apiKey: "sk-good-key-1234" } });
    const other = await fixture.open({ config: good });
    await other.sync();
    assert.equal((await other.search("automobile")).provider, "openai");
  });

  test("search, index, status and doctor agree on the command line", async (t) => {
    const server = await openServer(t);
    const fixture = openCliFixture(t);
    const remote = { baseUrl: server.baseUrl("openai"), apiKey: key };
    const memorySearch = { provider: "openai", remote, query: { minScore: 0 } };
    fixture.write("../state/longhand.json5", JSON.stringify({ agents: { defaults: { memorySearch } } }));
    for (const [path, text] of Object.entries(notes)) fixture.write(path, text);
    server.behave = faults["a key that is not valid"]!.behave;
    const index = await fixture.run("index");
    assert.equal(index.code, 0);
    assert.match(index.stderr, /openai cannot be used: .*HTTP 401.*; builtin takes over/);
    const { value } = await fixture.json("search", "automobile");
    const answer = value as SearchAnswer;
    assert.deepEqual(
      [answer.provider, answer.fallback?.to, answer.results[0]?.path],
      ["builtin", "builtin", "memory/car.md"],
    );
    const status = (await fixture.json("status")).value as MemoryStatus;
    assert.deepEqual(
      [status.provider, status.fallback?.from, status.fallback?.to],
      ["builtin", "openai", "builtin"],
    );
    assert.equal(status.fallback?.since, answer.fallback?.since);
    const shown = await fixture.run("status");
    assert.match(shown.stdout, /fallback +builtin instead of openai since .*HTTP 401/);
    const { checks } = (await fixture.json("doctor")).value as {
      checks: { name: string; ok: boolean; detail: string }[];
    };
    const check = checks.find(({ name }) => name === "embedder");
    assert.equal(check?.ok, false);
    assert.match(check.detail, /openai .*HTTP 401/);
    assert.ok(!`${index.stderr}${shown.stdout}${JSON.stringify([value, status, checks])}`.includes(key));

    server.behave = (_, reply) => reply.answer();
    await fixture.run("index");
    const after = (await fixture.json("status")).value as MemoryStatus;
    assert.deepEqual([after.provider, after.fallback], ["openai", undefined]);
  });
});
