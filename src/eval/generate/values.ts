import { type Draft, draftQuestion, goldOf, plainText } from "./draft.ts";
import type { LinePlace } from "./rare-words.ts";
import type { ReadNote } from "./read-note.ts";

interface Entry extends LinePlace {
  readonly key: string;
  readonly heading: string | null;
}

/** "what is the <key>" for lines `key: value`; with the heading where the key alone stands in several places. */
export function askAboutValues(notes: readonly ReadNote[]): Draft[] {
  const entries = notes.flatMap((note) =>
    note.lines
      .filter(({ kind }) => kind === "text")
      .flatMap((line): Entry[] => {
        const key = keyOf(line.text);
        const heading = line.heading === null ? null : plainText(line.heading);
        return key === null ? [] : [{ note, line, key, heading }];
      }),
  );
  const alone = Map.groupBy(entries, ({ key }) => key.toLowerCase());
  const below = Map.groupBy(entries, (entry) => nameBelow(entry));
  return entries.flatMap((entry) => {
    const { note, key, heading } = entry;
    const gold = [goldOf(entry)];
    const asked = key.replace(/^\p{Lu}(?=\p{Ll}|$)/u, (first) => first.toLowerCase());
    if (alone.get(key.toLowerCase())?.length === 1) {
      return [draftQuestion(note, { sentence: `what is the ${asked}`, words: key, gold })];
    }
    if (heading === null || below.get(nameBelow(entry))?.length !== 1) return [];
    const sentence = `what is the ${asked} of ${heading}`;
    return [draftQuestion(note, { sentence, words: `${key} ${heading}`, gold })];
  });
}

function nameBelow({ key, heading }: Entry): string {
  return `${key}\n${heading}`.toLowerCase();
}

function keyOf(line: string): string | null {
  const key = plainText(keyLine.exec(line)?.groups?.["key"] ?? "").replace(/^the /i, "");
  const isUsable = key.split(" ").length <= 4 && !/^(?:https?|file|mailto)$/i.test(key);
  return key !== "" && isUsable ? key : null;
}

/** At most a few words, a colon, and something behind it; an item of a list and bold letters may be around. */
const keyLine =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?<key>(?:\*\*|__)?\p{L}[\p{L}\p{M}\p{N} _/()'’-]{1,40}(?:\*\*|__)?)\s*(?::(?:\*\*|__)?\s+|：(?:\*\*|__)?\s*)\S/u;
