import { type Draft, draftQuestion, goldOf } from "./draft.ts";
import { fewPlaces, type LinePlace } from "./rare-words.ts";
import type { ReadNote } from "./read-note.ts";

/** "what is <identifier>": what programs call things, where it stands on few lines of all notes. */
export function askAboutIdentifiers(notes: readonly ReadNote[]): Draft[] {
  const places = new Map<string, LinePlace[]>();
  for (const note of notes) {
    for (const line of note.lines) {
      for (const token of new Set(line.text.match(tokenLike))) {
        if (!isIdentifier(token)) continue;
        const known = places.get(token);
        if (known === undefined) places.set(token, [{ note, line }]);
        // One more than a few is enough to know that it is too common.
        else if (known.length <= fewPlaces) known.push({ note, line });
      }
    }
  }
  return [...places].flatMap(([token, found]) => {
    const [first] = found;
    if (first === undefined || found.length > fewPlaces) return [];
    const gold = found.map(goldOf);
    return [draftQuestion(first.note, { sentence: `what is ${token}`, words: token, gold })];
  });
}

const tokenLike = /(?<![\w/.@#-])(?:--?|[#@/])?[A-Za-z0-9_]+(?:[-_./:]+[A-Za-z0-9_]+)*/g;

const identifierForms = [
  // camelCase, snake_case, --flag
  /[a-z][A-Z]/,
  /[A-Za-z0-9]_[A-Za-z0-9]/,
  /^--[a-z]/,
  // a path or a dotted name: both sides are words, so that 3/4 and 10.30 are none
  /[A-Za-z]{2}[A-Za-z0-9]*[/.][A-Za-z]{2}/,
  // letters and digits joined: INC-204, db03, v1.2.3
  /^(?=.*[A-Za-z])(?=.*\d).*[-.]/,
  // a hash
  /^(?=.*[a-f])(?=.*\d)[0-9a-f]{7,40}$/,
];

function isIdentifier(token: string): boolean {
  if (token.length < 4 || token.length > 60) return false;
  return identifierForms.some((form) => form.test(token));
}
