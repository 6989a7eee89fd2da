import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { createChunker } from "../text/chunk.ts";
import { syncOnce, syncWords } from "./sync.ts";

const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.md`, `Note word${at % 90}`]));

/** A vector for each text, from its length and last character. */
function createEmbedder(options: Partial<Embedder> = {}): Embedder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    specificationVersion: 1,
    id: "made",
    provider: "test",
    model: "made",
    dimensions: 2,
    maxBatch: 8,
    vectorsPerText: "one",
    async embedDocuments(texts) {
      asked.push(...texts);
      return texts.map((text) => [Float32Array.of(text.length, text.charCodeAt(text.length - 1))]);
    },
    embedQuery: async () => Float32Array.of(1, 0),
    async [Symbol.asyncDispose]() {},
    ...options,
    asked,
  };
}

async function setUp(t: TestContext) {
  const source = createTextSource(numbered(100));
  const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  const chunker = createChunker({ tokens: 400, overlap: 80 });
  return { source, parts: { sources: [source], store, chunker, now: () => new Date(0) } };
}

suite("the first half of a first sync", () => {
  test("gives each text its vector, once, and leaves nothing to the second half", async (t) => {
    const { parts } = await setUp(t);
    const embedder = createEmbedder();
    const words = await syncWords({ ...parts, embedder });
    assert.equal(words.embedded, 90);
    assert.deepEqual(await parts.store.missingVectors("made", 1), []);
    const report = await syncOnce({ ...parts, embedder });
    assert.deepEqual([report.embedded, report.cached, report.degraded], [0, 0, []]);
    assert.equal(embedder.asked.length, 90);
  });

  test("counts what both halves embedded", async (t) => {
    const { parts } = await setUp(t);
    const report = await syncOnce({ ...parts, embedder: createEmbedder() });
    assert.deepEqual([report.chunks, report.embedded, report.cached], [100, 90, 10]);
  });

  test("leaves it to the second half where an embedder is paid, slow, or has several vectors per text", async (t) => {
    const { parts } = await setUp(t);
    const usage = () => ({ requests: 0, tokens: 0, costUsd: 0 });
    for (const options of [{ usage }, { isSlow: true }, { vectorsPerText: "several" as const }]) {
      const embedder = createEmbedder(options);
      const report = await syncWords({ ...parts, embedder }, { force: true });
      assert.deepEqual([report.chunks, report.embedded, embedder.asked.length], [100, 0, 0]);
    }
  });

  test("leaves it to the second half where vectors could be reused", async (t) => {
    const { parts, source } = await setUp(t);
    await syncOnce({ ...parts, embedder: createEmbedder() });
    for (const [path, text] of [...source.texts]) {
      source.texts.delete(path);
      source.texts.set(`moved/${path}`, text);
    }
    const embedder = createEmbedder();
    const report = await syncOnce({ ...parts, embedder });
    assert.deepEqual([report.added, report.embedded, report.cached], [100, 0, 100]);
    assert.deepEqual(embedder.asked, []);
  });

  test("indexes all words although the embedder never answers, and stops it", async (t) => {
    const { parts, source } = await setUp(t);
    const stopped = Promise.withResolvers<void>();
    const embedder = createEmbedder({
      embedDocuments: (_, { signal } = {}) => {
        signal!.addEventListener("abort", () => stopped.resolve());
        return new Promise(() => {});
      },
    });
    const report = await syncWords({ ...parts, embedder });
    await stopped.promise;
    assert.deepEqual([report.chunks, report.embedded, report.failed], [100, 0, []]);
    assert.equal((await parts.store.versions(source.name)).size, 100);
  });

  test("leaves it to the second half to report vectors that cannot be used, and an embedder that fails", async (t) => {
    const { parts } = await setUp(t);
    const broken: Embedder["embedDocuments"][] = [
      async (texts) => texts.map(() => [Float32Array.of(0, 0)]),
      async () => [],
      async () => {
        throw new Error("no memory");
      },
      () => {
        throw new Error("no memory at all");
      },
    ];
    for (const embedDocuments of broken) {
      const report = await syncOnce(
        { ...parts, embedder: createEmbedder({ embedDocuments }) },
        { force: true },
      );
      assert.deepEqual([report.chunks, report.embedded, report.degraded.length], [100, 0, 1]);
    }
  });

  test("leaves out a text that is refused", async (t) => {
    const { parts } = await setUp(t);
    const { embedDocuments } = createEmbedder();
    const embedder = createEmbedder({
      embedDocuments: async (texts) =>
        (await embedDocuments(texts)).map((made, at) =>
          texts[at] === "Note word7" ? { refused: "not this one" } : made,
        ),
    });
    const report = await syncOnce({ ...parts, embedder });
    assert.equal(report.embedded, 89);
    assert.match(report.degraded.join(), /one text was refused .*not this one/);
  });
});
