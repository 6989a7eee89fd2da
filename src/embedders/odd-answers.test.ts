import assert from "node:assert/strict";
import { after, before, beforeEach, suite, test } from "node:test";
import { brotliCompressSync, deflateSync, zstdCompressSync } from "node:zlib";
import {
  type EmbeddingServer,
  openEmbeddingServer,
  type ServiceKind,
} from "../../test/support/embedding-server.ts";
import type { LonghandError } from "../errors.ts";
import { systemClock } from "../timing.ts";
import { type Embedder, isRefused } from "./embedder.ts";
import { createGeminiEmbedder } from "./gemini.ts";
import { createOpenAiEmbedder } from "./openai.ts";
import type { RetryClock } from "./remote/retrying.ts";
import { createVoyageEmbedder } from "./voyage.ts";

const key = "sk-canary-key-4715";
const create = { openai: createOpenAiEmbedder, gemini: createGeminiEmbedder, voyage: createVoyageEmbedder };
const kinds = Object.keys(create) as ServiceKind[];
const packers = {
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
  identity: (bytes: Buffer) => bytes,
} as const;
const impatient: RetryClock = { ...systemClock, sleep: async () => {} };

let server: EmbeddingServer;
before(async () => {
  server = await openEmbeddingServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
after(() => server[Symbol.asyncDispose]());

function open(kind: ServiceKind): Embedder {
  const apiKey = { reveal: () => key };
  return create[kind]({ baseUrl: server.baseUrl(kind), apiKey, clock: impatient });
}

suite("Vectors in base64", () => {
  const pack = (vector: readonly number[]): string =>
    Buffer.from(Float32Array.from(vector).buffer).toString("base64");

  test("equal those sent as numbers, from any service that sends base64", async () => {
    for (const kind of ["openai", "voyage"] as const) {
      server.behave = (_, reply) => reply.answer();
      const plain = await open(kind).embedDocuments(["one", "two words"]);
      server.behave = ({ texts }, { bodyOf, json }) => {
        const body = bodyOf() as { data: { index: number }[] };
        const data = body.data.map((item) => ({
          ...item,
          embedding: pack(server.vectorOf(texts[item.index]!)),
        }));
        json(200, { ...body, data: data.toReversed() });
      };
      const packed = await open(kind).embedDocuments(["one", "two words"]);
      for (const [index, vectors] of packed.entries()) {
        const [a, b] = [vectors, plain[index]!].map((text) => (isRefused(text) ? assert.fail() : text[0]!));
        for (const [at, value] of a!.entries()) assert.ok(Math.abs(value - b![at]!) < 1e-6);
      }
    }
  });

  test("that are invalid are refused", async () => {
    for (const embedding of ["", "abc", "!", {}, 7]) {
      server.behave = ({ texts }, { json }) =>
        json(200, { data: texts.map((_, index) => ({ index, embedding })) });
      await assert.rejects(open("openai").embedDocuments(["one"]), {
        code: embedding === "" || embedding === "!" ? "vectors-invalid" : "provider-answer-invalid",
      });
    }
  });

  test("are no longer requested if the service rejects the parameter, and one bad text does not end them", async () => {
    const isPacked = () => server.requests.map(({ body }) => "encoding_format" in body);
    server.behave = ({ body }, reply) =>
      "encoding_format" in body
        ? reply.json(422, { detail: [{ msg: "Extra inputs are not permitted" }] })
        : reply.answer();
    const strict = open("openai");
    await strict.embedDocuments(["one"]);
    await strict.embedQuery("two");
    assert.deepEqual(isPacked(), [true, false, false]);

    server.requests.length = 0;
    server.behave = ({ texts }, reply) =>
      texts.includes("bad") ? reply.json(400, { error: { message: "no" } }) : reply.answer();
    const choosy = open("openai");
    const [bad, good] = await choosy.embedDocuments(["bad", "good"]);
    assert.ok(isRefused(bad!) && !isRefused(good!));
    assert.deepEqual(isPacked(), [true, false, true, true, true]);
  });
});

suite("A response with status 200", () => {
  test("that contains an error is classified by it, and retried if that may help", async () => {
    for (const kind of kinds) {
      let count = 0;
      server.behave = (_, reply) =>
        ++count < 3
          ? reply.json(200, { error: { message: `busy, ${key}`, code: count === 1 ? 429 : "503" } })
          : reply.answer();
      await open(kind).embedDocuments(["text"]);
      assert.equal(count, 3);
      server.behave = (_, reply) => reply.json(200, { error: { message: `no credit, ${key}` } });
      await assert.rejects(open(kind).embedDocuments(["text"]), (error: LonghandError) => {
        assert.deepEqual(
          [error.code, /it is an error: no credit, \[secret\]/.test(error.message)],
          ["provider-answer-invalid", true],
        );
        return true;
      });
    }
  });

  test("is accepted with a byte order mark, another content type, compression, or an invalid count", async () => {
    for (const kind of kinds) {
      for (const [encoding, pack] of Object.entries(packers)) {
        server.behave = (_, { response, bodyOf }) => {
          const text = Buffer.from(
            `\ufeff${JSON.stringify({ ...bodyOf(), usage: { total_tokens: 1e300 } })}`,
          );
          response.writeHead(200, {
            "content-type": "text/html",
            "content-encoding": encoding,
          });
          response.end(pack(text));
        };
        const embedder = open(kind);
        await embedder.embedDocuments(["text"]);
        assert.equal(embedder.usage!().tokens, 2);
      }
    }
  });

  test("that cannot be decompressed, or is empty, is an error that says so", async () => {
    server.behave = (_, { response }) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end("no gzip");
    };
    await assert.rejects(open("openai").embedDocuments(["text"]), {
      code: "provider-answer-invalid",
      message: /could not be unpacked: Z_DATA_ERROR/,
    });
    server.behave = (_, { response }) => response.writeHead(204).end();
    await assert.rejects(open("openai").embedDocuments(["text"]), { message: /it is empty/ });
  });
});
