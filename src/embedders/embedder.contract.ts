import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EmbeddedText, type Embedder, isRefused, type TextVectors } from "./embedder.ts";

export interface EmbedderContractOptions {
  /** A fresh embedder of the same kind with the same settings each time. */
  readonly open: () => Promise<Embedder>;
}

const texts = [
  "The deadline moved to next Friday.",
  "Der Speicher wird jede Nacht gesichert; naïve cafés, 東京 🙂",
  "one two three four five six seven eight nine ten ".repeat(40),
];

/** The contract of the Embedder interface, as tests for any implementation. */
export function embedderContract(name: string, { open }: EmbedderContractOptions): void {
  const withEmbedder = (work: (embedder: Embedder) => Promise<void>) => async () => {
    await using embedder = await open();
    await work(embedder);
  };

  describe(`${name} as an embedder`, () => {
    it(
      "identifies itself",
      withEmbedder(async (embedder) => {
        for (const word of [embedder.id, embedder.provider, embedder.model]) assert.notEqual(word.trim(), "");
        const { dimensions } = embedder;
        assert.ok(dimensions === null || (Number.isInteger(dimensions) && dimensions > 0));
        assert.ok(Number.isInteger(embedder.maxBatch) && embedder.maxBatch > 0);
        await using another = await open();
        assert.equal(another.id, embedder.id, "the same settings are the same identity");
      }),
    );

    it(
      "gives unit vectors of its dimensions, one list per text",
      withEmbedder(async (embedder) => {
        const batch = texts.slice(0, embedder.maxBatch);
        const embedded = await embedder.embedDocuments(batch);
        assert.equal(embedded.length, batch.length);
        for (const text of embedded) {
          const vectors = vectorsOf(text);
          assert.ok(vectors.length > 0);
          if (embedder.vectorsPerText === "one") assert.equal(vectors.length, 1);
          for (const vector of vectors) assertUnit(vector, embedder);
        }
        assertUnit(await embedder.embedQuery(texts[0]!), embedder);
      }),
    );

    it(
      "keeps the order of the texts and does not let them influence each other",
      withEmbedder(async (embedder) => {
        const alone = await Promise.all(texts.map((text) => embedder.embedDocuments([text])));
        if (texts.length > embedder.maxBatch) return;
        const together = await embedder.embedDocuments(texts.toReversed());
        alone.forEach(([text], i) => {
          const [vectors, others] = [vectorsOf(text), vectorsOf(together[texts.length - 1 - i])];
          assert.equal(others.length, vectors.length);
          vectors.forEach((vector, j) => {
            assert.ok(cosine(vector, others[j]!) > 0.999);
          });
        });
      }),
    );

    it(
      "ranks the text with the same meaning first",
      withEmbedder(async (embedder) => {
        const question = (await embedder.embedQuery(texts[0]!))!;
        const embedded = await Promise.all(texts.map((text) => embedder.embedDocuments([text])));
        const best = embedded.map(([text]) =>
          Math.max(...vectorsOf(text).map((vector) => cosine(question, vector))),
        );
        assert.equal(best.indexOf(Math.max(...best)), 0, `${best}`);
      }),
    );

    it(
      "gives no vectors for texts without content",
      withEmbedder(async (embedder) => {
        assert.deepEqual(await embedder.embedDocuments([]), []);
        assert.deepEqual(await embedder.embedDocuments([""]), [[]]);
        assert.deepEqual(await embedder.embedDocuments([" \n\t "]), [[]]);
        assert.equal(await embedder.embedQuery(""), null);
        assert.equal(await embedder.embedQuery(" \n "), null);
      }),
    );

    it(
      "reports each text at most once, as it returns it",
      withEmbedder(async (embedder) => {
        const reported = new Map<number, EmbeddedText>();
        const batch = ["", ...texts].slice(0, embedder.maxBatch);
        const embedded = await embedder.embedDocuments(batch, {
          onEmbedded(index, text) {
            assert.ok(!reported.has(index));
            reported.set(index, text);
          },
        });
        for (const [index, text] of reported) assert.deepEqual(text, embedded[index]);
      }),
    );

    it(
      "stops when its signal aborts",
      withEmbedder(async (embedder) => {
        const signal = AbortSignal.abort();
        await assert.rejects(embedder.embedDocuments(["text"], { signal }), { code: "aborted" });
        await assert.rejects(embedder.embedQuery("text", { signal }), { code: "aborted" });
      }),
    );

    it("may be closed twice", async () => {
      const embedder = await open();
      await embedder[Symbol.asyncDispose]();
      await embedder[Symbol.asyncDispose]();
    });
  });
}

function vectorsOf(text: EmbeddedText | undefined): TextVectors {
  assert.ok(text !== undefined && !isRefused(text), "an ordinary text is not refused");
  return text;
}

/** After a response, the dimensions are known. */
function assertUnit(vector: Float32Array | null, { dimensions }: Embedder): void {
  assert.ok(vector instanceof Float32Array);
  assert.equal(vector.length, dimensions);
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5, `length ${Math.hypot(...vector)}`);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
