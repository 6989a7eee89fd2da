import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { type CodingName, findVectorFault, type VectorCoding, vectorCodings } from "./vector-codes.ts";

const vectorOf = (dimensions: number, number: fc.Arbitrary<number>) =>
  fc
    .array(number, { minLength: dimensions, maxLength: dimensions })
    .map((values) => Float32Array.from(values))
    .filter((vector) => findVectorFault(vector, dimensions) === null);

/** A question and the vectors of some texts, some of which have none. */
const searchesOf = (number: fc.Arbitrary<number>) =>
  fc
    .integer({ min: 1, max: 70 })
    .chain((dimensions) =>
      fc.tuple(
        vectorOf(dimensions, number),
        fc.array(fc.array(vectorOf(dimensions, number), { maxLength: 4 }), { maxLength: 6 }),
      ),
    );
const searches = searchesOf(fc.float({ min: -1, max: 1, noNaN: true }));
const plainSearches = searchesOf(fc.integer({ min: -9, max: 9 }));

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** The estimate by its definition, one vector at a time. */
const naive: Record<CodingName, (query: Float32Array, vector: Float32Array) => number> = {
  bits: (query, vector) => {
    const signs = vector.map((value) => (value > 0 || Object.is(value, 0) ? 1 : -1));
    return cosine(query, signs) * Math.sqrt(Math.PI / 2);
  },
  bytes: (query, vector) => {
    const largest = Math.max(...vector.map(Math.abs));
    const rounded = vector.map((value) => Math.round((value / largest) * 127));
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    const roundedLength = Math.sqrt(rounded.reduce((sum, value) => sum + value * value, 0));
    return (cosine(query, rounded) * roundedLength * largest) / 127 / length;
  },
};

function score(
  coding: VectorCoding,
  query: Float32Array,
  texts: readonly (readonly Float32Array[])[],
): number[] {
  const parts = texts.map((vectors) => coding.encode(vectors));
  let end = 0;
  const ends = texts.map((vectors) => (end += vectors.length));
  const best = new Float32Array(texts.length);
  // Not at the beginning of its memory, as parts of a larger piece are.
  const codes = new Uint8Array(Buffer.concat([Buffer.of(1, 2, 3), ...parts])).subarray(3);
  coding.createScorer(query)(codes, ends, best);
  return [...best];
}

for (const name of ["bits", "bytes"] as const) {
  suite(`vectors coded as ${name}`, () => {
    const coding = vectorCodings[name];

    test("give the best estimate of each text, as a plain loop does", () => {
      const holds = fc.property(searches, ([query, texts]) => {
        for (const [index, found] of score(coding, query, texts).entries()) {
          const estimates = texts[index]!.map((vector) => naive[name](query, vector));
          const expected = Math.min(1, Math.max(-1, ...estimates));
          if (estimates.length === 0) assert.equal(found, Number.NEGATIVE_INFINITY);
          else assert.ok(Math.abs(found - expected) < 1e-5, `${found} instead of ${expected}`);
        }
      });
      fc.assert(holds, { seed: 7, numRuns: 300 });
    });

    test("take as many bytes as they say", () => {
      const holds = fc.property(searches, ([query, texts]) => {
        for (const vectors of texts) {
          const width = coding.bytesPerVector(query.length);
          assert.equal(coding.encode(vectors).length, vectors.length * width);
        }
      });
      fc.assert(holds, { seed: 7 });
      assert.equal(coding.bytesPerVector(256), { bits: 32, bytes: 260 }[name]);
    });

    test("do not depend on the length of a vector or of the question", () => {
      const holds = fc.property(plainSearches, fc.constantFrom(1e-6, 0.5, 1000), ([query, texts], factor) => {
        const longer = (vector: Float32Array) => vector.map((value) => value * factor);
        const plain = score(coding, query, texts);
        const scaled = score(
          coding,
          longer(query),
          texts.map((vectors) => vectors.map(longer)),
        );
        for (const [index, similarity] of plain.entries()) {
          const difference = Math.abs(similarity - scaled[index]!);
          assert.ok(similarity === scaled[index] || difference < 0.01, `off by ${difference}`);
        }
      });
      fc.assert(holds, { seed: 7 });
    });
  });
}

test("a byte for a number keeps the cosine of ordinary vectors to .002", () => {
  // The sum of twelve random numbers is close to how the numbers of real vectors are spread.
  const bell = fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 })
    .map((parts) => parts.reduce((sum, part) => sum + part, 0));
  const vector = fc
    .array(bell, { minLength: 256, maxLength: 256 })
    .map((values) => Float32Array.from(values));
  const holds = fc.property(vector, vector, (query, other) => {
    fc.pre(findVectorFault(query, 256) === null && findVectorFault(other, 256) === null);
    const [found] = score(vectorCodings.bytes, query, [[other]]);
    assert.ok(Math.abs(found! - cosine(query, other)) < 0.002);
  });
  fc.assert(holds, { seed: 7, numRuns: 50 });
});

test("a vector that has no direction is named", () => {
  assert.equal(findVectorFault(Float32Array.of(0.6, 0.8), 2), null);
  assert.equal(findVectorFault(Float32Array.of(1e-30, 0), 2), null);
  assert.equal(findVectorFault(Float32Array.of(1), 2), "has 1 numbers instead of 2");
  assert.equal(findVectorFault(Float32Array.of(0, -0), 2), "is zero");
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.equal(
      findVectorFault(Float32Array.of(1, value), 2),
      "holds something that is not a finite number",
    );
  }
});
