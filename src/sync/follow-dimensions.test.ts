import assert from "node:assert/strict";
import { test } from "node:test";
import type { Embedder } from "../embedders/embedder.ts";
import { followDimensions, pinIdentity } from "./follow-dimensions.ts";

/** The part of an index that is used here: the dimensions of its sets by id, and its facts. */
function createIndex(sets: Record<string, number> = {}) {
  const facts = new Map<string, string>();
  return {
    sets,
    facts,
    store: {
      readFact: async (key: string) => facts.get(key) ?? null,
      writeFact: async (key: string, value: string) => void facts.set(key, value),
      vectorSets: async () => Object.keys(sets).map((id) => ({ id, provider: "test", missing: 0 })),
      vectorStatistics: async (id: string) => ({
        ...{
          path: "builtin" as const,
          texts: 0,
          missing: 0,
          missingTokens: 0,
          sizeBytes: 0,
          cacheEntries: 0,
        },
        ...(sets[id] !== undefined && { dims: sets[id] }),
        usage: { requests: 0, tokens: 0, texts: 0, costUsd: 0 },
      }),
    },
  };
}

/** A service whose vectors have the given lengths, answer by answer; the last length repeats. */
function createService(...lengths: number[]): Embedder {
  const next = (): Float32Array =>
    new Float32Array(lengths.length > 1 ? lengths.shift()! : lengths[0]!).fill(1);
  return {
    specificationVersion: 1,
    ...{ id: "service", provider: "test", model: "m", providerKey: "key", maxBatch: 8 },
    dimensions: null,
    vectorsPerText: "one",
    embedDocuments: async (texts) => texts.map(() => [next()]),
    embedQuery: async () => next(),
    async [Symbol.asyncDispose]() {},
  };
}

const invalid = { code: "vectors-invalid" };

test("A service keeps its id while its vectors keep their length", async () => {
  const { store, facts, sets } = createIndex();
  const followed = await followDimensions(createService(4), store);
  await followed.embedQuery("a");
  assert.equal(facts.size, 0, "a query alone decides nothing");
  await followed.embedDocuments(["a", "b"]);
  sets["service"] = 4;
  assert.deepEqual([followed.id, followed.dimensions, followed.providerKey], ["service", 4, "key"]);
  assert.equal(facts.size, 1);
  const again = await followDimensions(createService(4), store);
  assert.equal(again.dimensions, 4);
});

test("A query on an index with vectors reveals their length, without reading the index again", async () => {
  const { store, facts, sets } = createIndex({ service: 4 });
  const followed = await followDimensions(createService(4), store);
  assert.equal(followed.dimensions, null);
  await followed.embedQuery("a");
  assert.equal(followed.dimensions, 4);
  assert.deepEqual(Object.fromEntries(facts), {
    "embedder_dimensions:service": JSON.stringify({ dims: 4, isInId: false }),
  });
  sets["service"] = 5;
  await followed.embedQuery("b");
  assert.equal(followed.dimensions, 4);
});

test("Vectors of another length are refused, and get an id of their own that other processes know", async () => {
  const { store } = createIndex({ service: 4 });
  const followed = await followDimensions(createService(6), store);
  const pinned = pinIdentity(followed);
  await assert.rejects(pinned.embedDocuments(["a"]), {
    ...invalid,
    message: /now have 6 numbers instead of 4/,
  });
  assert.deepEqual([followed.id, followed.dimensions], ["service:6", 6]);
  assert.notEqual(followed.providerKey, "key");
  assert.equal(pinned.id, "service");
  await assert.rejects(pinned.embedDocuments(["a"]), invalid, "it no longer embeds under the old id");
  assert.equal((await followed.embedDocuments(["a"])).length, 1);
  const other = await followDimensions(createService(6), store);
  assert.equal(other.id, "service:6");

  const back = await followDimensions(createService(4), store);
  await back.embedQuery("a");
  assert.equal(back.id, "service", "the old vectors can be used again");
});

test("A query without a vector says nothing about the length", async () => {
  const { store, facts } = createIndex({ service: 4 });
  const followed = await followDimensions({ ...createService(4), embedQuery: async () => null }, store);
  assert.equal(await followed.embedQuery("…"), null);
  assert.deepEqual([followed.id, followed.dimensions, facts.size], ["service", null, 0]);
});

test("One odd answer changes nothing", async () => {
  const { store, facts } = createIndex({ service: 4 });
  const followed = await followDimensions(createService(6, 4), store);
  await assert.rejects(followed.embedQuery("a"), { ...invalid, message: /other lengths when asked again/ });
  assert.equal(followed.id, "service");
  assert.equal(facts.size, 0);
});

test("Two answers of a new length cost one probe of the service", async () => {
  const { store } = createIndex({ service: 4 });
  const late = Promise.withResolvers<void>();
  let probes = 0;
  const service: Embedder = {
    ...createService(6),
    async embedDocuments(texts) {
      if (texts[0] === "late") await late.promise;
      return texts.map(() => [new Float32Array(6).fill(1)]);
    },
    async embedQuery() {
      probes++;
      return new Float32Array(6).fill(1);
    },
  };
  const followed = await followDimensions(service, store);
  const second = followed.embedDocuments(["late"]);
  await assert.rejects(followed.embedDocuments(["a"]), invalid);
  late.resolve();
  await assert.rejects(second, invalid);
  assert.equal(probes, 1);
});

test("A length that was adopted meanwhile is not probed again", async () => {
  const { store } = createIndex({ service: 4 });
  let probes = 0;
  const service: Embedder = {
    ...createService(6),
    async embedQuery() {
      probes++;
      return new Float32Array(6).fill(1);
    },
  };
  const followed = await followDimensions(service, store);
  await Promise.allSettled([followed.embedDocuments(["a"]), followed.embedDocuments(["b"])]);
  const asked = probes;
  await followed.embedDocuments(["c"]);
  await followed.embedQuery("c");
  assert.equal(probes, asked + 1, "the query itself");
});

test("Without a fact the sets of the index tell the id", async () => {
  const idIn = async (sets: Record<string, number>) =>
    (await followDimensions(createService(6), createIndex(sets).store)).id;
  assert.equal(await idIn({ "service:5": 5, "service:6": 6, other: 7 }), "service:6");
  assert.equal(await idIn({ service: 4, "service:6": 6 }), "service");
  assert.equal(await idIn({ "other:6": 6 }), "service");
});

test("An embedder without a key gets another id, and no key", async () => {
  const { providerKey: _, ...plain } = createService(6);
  const { store } = createIndex({ service: 4 });
  const followed = await followDimensions(plain, store);
  await assert.rejects(followed.embedDocuments(["a"]), invalid);
  assert.deepEqual([followed.id, followed.providerKey], ["service:6", undefined]);
});

test("The length is written once, and again only when it changes", async () => {
  const { store, sets } = createIndex();
  const written: string[] = [];
  const counting = {
    ...store,
    writeFact: async (key: string, value: string) => {
      written.push(value);
      await store.writeFact(key, value);
    },
  };
  const followed = await followDimensions(createService(4, 4, 4, 4, 4, 6), counting);
  await followed.embedDocuments(["a"]);
  sets["service"] = 4;
  await followed.embedDocuments(["b"]);
  await followed.embedQuery("c");
  await followed.embedDocuments(["d", "e"]);
  assert.deepEqual(written, ['{"dims":4,"isInId":false}']);
  await assert.rejects(followed.embedDocuments(["f"]), { ...invalid, message: /6 numbers instead of 4/ });
  assert.deepEqual(written.slice(1), ['{"dims":6,"isInId":true}']);
  assert.deepEqual([followed.id, followed.dimensions], ["service:6", 6]);
});

test("A changed length is followed even if the index is read-only", async () => {
  const { store } = createIndex();
  const writeFact = () => Promise.reject(new Error("read-only"));
  const followed = await followDimensions(createService(4), { ...store, writeFact });
  await followed.embedDocuments(["a"]);
  assert.equal(followed.dimensions, 4);
});
