import { type Draft, draftQuestion, goldOf } from "./draft.ts";
import { fewPlaces, type RareWords } from "./rare-words.ts";
import type { ReadNote } from "./read-note.ts";

/** "what do we know about <name>": capitalised words inside a sentence that stand on few lines of all notes. */
export function askAboutNames(notes: readonly ReadNote[], rare: RareWords): Draft[] {
  const asked = new Set<string>();
  return notes.flatMap((note) =>
    note.lines
      .filter(({ kind }) => kind === "text")
      .flatMap(({ text }) => text.match(nameInside) ?? [])
      .flatMap((name) => {
        if (asked.has(name)) return [];
        asked.add(name);
        const places = rare.placesOfPhrase(name);
        if (places === null || places.length === 0 || places.length > fewPlaces) return [];
        const gold = places.map(goldOf);
        return [draftQuestion(note, { sentence: `what do we know about ${name}`, words: name, gold })];
      }),
  );
}

/** Behind a word in small letters: a capital there comes neither from a sentence's beginning nor from a longer name. */
const nameInside =
  /(?<=(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]*[,;]? )\p{Lu}\p{Ll}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,3}/gu;
