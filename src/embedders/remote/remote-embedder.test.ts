import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { LonghandError } from "../../errors.ts";
import { systemClock } from "../../timing.ts";
import { type EmbeddedText, isRefused } from "../embedder.ts";
import { createRemoteEmbedder, endOfRequest, type RemoteEmbedderOptions } from "./remote-embedder.ts";
import type { RetryClock } from "./retrying.ts";
import type { EmbeddingService, ServiceAnswer, ServiceFailure, ServiceLimits } from "./service.ts";

type Respond = (
  texts: readonly string[],
) => ServiceAnswer | ServiceFailure | Promise<ServiceAnswer | ServiceFailure>;

const answer = (texts: readonly string[]): ServiceAnswer => ({
  vectors: texts.map((text) => [text.length, 1]),
  tokens: texts.length,
});
const fail = (kind: ServiceFailure["kind"], message: string, retryAfterMs?: number): ServiceFailure => ({
  kind,
  ...(kind === "limit" && message.includes("batch") && { limit: "items" }),
  ...(kind === "limit" && message.includes("tokens") && { limit: "tokens" }),
  error: new LonghandError("provider-refused", message, { hint: "None." }),
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

function setUp(respond: Respond, options: RemoteEmbedderOptions & Partial<ServiceLimits> = {}) {
  const { items = 100, inputTokens = 1000, ...layers } = options;
  const requests: (readonly string[])[] = [];
  const state = { underWay: 0, maxConcurrent: 0 };
  const service: EmbeddingService = {
    provider: "test",
    model: "model",
    providerKey: "0".repeat(64),
    dimensions: 2,
    limits: { items, inputTokens },
    usdPerMillionTokens: 2,
    async send(texts) {
      requests.push(texts);
      state.maxConcurrent = Math.max(state.maxConcurrent, ++state.underWay);
      // Yields, as a network request does.
      await new Promise(setImmediate);
      const answered = await respond(texts);
      state.underWay--;
      return answered;
    },
  };
  return { embedder: createRemoteEmbedder(service, layers), requests, state };
}

const numbered = (count: number, words = 1): string[] =>
  Array.from({ length: count }, (_, index) => `text${index} `.repeat(words).trim());

const isDone = (text: EmbeddedText): boolean => !isRefused(text) && text.length === 1;

suite("Requests", () => {
  test("contain as many texts as the limits allow, several requests at once", async () => {
    const { embedder, requests, state } = setUp(answer, { items: 10, concurrency: 3 });
    const texts = numbered(95);
    const embedded = await embedder.embedDocuments(texts);
    assert.ok(embedded.length === 95 && embedded.every(isDone));
    assert.equal(requests.length, 10);
    assert.equal(state.maxConcurrent, 3);
    assert.deepEqual(requests.flat().sort(), texts.toSorted());
    assert.deepEqual(embedder.usage!(), { requests: 10, tokens: 95, costUsd: (95 / 1e6) * 2 });
  });

  test("contain about 8,000 estimated tokens", async () => {
    const { embedder, requests } = setUp(answer);
    await embedder.embedDocuments(Array.from({ length: 20 }, () => "x".repeat(3000)));
    assert.deepEqual(
      requests.map((texts) => texts.length),
      [8, 8, 4],
    );
  });

  test("contain no blank text, and only the beginning of one that is too long", async () => {
    const { embedder, requests } = setUp(answer, { inputTokens: 10 });
    const embedded = await embedder.embedDocuments(["", "y".repeat(100), "  \n"]);
    assert.deepEqual(requests, [["y".repeat(30)]]);
    assert.deepEqual([embedded[0], embedded[2]], [[], []]);
  });

  test("contain no lone surrogate, and nothing that must be masked", async () => {
    const { embedder, requests } = setUp(answer, {
      redact: (text) => text.replaceAll("hunter2", "[masked]"),
    });
    await embedder.embedDocuments(["My password is hunter2 \ud83d"]);
    await embedder.embedQuery("hunter2?");
    assert.deepEqual(requests.flat(), ["My password is [masked] \ufffd", "[masked]?"]);
  });
});

suite("A service with smaller limits than assumed", () => {
  test("for the number of texts gets half as many, from then on", async () => {
    const respond: Respond = (texts) =>
      texts.length > 3 ? fail("limit", "batch size must be at most 3") : answer(texts);
    const { embedder, requests } = setUp(respond, { concurrency: 1 });
    assert.ok((await embedder.embedDocuments(numbered(12))).every(isDone));
    requests.length = 0;
    assert.ok((await embedder.embedDocuments(numbered(12))).every(isDone));
    assert.deepEqual(
      requests.map((texts) => texts.length),
      [3, 3, 3, 3],
    );
  });

  test("for tokens gets half as many, from then on", async () => {
    const respond: Respond = (texts) =>
      texts.join("").length > 4000 ? fail("limit", "maximum of 1000 tokens exceeded") : answer(texts);
    const { embedder, requests } = setUp(respond, { concurrency: 1 });
    const texts = Array.from({ length: 12 }, () => "z".repeat(900));
    assert.ok((await embedder.embedDocuments(texts)).every(isDone));
    requests.length = 0;
    assert.ok((await embedder.embedDocuments(texts)).every(isDone));
    assert.ok(requests.every((some) => some.join("").length <= 4000));
  });

  test("for a single text gets its beginning, and others are still sent together", async () => {
    const respond: Respond = (texts) =>
      texts.some((text) => text.length > 500) ? fail("limit", "too many tokens in an input") : answer(texts);
    const { embedder, requests } = setUp(respond, { concurrency: 1 });
    const texts = ["short", "w".repeat(1500), ...numbered(6)];
    assert.ok((await embedder.embedDocuments(texts)).every(isDone));
    requests.length = 0;
    assert.ok((await embedder.embedDocuments(texts)).every(isDone));
    assert.equal(requests.length, 1);
    assert.equal(requests[0]![1]!.length, 375);
  });

  test("for every text is an error, and does not retry forever", async () => {
    const { embedder, requests } = setUp(() => fail("limit", "too large"), { concurrency: 1 });
    await assert.rejects(embedder.embedDocuments(numbered(4)), { message: "too large" });
    assert.ok(requests.length < 10);
  });
});

suite("A text that the service refuses", () => {
  const respond: Respond = (texts) =>
    texts.some((text) => text.includes("text13")) ? fail("input", "bad characters") : answer(texts);

  test("is found by bisection, and the others get their vectors", async () => {
    const { embedder, requests } = setUp(respond, { items: 16, concurrency: 2 });
    const told = new Map<number, EmbeddedText>();
    const embedded = await embedder.embedDocuments(numbered(40), {
      onEmbedded: (index, text) => told.set(index, text),
    });
    assert.deepEqual(embedded[13], { refused: "bad characters" });
    assert.equal(embedded.filter(isDone).length, 39);
    assert.equal(told.size, 40);
    assert.ok(requests.length <= 13, `${requests.length}`);
  });

  test("is not blamed if a harmless word is refused, too", async () => {
    const { embedder, requests } = setUp(() => fail("input", "wrong parameter"), {
      items: 16,
      concurrency: 1,
    });
    await assert.rejects(embedder.embedDocuments(numbered(40)), { message: "wrong parameter" });
    assert.equal(requests.length, 2);
  });

  test("is also found if only its vector is zero", async () => {
    const { embedder } = setUp((texts) => ({
      vectors: texts.map((text) => (text.includes("text3") ? [0, 0] : [1, 1])),
      tokens: null,
    }));
    const embedded = await embedder.embedDocuments(numbered(6));
    assert.deepEqual(embedded.map(isDone), [true, true, true, false, true, true]);
  });

  test("is an error if it is a query", async () => {
    const { embedder } = setUp(respond);
    await assert.rejects(embedder.embedQuery("text13?"), {
      code: "provider-refused",
      message: "bad characters",
    });
  });
});

suite("Failures", () => {
  test("end the call, but responses that still arrive are used and reported", async () => {
    const slow = Promise.withResolvers<void>();
    const respond: Respond = async (texts) => {
      if (texts.includes("text1")) return fail("final", "the key is wrong");
      await slow.promise;
      return answer(texts);
    };
    const { embedder, requests } = setUp(respond, { items: 1, concurrency: 3 });
    const told: number[] = [];
    const embedding = embedder.embedDocuments(numbered(9), { onEmbedded: (index) => told.push(index) });
    setImmediate(() => setImmediate(() => slow.resolve()));
    await assert.rejects(embedding, { message: "the key is wrong" });
    assert.deepEqual(told.toSorted(), [0, 2]);
    assert.equal(requests.length, 3);
  });

  test("that name a delay make all requests wait for it", async () => {
    let isBusy = true;
    const pauses: number[] = [];
    let nowMs = 0;
    const clock: RetryClock = {
      ...systemClock,
      now: () => nowMs,
      async sleep(ms) {
        pauses.push(ms);
        await new Promise(setImmediate);
        nowMs = Math.max(nowMs, 5000);
        isBusy = false;
      },
    };
    const respond: Respond = (texts) => (isBusy ? fail("again", "busy", 5000) : answer(texts));
    const { embedder, requests } = setUp(respond, { items: 1, concurrency: 4, clock });
    assert.ok((await embedder.embedDocuments(numbered(12))).every(isDone));
    assert.deepEqual([...new Set(pauses)], [5000]);
    assert.equal(requests.length, 16);
  });

  test("are returned after the last of three attempts", async () => {
    const clock: RetryClock = { ...systemClock, sleep: async () => {} };
    const { embedder, requests } = setUp(() => fail("again", "busy"), { clock });
    await assert.rejects(embedder.embedQuery("text"), { message: "busy" });
    assert.equal(requests.length, 3);
  });
});

test("Requests contain all texts in order, within the limits, and are as full as possible", () => {
  const counts = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 });
  const limits = fc.record({
    items: fc.integer({ min: 1, max: 9 }),
    tokens: fc.integer({ min: 1, max: 80 }),
  });
  const check = fc.property(counts, limits, (tokens, { items, tokens: most }) => {
    const sum = (from: number, to: number) =>
      tokens.slice(from, to).reduce((total, count) => total + count, 0);
    let start = 0;
    while (start < tokens.length) {
      const end = endOfRequest(
        { start, count: tokens.length, tokensOf: (at) => tokens[at]! },
        { items, tokens: most },
      );
      assert.ok(end > start && end <= tokens.length);
      assert.ok(end - start <= items);
      if (end - start > 1) assert.ok(sum(start, end) <= most);
      if (end < tokens.length) assert.ok(end - start === items || sum(start, end + 1) > most);
      start = end;
    }
  });
  fc.assert(check, { seed: 5, numRuns: 500 });
});
