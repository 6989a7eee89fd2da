import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createConceptEmbedder } from "../../test/support/concept-embedder.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import type { EmbeddedText, Embedder } from "./embedder.ts";
import { createGivenEmbedder } from "./given-embedder.ts";

const never = (): Promise<never> => new Promise(() => {});
const texts = ["a marsupial", "the weather"];
const given = (changes: Partial<Embedder>) => createGivenEmbedder(createConceptEmbedder(changes));

suite("An embedder of a program", () => {
  test("gives its vectors as they are, and is closed", async () => {
    const concepts = createConceptEmbedder();
    const embedder = createGivenEmbedder(concepts);
    assert.deepEqual(await embedder.embedDocuments(texts), await concepts.embedDocuments(texts));
    assert.deepEqual(await embedder.embedQuery("rain"), await concepts.embedQuery("rain"));
    await embedder[Symbol.asyncDispose]();
    assert.equal(concepts.closings, 1);
  });

  test("ends a cancelled call, whether it looks at the signal or not", async () => {
    const embedder = given({ embedDocuments: never, embedQuery: never });
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [embedder.embedDocuments(texts, { signal }), embedder.embedQuery("rain", { signal })];
    controller.abort();
    for (const call of calls) await assert.rejects(call, { code: "aborted" });
  });

  test("fails when it is silent for too long, and not while texts are finished", async () => {
    const clock = createManualClock();
    const limits = { silentMs: 1000, perTextMs: 1, queryMs: 100, closeMs: 1, clock };
    const silent = createGivenEmbedder(
      createConceptEmbedder({
        embedDocuments: never,
        embedQuery: never,
        [Symbol.asyncDispose]: never,
      }),
      limits,
    );
    const failing = [
      assert.rejects(silent.embedDocuments(texts), {
        code: "provider-refused",
        message: /gave no answer within 1 seconds/,
      }),
      assert.rejects(silent.embedQuery("rain"), { code: "provider-refused", message: /within 0.1 seconds/ }),
    ];
    clock.moveTo(1000);
    await Promise.all(failing);
    await silent[Symbol.asyncDispose]();

    const concepts = createConceptEmbedder();
    let tellLate = (): void => {};
    const steady = createConceptEmbedder({
      async embedDocuments(many, { onEmbedded } = {}) {
        const embedded = await concepts.embedDocuments(many);
        // Each text takes a moment less than it may be silent.
        for (const [index, text] of embedded.entries()) {
          clock.moveTo(clock.now() + 999);
          onEmbedded?.(index, text);
        }
        tellLate = () => onEmbedded?.(0, embedded[0]!);
        return embedded;
      },
    });
    assert.equal((await createGivenEmbedder(steady, limits).embedDocuments(texts)).length, 2);
    tellLate();
    assert.equal(clock.pending, 0, "nothing waits for an embedder that is done");
  });

  test("may take its time for many texts at once", async () => {
    const clock = createManualClock();
    const silent = createGivenEmbedder(createConceptEmbedder({ embedDocuments: never }), {
      silentMs: 1000,
      perTextMs: 600,
      clock,
    });
    const failing = assert.rejects(silent.embedDocuments(texts), { message: /within 1.2 seconds/ });
    clock.moveTo(1000);
    assert.equal(clock.pending, 1, "it is still waited for");
    clock.moveTo(1200);
    await failing;
  });

  test("never passes on what is not a vector of its length", async () => {
    const short = new Float32Array(3).fill(1);
    const cases: readonly [answer: unknown, message: RegExp][] = [
      [[[short], [short]], /vector 1 of 1 has 3 numbers instead of 64/],
      [[[short]], /1 results came back for 2 texts/],
      [undefined, /no list of results came back for 2 texts/],
      [[null, null], /a text has no list of them/],
      [[short, short], /not a list of vectors/],
      [[[1], [2]], /is no vector/],
      [[[new Float32Array(64)], [new Float32Array(64)]], /is zero/],
    ];
    for (const [answer, message] of cases) {
      const told: number[] = [];
      const embedder = given({
        async embedDocuments(_, { onEmbedded } = {}) {
          for (const [at, text] of (Array.isArray(answer) ? answer : []).entries()) onEmbedded?.(at, text);
          return answer as EmbeddedText[];
        },
      });
      const embedding = embedder.embedDocuments(texts, { onEmbedded: (at) => told.push(at) });
      await assert.rejects(embedding, { code: "vectors-invalid", message });
      assert.deepEqual(told, []);
    }
    for (const vector of [short, new Float32Array(64), undefined, 7]) {
      const embedder = given({ embedQuery: async () => vector as Float32Array });
      await assert.rejects(embedder.embedQuery("rain"), { code: "vectors-invalid" });
    }
  });

  test("refuses one text whose vector is zero, if others have one", async () => {
    const concepts = createConceptEmbedder();
    const embedder = given({
      async embedDocuments(many) {
        const [first] = await concepts.embedDocuments(many);
        return [first!, [new Float32Array(64)]];
      },
    });
    const [kept, refused] = await embedder.embedDocuments(texts);
    assert.deepEqual(kept, (await concepts.embedDocuments(texts))[0]);
    assert.deepEqual(refused, { refused: "vector 1 of 1 is zero" });
  });

  test("gets vectors of unit length from plain numbers", async () => {
    const embedder = given({ dimensions: 2, embedQuery: async () => [3, 4] as never });
    assert.deepEqual(await embedder.embedQuery("rain"), new Float32Array([0.6, 0.8]));
  });

  test("fails with an error that a search survives, whatever it throws", async () => {
    const throwing = (): never => {
      throw new TypeError("no model is loaded");
    };
    const embedder = given({ embedDocuments: throwing, embedQuery: throwing });
    const expected = { code: "provider-refused", message: "no model is loaded" };
    await assert.rejects(embedder.embedDocuments(texts), expected);
    await assert.rejects(embedder.embedQuery("rain"), expected);
  });

  test("takes no more texts than can be kept", () => {
    assert.equal(given({ maxBatch: Number.POSITIVE_INFINITY }).maxBatch, 2048);
  });
});
