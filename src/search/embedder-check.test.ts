import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { hangLimitMs, until } from "../../test/support/hang-limit.ts";
import { document, openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { embedSingly, vectorOf } from "../stores/contract/fixture.ts";
import type { FullStore } from "../stores/store.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { createEmbedderChecks, readEmbedderCheck, understandingOf } from "./embedder-check.ts";
import { createKeywordEvidence } from "./understand-query.ts";

/** Each chunk has its own word, which its sentences contain. */
async function open(t: TestContext, count: number): Promise<FullStore> {
  const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  const texts = Array.from(
    { length: count },
    (_, n) =>
      `word${n} comes first here. Then more is said about word${n}. At the end word${n} is named again.`,
  );
  await store.put([document("a.md", texts.slice(0, 5)), document("b.md", texts.slice(5))], "cut-1");
  await embedSingly(store);
  return store;
}

/** Embeds the word of a sentence, or returns noise. */
function createEmbedder(understands: boolean) {
  const queries: string[] = [];
  const embedder: Embedder = {
    ...createConceptEmbedder(),
    id: "single",
    async embedQuery(text) {
      queries.push(text);
      return vectorOf(understands ? /word\d+/.exec(text)![0] : `noise ${text}`);
    },
  };
  return { embedder, queries };
}

const createChecks = (store: FullStore) =>
  createEmbedderChecks(store, createKeywordEvidence(store, createAnalyzer()));

test("An embedder that finds the chunk of a sentence is trusted, one that does not is not", async (t) => {
  const store = await open(t, 60);
  const good = await createChecks(store).get(createEmbedder(true).embedder, 60, hangLimitMs);
  assert.ok(good !== null && good.separation > 0.95 && good.sentences >= 12 && good.chunks === 60);
  assert.equal(understandingOf(good), 1);
  await store.writeFact("embedder-check:single", "");
  const poor = await createChecks(store).get(createEmbedder(false).embedder, 60, hangLimitMs);
  assert.ok(poor !== null && poor.separation > 0.3 && poor.separation < 0.7, `${poor?.separation}`);
  assert.ok(understandingOf(poor) < 0.5);
  assert.equal(understandingOf(null), 1, "unknown is no reason for doubt");
  assert.ok(Math.abs(understandingOf({ ...good, separation: 0.7 }) - 0.5) < 1e-9);
});

test("A check is stored in the index and repeated when the index has doubled or halved", async (t) => {
  const store = await open(t, 60);
  const first = createEmbedder(true);
  const checks = createChecks(store);
  const check = await checks.get(first.embedder, 60, hangLimitMs);
  assert.deepEqual(await readEmbedderCheck(store, "single"), check);
  const asked = first.queries.length;
  assert.ok(asked >= 12 && asked <= 32, `${asked}`);
  for (const same of [60, 120, 30])
    assert.deepEqual(await checks.get(first.embedder, same, hangLimitMs), check);
  assert.equal(first.queries.length, asked);
  await checks.get(first.embedder, 121, hangLimitMs);
  assert.equal(first.queries.length, 2 * asked);

  const later = createEmbedder(true);
  const kept = await createChecks(store).get(later.embedder, 121, hangLimitMs);
  assert.equal(kept?.chunks, 121);
  assert.deepEqual(later.queries, []);
  await createChecks(store).get(later.embedder, 60, hangLimitMs);
  assert.ok(later.queries.length > 0);
});

test("A check that takes longer than a search is continued by the next process", async (t) => {
  const store = await open(t, 60);
  const all = createEmbedder(true);
  const check = await createChecks(store).get(all.embedder, 60, hangLimitMs);
  await store.writeFact("embedder-check:single", "");

  const slow = createEmbedder(true);
  const answered = 10;
  let asked = 0;
  const hanging: Embedder = {
    ...slow.embedder,
    embedQuery: async (text) => {
      const nth = ++asked;
      return nth > answered ? await new Promise<never>(() => {}) : await slow.embedder.embedQuery(text);
    },
  };
  const checks = createChecks(store);
  void checks.get(hanging, 60, 0);
  await until(() => asked === answered + 4, "as many requests as are made at once");
  assert.equal(await checks.get(hanging, 60, 0), null);
  assert.equal(await readEmbedderCheck(store, "single"), null, "it is not finished");

  const next = createEmbedder(true);
  assert.deepEqual(await createChecks(store).get(next.embedder, 60, hangLimitMs), check);
  assert.equal(next.queries.length, all.queries.length - answered);
  assert.deepEqual(await readEmbedderCheck(store, "single"), check);
});

test("Too few chunks, an embedder that fails and a record of another version give no check", async (t) => {
  const store = await open(t, 60);
  const { embedder, queries } = createEmbedder(true);
  assert.equal(await createChecks(store).get(embedder, 19, hangLimitMs), null);
  assert.deepEqual(queries, []);
  const broken = { ...embedder, embedQuery: () => Promise.reject(new Error("no network")) };
  assert.equal(await createChecks(store).get(broken, 60, hangLimitMs), null);
  assert.equal(await readEmbedderCheck(store, "single"), null);
  for (const fact of ["no JSON", "{}", '{"sentences":1,"separation":1,"spread":1,"chunks":null}']) {
    await store.writeFact("embedder-check:single", fact);
    assert.equal(await readEmbedderCheck(store, "single"), null, fact);
  }
  const small = await open(t, 11);
  assert.equal(await createChecks(small).get(embedder, 20, hangLimitMs), null, "too few sentences");
});

test("A sentence that is more than half of its chunk is not used", async (t) => {
  const checkWith = async (length: number): Promise<unknown> => {
    const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
    t.after(() => store[Symbol.asyncDispose]());
    const texts = Array.from({ length: 40 }, (_, n) => {
      const sentence = (start: string, chars: number): string => `${`${start}${n} `.padEnd(chars - 1, "x")}.`;
      return `${sentence("opening", 30)} ${sentence("word", length)}`;
    });
    await store.put([document("a.md", texts)], "cut-1");
    await embedSingly(store);
    return createChecks(store).get(createEmbedder(true).embedder, 40, hangLimitMs);
  };
  assert.notEqual(await checkWith(31), null, "half of the chunk");
  assert.equal(await checkWith(32), null, "more than half");
});

test("A check tells how far similarity follows the words that sentence and chunk share", async (t) => {
  const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  // Every two chunks share a word; their sentences are otherwise different.
  const texts = Array.from({ length: 80 }, (_, n) => {
    const shared = `shared${n >> 1}`;
    return `alpha${n} beta${n} gamma${n} opens the note. Then ${shared} meets delta${n} there. At last epsilon${n} zeta${n} ends it.`;
  });
  await store.put([document("a.md", texts)], "cut-1");
  const vectorsOf = (follows: boolean, text: string): Float32Array => {
    const words = [...text.matchAll(/[a-z]+\d+/g)].map(([word]) => vectorOf(word));
    const sum = new Float32Array(words[0]!.length);
    for (const word of follows ? words : [vectorOf(text)])
      for (const [i, value] of word.entries()) sum[i]! += value;
    const length = Math.hypot(...sum);
    return sum.map((value) => value / length);
  };
  const correlationOf = async (follows: boolean): Promise<number> => {
    const id = follows ? "words" : "noise";
    const embedder: Embedder = {
      ...createConceptEmbedder(),
      id,
      dimensions: vectorOf("x").length,
      embedQuery: async (text) => vectorsOf(follows, text),
    };
    const missing = await store.missingVectors(id, 200);
    const entries = missing.map(({ hash, text }) => ({ hash, vectors: [vectorsOf(follows, text)] }));
    await store.putVectors(embedder, entries, { vectorsPerText: "one" });
    const check = await createChecks(store).get(embedder, 80, hangLimitMs);
    return check!.correlation;
  };
  const [words, noise] = [await correlationOf(true), await correlationOf(false)];
  assert.ok(words > noise + 0.2 && noise < 0.3, `${words}, ${noise}`);
});
