import type { NoteLine, ReadNote } from "./read-note.ts";
import { wordsOf } from "./words.ts";

export interface LinePlace {
  readonly note: ReadNote;
  readonly line: NoteLine;
}

export interface RareWords {
  /** The lines that hold the word, in any case; null when they are more than a few. */
  placesOf(word: string): readonly LinePlace[] | null;
  /** The lines that hold the words one after the other just as written; null when they are more than a few. */
  placesOfPhrase(phrase: string): readonly LinePlace[] | null;
}

/** A word on more lines than these does not lead to any of them. */
export const fewPlaces = 3;

/** On which lines each word stands, as far as that is few. */
export function createRareWords(notes: readonly ReadNote[]): RareWords {
  const places = new Map<string, LinePlace[] | null>();
  for (const note of notes) {
    for (const line of note.lines) {
      for (const word of new Set(wordsOf(line.text.toLowerCase()))) {
        const known = places.get(word);
        if (known === undefined) places.set(word, [{ note, line }]);
        else if (known !== null && known.length < fewPlaces) known.push({ note, line });
        else if (known !== null) places.set(word, null);
      }
    }
  }
  const placesOf = (word: string): readonly LinePlace[] | null => {
    const found = places.get(word.toLowerCase());
    return found === undefined ? [] : found;
  };
  return {
    placesOf,
    placesOfPhrase(phrase) {
      const known = wordsOf(phrase)
        .map(placesOf)
        .filter((found) => found !== null)
        .sort((left, right) => left.length - right.length);
      return known[0]?.filter(({ line }) => line.text.includes(phrase)) ?? null;
    },
  };
}
