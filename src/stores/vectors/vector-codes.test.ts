import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import {
  type Centre,
  type CodingName,
  cosineOfUnits,
  encodeText,
  findCentre,
  findTextsEnd,
  findVectorFault,
  toUnit,
  vectorCodings,
} from "./vector-codes.ts";
import { createVectorScan } from "./vector-scan.ts";

type TextVectors = readonly Float32Array[];

const vectorOf = (dimensions: number, number: fc.Arbitrary<number>) =>
  fc
    .array(number, { minLength: dimensions, maxLength: dimensions })
    .map((values) => Float32Array.from(values))
    .filter((vector) => findVectorFault(vector, dimensions) === null);

/** A query and the vectors of some texts, some of which have none. */
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

const plainVector = vectorOf(64, fc.integer({ min: -99, max: 99 }));

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** A random point inside the unit sphere. */
function centreOf(name: CodingName, dimensions: number): Centre {
  if (name !== "centred") return null;
  return Float32Array.from({ length: dimensions }, (_, i) => Math.sin(i + 1) / 20);
}

/** The estimate by its definition, one vector at a time. */
const naive: Record<CodingName, (query: Float32Array, vector: Float32Array) => number> = {
  centred: (query, vector) => {
    const centre = centreOf("centred", query.length)!;
    const unit = toUnit(query);
    const rest = vector.map((value, i) => value - centre[i]!);
    const signs = rest.map((value) => (value > 0 || Object.is(value, 0) ? 1 : -1));
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    const factor = dot(rest, signs) === 0 ? 0 : dot(rest, rest) / dot(rest, signs);
    return dot(unit, centre) + factor * dot(unit, signs);
  },
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

/** The error of an estimate: a query is quantized, too, see `codeCentredQuery`. */
function errorOf(name: CodingName, query: Float32Array, vector: Float32Array): number {
  if (name !== "centred") return 1e-4;
  const centre = centreOf("centred", query.length)!;
  const unit = toUnit(query);
  const rest = vector.map((value, i) => value - centre[i]!);
  const sizes = rest.reduce((sum, value) => sum + Math.abs(value), 0);
  const factor = sizes === 0 ? 0 : rest.reduce((sum, value) => sum + value * value, 0) / sizes;
  const fours = Array.from({ length: Math.ceil(query.length / 4) }, (_, four) =>
    unit.slice(4 * four, 4 * four + 4).reduce((sum, value) => sum + Math.abs(value), 0),
  );
  const halfStep = Math.max(...fours) / 63;
  return 1e-4 + factor * fours.length * halfStep;
}

function score(name: CodingName, query: Float32Array, texts: readonly TextVectors[]): number[] {
  const centre = centreOf(name, query.length);
  const scan = createVectorScan(name, query.length, centre);
  for (const vectors of texts) scan.append(encodeText(name, vectors, centre), 1);
  return [...scan.score(query)];
}

for (const name of ["bits", "bytes", "centred"] as const) {
  suite(`vectors coded as ${name}`, () => {
    test("give the best estimate of each text, like a naive loop", () => {
      const holds = fc.property(searches, ([query, texts]) => {
        for (const [index, found] of score(name, query, texts).entries()) {
          const estimates = texts[index]!.map((vector) => naive[name](query, vector));
          const expected = Math.min(1, Math.max(-1, ...estimates));
          const error = Math.max(...texts[index]!.map((vector) => errorOf(name, query, vector)));
          if (estimates.length === 0) assert.equal(found, Number.NEGATIVE_INFINITY);
          else assert.ok(Math.abs(found - expected) < error, `${found} instead of ${expected}`);
        }
      });
      fc.assert(holds, { seed: 7, numRuns: 300 });
    });

    test("can be joined and split again", () => {
      const holds = fc.property(searches, ([query, texts]) => {
        const width = vectorCodings[name].widthOf(query.length);
        const centre = centreOf(name, query.length);
        const joined = new Uint8Array(
          Buffer.concat(texts.map((vectors) => encodeText(name, vectors, centre))),
        );
        let at = 0;
        for (const [index, vectors] of texts.entries()) {
          const end = findTextsEnd(joined, index + 1, width);
          assert.deepEqual(joined.subarray(at, end), encodeText(name, vectors, centre));
          at = end;
        }
        assert.equal(at, joined.length);
        const scan = createVectorScan(name, query.length, centre);
        scan.append(joined, texts.length);
        assert.deepEqual([...scan.score(query)], score(name, query, texts));
      });
      fc.assert(holds, { seed: 7 });
    });

    test("get the same scores, whether added one by one or many at once", () => {
      const holds = fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 3 })), { maxLength: 5 }),
        fc.integer({ min: 1, max: 1000 }),
        (dimensions, runs, seed) => {
          const centre = centreOf(name, dimensions);
          const vectorAt = (n: number): Float32Array =>
            toUnit(Float32Array.from({ length: dimensions }, (_, i) => Math.sin(seed + n * 7.7 + i * n)));
          let count = 0;
          const [many, single] = [0, 1].map(() => createVectorScan(name, dimensions, centre));
          // Runs of texts with one vector each, and between them one with none or several.
          for (const [length, odd] of runs) {
            const sizes = [...new Array<number>(length).fill(1), odd];
            const texts = sizes.map((size) =>
              encodeText(
                name,
                Array.from({ length: size }, () => vectorAt(++count)),
                centre,
              ),
            );
            many!.append(new Uint8Array(Buffer.concat(texts)), texts.length);
            for (const text of texts) single!.append(text, 1);
          }
          assert.equal(many!.textCount, single!.textCount);
          assert.deepEqual(many!.score(vectorAt(3)), single!.score(vectorAt(3)));
        },
      );
      fc.assert(holds, { seed: 7, numRuns: 60 });
    });

    test("take few bytes", () => {
      assert.equal(vectorCodings[name].widthOf(256), { bits: 32, bytes: 260, centred: 36 }[name]);
      assert.deepEqual(encodeText(name, []), new Uint8Array(4));
      assert.equal(findTextsEnd(new Uint8Array(3), 1, 32), Number.POSITIVE_INFINITY);
    });

    test("are found repeatedly after the memory has grown many times", () => {
      const centre = centreOf(name, 64);
      const scan = createVectorScan(name, 64, centre);
      const vectors = fc.sample(plainVector, { seed: 7, numRuns: 3000 }).map(toUnit);
      for (const [index, vector] of vectors.entries()) {
        scan.append(encodeText(name, [vector, vectors[0]!], centre), 1);
        if (index % 700 !== 699) continue;
        const asked = vectors[index - 5]!;
        const found = scan.score(asked);
        assert.equal(found.length, index + 1);
        const best = found.indexOf(Math.max(...found));
        assert.equal(best, index - 5);
        const [first, fourth] = [vectors[0]!, vectors[3]!];
        const expected = Math.max(naive[name](asked, fourth), naive[name](asked, first));
        const error = Math.max(errorOf(name, asked, fourth), errorOf(name, asked, first));
        assert.ok(Math.abs(found[3]! - expected) < error);
      }
    });

    // Centred codes are defined only for vectors of unit length.
    if (name === "centred") return;
    test("do not depend on the length of a vector or of the query", () => {
      const holds = fc.property(plainSearches, fc.constantFrom(1e-6, 0.5, 1000), ([query, texts], factor) => {
        const longer = (vector: Float32Array) => vector.map((value) => value * factor);
        const plain = score(name, query, texts);
        const scaled = score(
          name,
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

test("with one byte per number, the cosine of ordinary vectors is within .002", () => {
  // The sum of twelve random numbers is roughly normal, like the numbers of real vectors.
  const bell = fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 })
    .map((parts) => parts.reduce((sum, part) => sum + part, 0));
  const vector = fc
    .array(bell, { minLength: 256, maxLength: 256 })
    .map((values) => Float32Array.from(values));
  const holds = fc.property(vector, vector, (query, other) => {
    fc.pre(findVectorFault(query, 256) === null && findVectorFault(other, 256) === null);
    const [found] = score("bytes", query, [[other]]);
    assert.ok(Math.abs(found! - cosine(query, other)) < 0.002);
  });
  fc.assert(holds, { seed: 7, numRuns: 50 });
});

test("a zero vector is reported", () => {
  assert.equal(findVectorFault(Float32Array.of(0.6, 0.8), 2), null);
  assert.equal(findVectorFault(Float32Array.of(1e-30, 0), 2), null);
  assert.match(findVectorFault(Float32Array.of(1), 2) ?? "", /^has 1 numbers instead of 2; /);
  assert.equal(findVectorFault(Float32Array.of(0, -0), 2), "is zero");
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    assert.equal(
      findVectorFault(Float32Array.of(1, value), 2),
      "holds something that is not a finite number",
    );
  }
});

test("the centre is the mean of all vectors", () => {
  const vectors = [
    Float32Array.of(1, 0),
    Float32Array.of(0, 1),
    Float32Array.of(1, 0),
    Float32Array.of(0, 1),
  ];
  assert.deepEqual([...findCentre(vectors, 2)], [0.5, 0.5]);
});

test("the cosine of unit vectors follows the definition, and is never outside of −1 to 1", () => {
  const pair = vectorOf(24, fc.integer({ min: -99, max: 99 }));
  const holds = fc.property(pair, pair, (a, b) => {
    const found = cosineOfUnits(toUnit(a), toUnit(b));
    assert.ok(Math.abs(found - cosine(a, b)) < 1e-5);
    assert.ok(cosineOfUnits(toUnit(a), toUnit(a)) <= 1);
  });
  fc.assert(holds, { seed: 7 });
});
