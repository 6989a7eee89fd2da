import type { Embedder, WordComparison } from "../embedder.ts";
import type { StaticModel } from "./static-model.ts";
import type { WordPieceTokenizer } from "./word-piece.ts";

/** Word vectors that are cached between queries: enough for the vocabulary of a large memory, in about 8 MB. */
const maxKnown = 8192;
/** In words; a run is two steps long. A longer run blurs its words. */
const runStep = 15;

interface TextWord {
  readonly vector: Float32Array;
  /** By query word. */
  readonly cosines: Float32Array;
  /** The number of texts that contain it, and the last of them. */
  textCount: number;
  lastText: number;
}

/**
 * Compares the words of a query with those of texts, by word vectors. Numbers and identifiers are left out: two that
 * share a word piece look similar to the model, although they are entirely different.
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
    const asked = createDots(words.map((word) => (/\d/.test(word) ? null : vectorOf(word))));
    const seen = new Map<number | string, TextWord | null>();
    const wordsOfTexts = texts.map((text, position) => {
      const found: TextWord[] = [];
      tokenizer.tokenize(text, ({ first, characters, hasDigit }, ids) => {
        if (characters < 2 || hasDigit) return;
        const key = ids.length === first + 1 ? ids[first]! : ids.slice(first).join(" ");
        let word = seen.get(key);
        if (word === undefined) {
          const vector = wordVector(key, ids, first);
          word = vector && { vector, cosines: asked(vector), textCount: 0, lastText: -1 };
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
      const cosines = new Float32Array(words.length);
      for (const { cosines: own } of found) {
        for (let i = 0; i < cosines.length; i++) if (own[i]! > cosines[i]!) cosines[i] = own[i]!;
      }
      return { cosines, similarity: question && bestRun(found, question, texts.length) };
    });
  };
}

/** The cosine of the most similar run of words, each weighted by how few of the texts contain it. */
function bestRun(words: readonly TextWord[], question: Float32Array, textCount: number): number | null {
  let best: number | null = null;
  let earlier = new Float64Array(question.length);
  let later = new Float64Array(question.length);
  addRun(words, 0, textCount, earlier);
  for (let start = 0; start === 0 ? words.length > 0 : start + runStep < words.length; start += runStep) {
    later.fill(0);
    addRun(words, start + runStep, textCount, later);
    let [squares, shared] = [0, 0];
    for (let i = 0; i < earlier.length; i++) {
      const value = earlier[i]! + later[i]!;
      squares += value * value;
      shared += value * question[i]!;
    }
    if (squares > 0) best = Math.max(best ?? -1, shared / Math.sqrt(squares));
    [earlier, later] = [later, earlier];
  }
  return best;
}

/** Four words at a time, so that the sums are read and written only once for all four. */
function addRun(words: readonly TextWord[], start: number, textCount: number, sum: Float64Array): void {
  const end = Math.min(start + runStep, words.length);
  const weightAt = (at: number): number => (at < end ? Math.log1p(textCount / words[at]!.textCount) : 0);
  for (let at = start; at < end; at += 4) {
    const [a, b, c, d] = [weightAt(at), weightAt(at + 1), weightAt(at + 2), weightAt(at + 3)];
    const vectorAt = (index: number): Float32Array => words[Math.min(index, end - 1)]!.vector;
    const [va, vb, vc, vd] = [vectorAt(at), vectorAt(at + 1), vectorAt(at + 2), vectorAt(at + 3)];
    for (let i = 0; i < sum.length; i++) {
      sum[i] = sum[i]! + a * va[i]! + b * vb[i]! + c * vc[i]! + d * vd[i]!;
    }
  }
}

/**
 * The dot products of one vector with each of these; 0 for null. Four at a time: the additions to one sum depend on each
 * other, so a processor can do those of four sums in the time of one.
 */
function createDots(others: readonly (Float32Array | null)[]): (vector: Float32Array) => Float32Array {
  const places = [...others.keys()].filter((place) => others[place] !== null);
  const columns = places.map((place) => Float64Array.from(others[place]!));
  return (vector) => {
    const products = new Float32Array(others.length);
    for (let first = 0; first < columns.length; first += 4) {
      const columnAt = (index: number): Float64Array => columns[Math.min(index, columns.length - 1)]!;
      const [a, b, c, d] = [columnAt(first), columnAt(first + 1), columnAt(first + 2), columnAt(first + 3)];
      let [sa, sb, sc, sd] = [0, 0, 0, 0];
      for (let i = 0; i < vector.length; i++) {
        const value = vector[i]!;
        sa += value * a[i]!;
        sb += value * b[i]!;
        sc += value * c[i]!;
        sd += value * d[i]!;
      }
      for (const [nth, sum] of [sa, sb, sc, sd].entries()) {
        const place = places[first + nth];
        if (place !== undefined) products[place] = sum;
      }
    }
    return products;
  };
}
