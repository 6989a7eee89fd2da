import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createRandom } from "../../eval/compare.ts";
import { openBuiltinEmbedder } from "./builtin-embedder.ts";
import { createWordComparison } from "./compare-words.ts";

const { compareWords } = await openBuiltinEmbedder();
const compare = (query: string, texts: readonly string[]) => compareWords!(query, query.split(" "), texts);

suite("compareWords", () => {
  test("gives the most similar word of a text for each word of the query", () => {
    const [physician, bread] = compare("doctor", ["Our physician is in town.", "Bread and butter."]);
    assert.ok(physician!.cosines[0]! > 0.5);
    assert.ok(bread!.cosines[0]! < 0.3);
  });

  test("weighs a word by how few of the texts contain it", () => {
    const text = "bicycle garage";
    const alone = compare("bike", [text, "soup", "paint"])[0]!.similarity!;
    const common = compare("bike", [text, "bicycle soup", "bicycle paint"])[0]!.similarity!;
    assert.ok(common < alone, `${common} < ${alone}`);
  });

  test("compares runs of words, so that a long text is as similar as its best part", () => {
    const other = "The paint in the kitchen is yellow and the soup is warm. ".repeat(8);
    const [short, long] = compare("bicycle repair", ["We fix bikes.", `${other} We fix bikes. ${other}`]);
    const [, none] = compare("bicycle repair", ["We fix bikes.", `${other} ${other}`]);
    assert.ok(long!.similarity! > none!.similarity!);
    assert.ok(short!.similarity! > long!.similarity!);
  });

  test("gives null for a text, or a query, without a known word", () => {
    assert.deepEqual(
      compare("bike", ["", "2024 17", "bicycle"]).map(({ similarity }) => similarity === null),
      [true, true, false],
    );
    assert.equal(compareWords!("", [], ["bicycle"])[0]!.similarity, null);
  });

  test("gives what a plain loop gives, for any length of vectors and number of words", () => {
    for (const dimensions of [1, 6, 256]) {
      const random = createRandom(dimensions);
      const vectors = Array.from({ length: 3000 }, (_, id) =>
        id % 7 === 0 ? null : Float32Array.from({ length: dimensions }, () => random() - 0.5),
      );
      const compareMade = createWordComparison(
        {
          tokenize(text, onWord) {
            const ids: number[] = [];
            for (const word of text.split(" ").filter(Boolean)) {
              ids.push(word.charCodeAt(0));
              onWord?.({ first: ids.length - 1, characters: 2, hasDigit: false }, ids);
            }
            return ids;
          },
        },
        () => ({
          dimensions,
          rowCount: vectors.length,
          embedWhole(ids, into = new Float32Array(dimensions)) {
            const vector = vectors[ids[0] ?? 0];
            into.set(vector ?? []);
            return vector ? into : null;
          },
          embedWindows: () => [],
        }),
        () => true,
      );
      // Letters beyond digits, each of which is a word.
      const wordsOf = (count: number): string[] =>
        Array.from({ length: count }, () => String.fromCharCode(100 + Math.floor(random() * 2800)));
      for (const counts of [
        [1, 0, 40],
        [3, 1, 200, 7, 16, 31],
        [14, 90],
        [2, 400],
      ]) {
        const [asked = 0, ...lengths] = counts;
        const words = wordsOf(asked);
        const texts = lengths.map((length) => wordsOf(length).join(" "));
        assert.deepEqual(
          compareMade(words.join(" "), words, texts),
          comparePlainly(words, texts, (word) => vectors[word.charCodeAt(0)] ?? null),
        );
      }
    }
  });
});

type VectorOf = (word: string) => Float32Array | null;

/** What the kernel computes, one number after the other. */
function comparePlainly(words: readonly string[], texts: readonly string[], vectorOf: VectorOf) {
  const known = texts.map((text) => text.split(" ").filter((word) => word !== "" && vectorOf(word) !== null));
  const question = vectorOf(words[0]!);
  const weightOf = (word: string): number =>
    Math.log1p(texts.length / known.filter((each) => each.includes(word)).length);
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
    return sum;
  };
  const sumOf = (run: readonly string[], length: number): number[] => {
    const sum = new Array<number>(length).fill(0);
    for (const word of run) for (let i = 0; i < length; i++) sum[i]! += weightOf(word) * vectorOf(word)![i]!;
    return sum;
  };
  return known.map((found) => {
    const cosines = Float32Array.from(words, (word) => {
      const asked = vectorOf(word);
      return Math.max(0, ...found.map((each) => (asked ? dot(vectorOf(each)!, asked) : 0)));
    });
    let similarity: number | null = null;
    for (
      let start = 0;
      question !== null && start < Math.max(found.length - 15, Math.min(1, found.length));
      start += 15
    ) {
      const earlier = sumOf(found.slice(start, start + 15), question.length);
      const later = sumOf(found.slice(start + 15, start + 30), question.length);
      const both = earlier.map((value, i) => value + later[i]!);
      const squares = dot(both, both);
      if (squares > 0) similarity = Math.max(similarity ?? -1, dot(both, question) / Math.sqrt(squares));
    }
    return { cosines, similarity };
  });
}
