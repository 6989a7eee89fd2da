import assert from "node:assert/strict";
import { after, before, beforeEach, suite, test } from "node:test";
import { inspect } from "node:util";
import {
  type EmbeddingServer,
  openEmbeddingServer,
  type ServiceKind,
} from "../../test/support/embedding-server.ts";
import { hangLimitMs } from "../../test/support/hang-limit.ts";
import { lastingFaults } from "../../test/support/service-faults.ts";
import { LonghandError } from "../errors.ts";
import { systemClock } from "../timing.ts";
import { embedderContract } from "./embedder.contract.ts";
import { type Embedder, isRefused } from "./embedder.ts";
import { createGeminiEmbedder } from "./gemini.ts";
import { createOpenAiEmbedder } from "./openai.ts";
import type { RemoteEmbedderOptions } from "./remote/remote-embedder.ts";
import type { RetryClock } from "./remote/retrying.ts";
import type { ServiceOptions } from "./remote/service.ts";
import { createVoyageEmbedder } from "./voyage.ts";

const canaries = { key: "sk-canary-key-4711", header: "canary-header-4712", query: "canary-query-4713" };
const hide = (text: string) => ({ reveal: () => text });

const create = {
  openai: createOpenAiEmbedder,
  gemini: createGeminiEmbedder,
  voyage: createVoyageEmbedder,
} as const;
const kinds = Object.keys(create) as ServiceKind[];

let server: EmbeddingServer;
before(async () => {
  server = await openEmbeddingServer();
});
beforeEach(() => {
  server.requests.length = 0;
  server.maxConcurrent = 0;
  server.behave = (_, reply) => reply.answer();
});
after(() => server[Symbol.asyncDispose]());

/** Pauses are recorded instead of waited for. */
function makeClock(): RetryClock & { readonly pauses: number[] } {
  const pauses: number[] = [];
  let skippedMs = 0;
  return {
    pauses,
    now: () => systemClock.now() + skippedMs,
    random: () => 0.5,
    async sleep(ms) {
      pauses.push(Math.round(ms));
      skippedMs += ms;
    },
  };
}

function open(kind: ServiceKind, options: ServiceOptions & RemoteEmbedderOptions = {}): Embedder {
  return create[kind]({
    baseUrl: `${server.baseUrl(kind)}?token=${canaries.query}`,
    apiKey: hide(canaries.key),
    headers: { "x-canary": hide(canaries.header) },
    clock: makeClock(),
    ...options,
  });
}

function assertNoCanary(thing: unknown): void {
  const shown = inspect(thing, { depth: 10, showHidden: true }) + JSON.stringify(thing);
  for (const canary of Object.values(canaries)) assert.ok(!shown.includes(canary), shown);
}

for (const kind of kinds) {
  embedderContract(`${kind} over HTTP`, {
    open: async () => {
      server.behave = (_, reply) => reply.answer();
      return open(kind);
    },
  });

  suite(`${kind} as documented`, () => {
    test("sends key, headers and the query string of the address, and says whether a text is a query or a document", async () => {
      const embedder = open(kind, { outputDimensionality: 8 });
      await embedder.embedDocuments(["one", "two"]);
      await embedder.embedQuery("three");
      const [documents, query] = server.requests;
      assert.deepEqual(documents!.texts, ["one", "two"]);
      assert.deepEqual(query!.texts, ["three"]);
      assert.ok(documents!.path.endsWith(`?token=${canaries.query}`));
      assert.equal(documents!.headers["x-canary"], canaries.header);
      const { authorization, "x-goog-api-key": google } = documents!.headers;
      if (kind === "gemini") {
        assert.equal(google, canaries.key);
        assert.match(documents!.path, /^\/gemini\/v1\/models\/gemini-embedding-001:batchEmbedContents\?/);
        assert.match(query!.path, /:embedContent\?/);
        assert.deepEqual(query!.body, {
          model: "models/gemini-embedding-001",
          content: { parts: [{ text: "three" }] },
          taskType: "RETRIEVAL_QUERY",
          outputDimensionality: 8,
        });
      } else {
        assert.equal(authorization, `Bearer ${canaries.key}`);
        assert.match(documents!.path, new RegExp(`^/${kind}/v1/embeddings\\?`));
        const [model, more] =
          kind === "openai"
            ? ["text-embedding-3-small", { dimensions: 8, encoding_format: "base64" }]
            : ["voyage-4-large", { input_type: "document", output_dimension: 8 }];
        assert.deepEqual(documents!.body, { model, input: ["one", "two"], ...more });
      }
      if (kind !== "openai") assert.deepEqual([documents!.purpose, query!.purpose], ["document", "query"]);
    });

    test("counts requests and tokens", async () => {
      const embedder = open(kind);
      await embedder.embedDocuments(["one", "two"]);
      const { requests, tokens, costUsd } = embedder.usage!();
      assert.deepEqual([requests, costUsd], [1, null]);
      assert.equal(tokens, kind === "gemini" ? 2 : 20);
    });

    test("has another identity for another model, address, header or number of dimensions, but not for another key", () => {
      const one = open(kind);
      const others = [
        open(kind, { model: "other" }),
        open(kind, { baseUrl: `${server.origin}/else` }),
        open(kind, { outputDimensionality: 4 }),
        open(kind, { headers: {} }),
      ];
      assert.equal(new Set([one, ...others].map(({ id }) => id)).size, 5);
      assert.equal(new Set([one, ...others].map(({ providerKey }) => providerKey)).size, 5);
      const same = open(kind, {
        apiKey: hide("another"),
        headers: { "X-Canary": hide("another") },
        baseUrl: `${server.baseUrl(kind)}/?token=another`,
      });
      assert.deepEqual([same.id, same.providerKey], [one.id, one.providerKey]);
      assert.match(one.providerKey!, /^[0-9a-f]{64}$/);
    });

    test("needs a key for its own address, and none for another", () => {
      assert.throws(() => create[kind]({}), {
        code: "key-missing",
        message: new RegExp(kind),
        hint: /_API_KEY/,
      });
      assert.equal(create[kind]({ baseUrl: server.baseUrl(kind) }).dimensions, null);
      const { dimensions } = create[kind]({ apiKey: hide("k") });
      assert.equal(dimensions, { openai: 1536, gemini: 3072, voyage: 1024 }[kind]);
    });

    test("refuses a key that is not valid in a header, without showing it", () => {
      for (const options of [
        { apiKey: hide(`${canaries.key}\nx`) },
        { headers: { "x-canary": hide(`${canaries.header}\u0000`) } },
      ]) {
        try {
          open(kind, options);
          assert.fail("it was made");
        } catch (error) {
          assert.equal((error as LonghandError).code, "config-invalid");
          assertNoCanary(error);
        }
      }
    });
  });

  suite(`${kind} with a faulty service`, () => {
    for (const [what, fault] of Object.entries(lastingFaults)) {
      test(`ends with a clear error for ${what}`, async () => {
        server.behave = fault.behave;
        const hangs = /no complete answer/.test(fault.message.source);
        const deadlineMs = hangs
          ? { query: 150, document: 150 }
          : { query: hangLimitMs, document: hangLimitMs };
        const embedder = open(kind, { deadlineMs });
        const error = await embedder.embedDocuments(["one text"]).then(
          () => assert.fail("it was answered"),
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof LonghandError, String(error));
        // A refusal may be due to base64, so one request without it follows.
        const more = kind === "openai" && what === "a request that is never right" ? 1 : 0;
        const requests = fault.requests + more;
        assert.deepEqual([error.code, server.requests.length], [fault.code, requests], error.message);
        assert.match(error.message, fault.message);
        assert.ok(error.message.includes(kind) && error.hint !== "");
        assertNoCanary([error, error.stack, error.cause, embedder]);
        await embedder[Symbol.asyncDispose]();
      });
    }

    test("never shows a key that the service echoes, in any encoding", async () => {
      const odd = 'k"e/y+Zürich-4714';
      server.behave = (_, { json }) =>
        json(401, {
          error: {
            message: `No: ${odd} ${encodeURIComponent(odd)} ${canaries.header} ${canaries.query} ${"x".repeat(500)}`,
          },
        });
      const embedder = open(kind, {
        headers: { "x-canary": hide(canaries.header), "x-odd": hide(encodeURIComponent(odd)) },
        apiKey: hide("sk-other-key-4715"),
      });
      const error = await embedder.embedQuery("text").catch((reason: LonghandError) => reason);
      assert.ok(error instanceof LonghandError);
      assertNoCanary(error);
      assert.ok(!error.message.includes(encodeURIComponent(odd)));
      assert.ok(error.message.length < 400);
      assert.ok(!error.message.includes("?"), "an address is shown without its query");
    });

    test("stops a request when the caller cancels, and when it is closed", async () => {
      for (const end of ["abort", "close"] as const) {
        const { promise: asked, resolve } = Promise.withResolvers<void>();
        server.behave = (_, { response }) => {
          response.on("close", closed.resolve);
          resolve();
        };
        const closed = Promise.withResolvers<void>();
        const controller = new AbortController();
        const embedder = open(kind);
        const embedding = embedder.embedDocuments(["text"], { signal: controller.signal });
        const rejected = assert.rejects(embedding, { code: "aborted" });
        await asked;
        if (end === "abort") controller.abort();
        else await embedder[Symbol.asyncDispose]();
        await rejected;
        await closed.promise;
      }
    });
  });

  suite(`${kind} with a service that recovers`, () => {
    const failTwice = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      let count = 0;
      server.behave = (_, reply) => (count++ < 2 ? reply.json(status, body, headers) : reply.answer());
    };

    for (const status of [408, 409, 425, 429, 500, 502, 503, 529]) {
      test(`retries after ${status}, with growing pauses`, async () => {
        failTwice(status, { error: { message: "busy" } });
        const clock = makeClock();
        const [vectors] = await open(kind, { clock }).embedDocuments(["text"]);
        assert.ok(vectors && !isRefused(vectors) && vectors.length === 1);
        assert.deepEqual([server.requests.length, clock.pauses], [3, [250, 500]]);
      });
    }

    test("waits as long as the service asks, in seconds, as a date, or in Google's format", async () => {
      const told: [Record<string, string>, unknown, number][] = [
        [{ "retry-after": "7" }, {}, 7000],
        [{ "retry-after": new Date(Date.now() + 30_000).toUTCString() }, {}, 29_000],
        [
          {},
          {
            error: {
              details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }],
            },
          },
          34_500,
        ],
      ];
      for (const [headers, body, waitMs] of told) {
        server.behave = (_, reply) => reply.answer();
        failTwice(429, body, headers);
        const clock = makeClock();
        await open(kind, { clock }).embedDocuments(["text"]);
        assert.equal(clock.pauses.length, 2);
        for (const pause of clock.pauses) assert.ok(Math.abs(pause - waitMs) <= 1500, `${pause}`);
      }
    });

    test("accepts vectors in another order by their index", async () => {
      if (kind === "gemini") return;
      server.behave = ({ texts }, { bodyOf, json }) => {
        const body = bodyOf(texts.map(server.vectorOf)) as { data: unknown[] };
        json(200, { ...body, data: body.data.toReversed() });
      };
      const embedder = open(kind);
      const mixed = await embedder.embedDocuments(["aaaa", "bbbb", "cccc"]);
      server.behave = (_, reply) => reply.answer();
      assert.deepEqual(await embedder.embedDocuments(["aaaa", "bbbb", "cccc"]), mixed);
    });

    test("refuses too few vectors, or vectors of another length than requested", async () => {
      const embedder = open(kind, { outputDimensionality: 8 });
      await embedder.embedDocuments(["text"]);
      server.behave = ({ texts }, reply) => reply.answer(texts.map(() => [1, 2, 3]));
      await assert.rejects(embedder.embedDocuments(["more"]), {
        code: "vectors-invalid",
        message: /3 numbers instead of 8/,
      });
      const unasked = open(kind);
      server.behave = (_, reply) => reply.answer();
      await unasked.embedDocuments(["text"]);
      server.behave = ({ texts }, reply) => reply.answer(texts.map(() => [1, 2, 3]));
      await unasked.embedDocuments(["more"]);
      assert.equal(unasked.dimensions, 3, "if no length was requested, the latest response decides");
      server.behave = ({ texts }, reply) => reply.answer(texts.slice(1).map(server.vectorOf));
      await assert.rejects(embedder.embedDocuments(["a", "b", "c"]), { code: "vectors-invalid" });
    });
  });
}

test("A model may be named with its provider, unless another service needs the full name", () => {
  const named = (kind: ServiceKind, model: string, baseUrl?: string) =>
    create[kind]({ model, apiKey: hide("k"), concurrency: 1, ...(baseUrl && { baseUrl }) }).model;
  assert.equal(named("gemini", "models/gemini-embedding-001"), "gemini-embedding-001");
  assert.equal(named("gemini", "google/gemini-embedding-001"), "gemini-embedding-001");
  assert.equal(named("gemini", "gemini/gemini-embedding-001"), "gemini-embedding-001");
  assert.equal(named("voyage", "voyage/voyage-4"), "voyage-4");
  assert.equal(named("openai", "openai/text-embedding-3-small"), "text-embedding-3-small");
  const elsewhere = named("openai", "openai/text-embedding-3-small", "https://openrouter.ai/api/v1");
  assert.equal(elsewhere, "openai/text-embedding-3-small");
});

test("A key is not sent unencrypted to another machine, unless that is configured", () => {
  const apiKey = { reveal: () => "sk-secret", toString: () => "[secret]" };
  const open = (baseUrl: string, more = {}) =>
    createOpenAiEmbedder({ baseUrl, apiKey, concurrency: 1, ...more });
  const refused = {
    code: "config-invalid",
    message: /not sent to http:\/\/gpu\.lan/,
    hint: /allowPlainHttp/,
  };
  assert.throws(() => open("http://gpu.lan:8000/v1"), refused);
  assert.throws(
    () => open("http://gpu.lan/v1", { apiKey: undefined, headers: { "x-key": apiKey } }),
    refused,
  );
  for (const address of [
    "https://gpu.lan/v1",
    "http://localhost:1/v1",
    "http://127.0.0.1:1/v1",
    "http://[::1]:1/v1",
  ])
    assert.equal(open(address).provider, "openai");
  assert.equal(open("http://gpu.lan/v1", { allowPlainHttp: true }).provider, "openai");
  assert.equal(open("http://gpu.lan/v1", { apiKey: undefined }).provider, "openai");
});

test("the user's own prompts replace those of the model, and are part of the identity", async () => {
  const model = "nomic-embed-text";
  const sent = async (prompts: { query?: string; document?: string }) => {
    server.requests.length = 0;
    await using embedder = open("openai", { model, prompts });
    await embedder.embedDocuments(["note"]);
    await embedder.embedQuery("question");
    return { id: embedder.id, texts: server.requests.flatMap(({ texts }) => texts) };
  };
  const usual = await sent({});
  const one = await sent({ query: "Find: " });
  const none = await sent({ query: "", document: "" });
  assert.deepEqual(usual.texts, ["search_document: note", "search_query: question"]);
  assert.deepEqual(one.texts, ["search_document: note", "Find: question"]);
  assert.deepEqual(none.texts, ["note", "question"]);
  assert.equal(new Set([usual.id, one.id, none.id]).size, 3);
  const same = await sent({ query: "search_query: ", document: "search_document: " });
  assert.equal(same.id, usual.id, "writing out the default prompts does not embed anything again");
  for (const kind of ["gemini", "voyage"] as const) {
    assert.equal(open(kind, { prompts: { query: "x" } }).id, open(kind).id, "these have no prompts");
  }
});

test("a local model behind a service gets the prompts that it was trained with", async () => {
  const documents = ["The gate code is 4711.", "Bread is on Tuesday."];
  const asked: Readonly<Record<string, readonly [document: string, query: string]>> = {
    "nomic-embed-text:v1.5": ["search_document: ", "search_query: "],
    "intfloat/multilingual-e5-small": ["passage: ", "query: "],
    "text-embedding-3-small": ["", ""],
    "an-unknown-model": ["", ""],
  };
  const ids = new Set<string>();
  for (const [model, [document, query]] of Object.entries(asked)) {
    server.requests.length = 0;
    await using embedder = open("openai", { model });
    await embedder.embedDocuments(documents);
    await embedder.embedQuery("gate code?");
    assert.deepEqual(
      server.requests.map(({ texts }) => texts),
      [documents.map((text) => document + text), [`${query}gate code?`]],
    );
    ids.add(embedder.id);
  }
  assert.equal(ids.size, 4);
});
