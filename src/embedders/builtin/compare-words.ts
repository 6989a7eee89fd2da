import { once } from "../../text/once.ts";
import type { Embedder } from "../embedder.ts";
import type { StaticModel } from "./static-model.ts";
import { createWordMemory, type WordInTexts } from "./word-memory.ts";
import type { WordPieceTokenizer } from "./word-piece.ts";

/** Word vectors that are cached between queries: enough for the vocabulary of a large memory, in about 8 MB. */
const maxKnown = 8192;

/** A word of the texts of one query. */
interface TextWord extends WordInTexts {
  textCount: number;
  /** The last text that contains it. */
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
  /** The addresses of word vectors; null for a word without one. */
  const known = new Map<number | string, number | null>();
  const memory = once(() => createWordMemory(model().dimensions));
  const vectorOf = (text: string): Float32Array | null =>
    model().embedWhole(tokenizer.tokenize(text).filter(isKnownId));

  function addressOf(key: number | string, ids: readonly number[], first: number): number | null {
    let address = known.get(key);
    if (address === undefined) {
      address = memory().add((into) => model().embedWhole(ids.slice(first).filter(isKnownId), into) !== null);
      known.set(key, address);
    }
    return address;
  }

  return (query, words, texts) => {
    if (known.size >= maxKnown || !memory().hasRoomFor(words.length)) {
      known.clear();
      memory().clear(words.length);
    }
    memory().ask(
      words.map((word) => (/\d/.test(word) ? null : vectorOf(word))),
      vectorOf(query),
    );
    const seen = new Map<number | string, TextWord | null>();
    const wordsOfTexts = texts.map((text, position) => {
      const found: TextWord[] = [];
      tokenizer.tokenize(text, ({ first, characters, hasDigit }, ids) => {
        if (characters < 2 || hasDigit) return;
        const key = ids.length === first + 1 ? ids[first]! : ids.slice(first).join(" ");
        let word = seen.get(key);
        if (word === undefined) {
          const address = addressOf(key, ids, first);
          word = address === null ? null : { address, textCount: 0, lastText: -1 };
          if (address !== null) memory().compare(address);
          seen.set(key, word);
        }
        if (word === null) return;
        if (word.lastText !== position) word.textCount++;
        word.lastText = position;
        found.push(word);
      });
      return found;
    });
    return wordsOfTexts.map((found) => memory().summarize(found, texts.length));
  };
}
