import { createRandom } from "../src/eval/compare.ts";
import type { IndexedDocument } from "../src/stores/store.ts";
import { sha256 } from "../src/text/hash.ts";

const vocabularySize = 30_000;
const wordsPerChunk = 180;
const seed = 42;

/** Generated texts and vectors with the similarities of real notes, the same in every run. */
export interface MadeUpNotes {
  textOf(chunk: number): string;
  /** Words that few chunks contain, and two of which this one contains together. */
  questionFor(chunk: number): string;
  /** Unit length. The vectors of a model have a common offset, and vary more in some directions than in others. */
  vector(): Float32Array;
  document(chunk: number): IndexedDocument;
}

/** The notes are always the same. Another `drawing` gives other vectors, as if of the same model. */
export function createMadeUpNotes(dimensions: number, drawing = 0): MadeUpNotes {
  const createBell = (random: () => number) => () => random() + random() + random() + random() - 2;
  const directions = 64;
  const basis = Array.from({ length: directions + 1 }, (_, direction) =>
    toUnitLength(Float32Array.from({ length: dimensions }, createBell(createRandom(seed + direction)))),
  );
  const bell = createBell(createRandom(seed + directions + 1 + drawing));
  const lean = basis[directions]!;

  const ranksOf = (chunk: number): number[] => {
    const own = createRandom(seed + chunk + 1);
    // A few words are frequent and most are rare, as in every language.
    return Array.from({ length: wordsPerChunk }, () => Math.floor(vocabularySize ** own()));
  };
  const textOf = (chunk: number): string => {
    const words = ranksOf(chunk).map(wordOf);
    return Array.from({ length: 12 }, (_, line) => words.slice(line * 15, line * 15 + 15).join(" ")).join(
      "\n",
    );
  };

  return {
    textOf,
    questionFor: (chunk) => {
      const rare = ranksOf(chunk).filter((rank) => rank > 3000);
      return rare.slice(0, 2).map(wordOf).join(" ");
    },
    vector: () => {
      const sum = Float32Array.from({ length: dimensions }, () => (0.6 * bell()) / Math.sqrt(dimensions));
      for (let direction = 0; direction < directions; direction++) {
        const weight = bell() / Math.sqrt(direction + 1);
        const along = basis[direction]!;
        for (let i = 0; i < dimensions; i++) sum[i]! += weight * along[i]!;
      }
      return toUnitLength(sum.map((value, i) => value + 0.8 * lean[i]!));
    },
    document: (chunk) => {
      const text = textOf(chunk);
      return {
        document: {
          source: "memory",
          path: `memory/${chunk}.md`,
          version: "1",
          text,
          hash: sha256(text),
          sizeBytes: text.length,
          modifiedAt: new Date(0),
          scope: "shared",
        },
        chunks: [{ lines: { start: 1, end: 12 }, headings: [], text, hash: sha256(text) }],
      };
    },
  };
}

const consonants = "bdfghjklmnprtvz";
const vowels = "aeiou";
const endings = "bkmprt";

/**
 * Five letters that no stemmer changes, another word for each rank: "w4711" would be taken for an identifier, and skips
 * what is made for words.
 */
function wordOf(rank: number): string {
  const syllables = consonants.length * vowels.length;
  const syllable = (of: number): string =>
    consonants[of % consonants.length]! + vowels[Math.floor(of / consonants.length) % vowels.length]!;
  const second = Math.floor(rank / syllables);
  return syllable(rank) + syllable(second) + endings[Math.floor(second / syllables) % endings.length]!;
}

export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
