import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { TextVectors } from "../embedder.ts";
import { openBuiltinEmbedder } from "./builtin-embedder.ts";
import { createEmbeddingThreads } from "./embedding-threads.ts";

const texts = Array.from({ length: 700 }, (_, number) =>
  number % 50 === 0
    ? ""
    : `Note ${number} says that the deployment of week ${number % 9} was rolled back. `.repeat(9),
);

suite("createEmbeddingThreads", () => {
  test("gives the vectors that a single thread gives, and reports each text once", async (t) => {
    await using embedder = await openBuiltinEmbedder();
    const expected: TextVectors[] = [];
    for (const text of texts) expected.push(...(await embedder.embedDocuments([text])));
    const embedHere = (text: string): TextVectors => expected[texts.indexOf(text)]!;
    for (const [threads, id] of [
      [2, embedder.id],
      [0, embedder.id],
      [1, "of another version"],
    ] as const) {
      const pool = createEmbeddingThreads({ folder: undefined, id, embedHere, threads });
      t.after(() => pool.stop());
      const told = new Map<number, unknown>();
      const onEmbedded = (index: number, vectors: unknown): void => {
        assert.ok(!told.has(index));
        told.set(index, vectors);
      };
      assert.deepEqual(await pool.embed(texts, { onEmbedded }), expected);
      assert.equal(told.size, texts.length);
    }
    assert.deepEqual(await embedder.embedDocuments(texts), expected);
  });

  test("threads that are stopped leave the rest to the caller", async () => {
    const pool = createEmbeddingThreads({
      folder: undefined,
      id: "any",
      embedHere: (text) => {
        if (text === texts[40]) pool.stop();
        return [Float32Array.of(text.length)];
      },
      threads: 1,
    });
    const embedded = await pool.embed(texts, {});
    assert.deepEqual(
      embedded.map(([vector]) => vector![0]),
      texts.map(({ length }) => length),
    );
  });

  test("is cancelled between two pieces", async () => {
    const stopping = new AbortController();
    const pool = createEmbeddingThreads({
      folder: undefined,
      id: "any",
      embedHere: () => {
        stopping.abort();
        return [];
      },
      threads: 0,
    });
    await assert.rejects(pool.embed(texts, { signal: stopping.signal }), { code: "aborted" });
  });
});
