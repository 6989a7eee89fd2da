import { foldWord } from "../../text/words/fold.ts";
import { type Draft, draftQuestion, goldOf } from "./draft.ts";
import type { RareWords } from "./rare-words.ts";
import type { ReadNote } from "./read-note.ts";
import { isLongEnough, wordsOf } from "./words.ts";

/** "what happened on <date>, about <rare words>": a line of a dated note, by the day and two of its rare words. */
export function askAboutDates(notes: readonly ReadNote[], rare: RareWords): Draft[] {
  return notes.flatMap((note) => {
    const { date } = note;
    if (date === null) return [];
    return note.lines.flatMap((line) => {
      if (line.kind !== "text") return [];
      const [first, second] = [...new Set(wordsOf(line.text))]
        .filter((word) => isLongEnough(word) && /^[\p{L}\p{M}]+$/u.test(word))
        .filter((word) => rare.placesOf(word) !== null && !note.stopWords.has(foldWord(word)))
        .sort((left, right) => rare.placesOf(left)!.length - rare.placesOf(right)!.length);
      if (first === undefined || second === undefined) return [];
      const sentence = `what happened on ${date}, about ${first} and ${second}`;
      const gold = [goldOf({ note, line })];
      return [draftQuestion(note, { sentence, words: `${date} ${first} ${second}`, gold })];
    });
  });
}
