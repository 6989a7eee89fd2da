import type { WordAligner } from "../embedder.ts";
import type { StaticModel } from "./static-model.ts";
import type { WordPieceTokenizer } from "./word-piece.ts";

/** Words that were met, with their vectors; enough for the vocabulary of a large memory, in about 8 MB. */
const maxKnown = 8192;

/**
 * Compares the words of a question with those of texts, by their own vectors. Numbers and identifiers are left out: two
 * that share a piece look alike to the model and are as different as can be.
 */
export function createWordAlignment(
  tokenizer: WordPieceTokenizer,
  model: () => StaticModel,
  isKnownId: (id: number) => boolean,
): (words: readonly string[]) => WordAligner {
  const known = new Map<number | string, Float32Array | null>();

  function vectorOf(key: number | string, ids: readonly number[], first: number): Float32Array | null {
    let vector = known.get(key);
    if (vector === undefined) {
      if (known.size >= maxKnown) known.clear();
      vector = model().embedWhole(ids.slice(first).filter(isKnownId));
      known.set(key, vector);
    }
    return vector;
  }

  return (words) => {
    const asked = words.map((word) => {
      const hasDigit = /\d/.test(word);
      return hasDigit ? null : model().embedWhole(tokenizer.tokenize(word).filter(isKnownId));
    });
    const similarities = new Map<number | string, Float32Array>();
    return (text) => {
      const best = new Float32Array(asked.length);
      tokenizer.tokenize(text, ({ first, characters, hasDigit }, ids) => {
        if (characters < 2 || hasDigit) return;
        const key = ids.length === first + 1 ? ids[first]! : ids.slice(first).join(" ");
        let own = similarities.get(key);
        if (own === undefined) {
          const vector = vectorOf(key, ids, first);
          own = Float32Array.from(asked, (other) => (vector && other ? dot(vector, other) : 0));
          similarities.set(key, own);
        }
        for (let i = 0; i < best.length; i++) if (own[i]! > best[i]!) best[i] = own[i]!;
      });
      return best;
    };
  };
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}
