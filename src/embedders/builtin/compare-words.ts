import type { Embedder, WordComparison } from "../embedder.ts";
import type { StaticModel } from "./static-model.ts";
import type { WordPieceTokenizer } from "./word-piece.ts";

/** Word vectors kept between questions: enough for the vocabulary of a large memory, in about 8 MB. */
const maxKnown = 8192;
/** In words; a run is two steps long. A longer run blurs its words. */
const runStep = 15;

interface TextWord {
  readonly vector: Float32Array;
  /** By query word. */
  readonly cosines: Float32Array;
  /** Number of texts that have it, and the last of them. */
  textCount: number;
  lastText: number;
}

/**
 * Compares the words of a query with those of texts, by their own vectors. Numbers and identifiers are left out: two
 * that share a piece look alike to the model and are as different as can be.
 */
export function createWordComparison(
  tokenizer: WordPieceTokenizer,
  model: () => StaticModel,
  isKnownId: (id: number) => boolean,
): NonNullable<Embedder["compareWords"]> {
  const known = new Map<number | string, Float32Array | null>();
  const vectorOf = (text: string): Float32Array | null =>
    model().embedWhole(tokenizer.tokenize(text).filter(isKnownId));

  function wordVector(key: number | string, ids: readonly number[], first: number): Float32Array | null {
    let vector = known.get(key);
    if (vector === undefined) {
      if (known.size >= maxKnown) known.clear();
      vector = model().embedWhole(ids.slice(first).filter(isKnownId));
      known.set(key, vector);
    }
    return vector;
  }

  return (query, words, texts) => {
    const asked = words.map((word) => (/\d/.test(word) ? null : vectorOf(word)));
    const seen = new Map<number | string, TextWord | null>();
    const wordsOfTexts = texts.map((text, position) => {
      const found: TextWord[] = [];
      tokenizer.tokenize(text, ({ first, characters, hasDigit }, ids) => {
        if (characters < 2 || hasDigit) return;
        const key = ids.length === first + 1 ? ids[first]! : ids.slice(first).join(" ");
        let word = seen.get(key);
        if (word === undefined) {
          const vector = wordVector(key, ids, first);
          const cosines = (): Float32Array =>
            Float32Array.from(asked, (other) => (vector && other ? dot(vector, other) : 0));
          word = vector && { vector, cosines: cosines(), textCount: 0, lastText: -1 };
          seen.set(key, word);
        }
        if (word === null) return;
        if (word.lastText !== position) word.textCount++;
        word.lastText = position;
        found.push(word);
      });
      return found;
    });
    const question = vectorOf(query);
    return wordsOfTexts.map((found): WordComparison => {
      const cosines = new Float32Array(asked.length);
      for (const { cosines: own } of found) {
        for (let i = 0; i < cosines.length; i++) if (own[i]! > cosines[i]!) cosines[i] = own[i]!;
      }
      return { cosines, similarity: question && bestRun(found, question, texts.length) };
    });
  };
}

/** The cosine of the most similar run of words, each weighed by how few of the texts have it. */
function bestRun(words: readonly TextWord[], question: Float32Array, textCount: number): number | null {
  let best: number | null = null;
  let earlier = new Float64Array(question.length);
  let later = new Float64Array(question.length);
  addRun(words, 0, textCount, earlier);
  for (let start = 0; start === 0 ? words.length > 0 : start + runStep < words.length; start += runStep) {
    later.fill(0);
    addRun(words, start + runStep, textCount, later);
    for (let i = 0; i < earlier.length; i++) earlier[i]! += later[i]!;
    const length = Math.sqrt(dot(earlier, earlier));
    if (length > 0) best = Math.max(best ?? -1, dot(earlier, question) / length);
    [earlier, later] = [later, earlier];
  }
  return best;
}

function addRun(words: readonly TextWord[], start: number, textCount: number, sum: Float64Array): void {
  const end = Math.min(start + runStep, words.length);
  for (let at = start; at < end; at++) {
    const { vector, textCount: having } = words[at]!;
    const weight = Math.log1p(textCount / having);
    for (let i = 0; i < sum.length; i++) sum[i]! += weight * vector[i]!;
  }
}

function dot(left: Float32Array | Float64Array, right: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}
