import { sha256 } from "../../text/hash.ts";
import { foldWord } from "../../text/words/fold.ts";
import type { Place, Question } from "../question.ts";
import {
  createRareWords,
  fewPlaces,
  isLongEnough,
  type LinePlace,
  type NoteText,
  type RareWords,
  type ReadNote,
  readNote,
  wordsOf,
} from "./read-note.ts";

/** Kinds of generated questions, also used as row names of the report. */
export const questionKinds = ["heading", "name", "identifier", "date", "value", "definition"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/**
 * Questions that the notes answer, made from the notes themselves and without a model. The same notes always give the
 * same questions, and a new note changes few of them: drafts are ordered by a hash of their own text.
 */
export function generateQuestions(
  notes: readonly NoteText[],
  { limit, kinds = questionKinds }: { limit: number; kinds?: readonly QuestionKind[] },
): Question[] {
  const read = notes.toSorted((left, right) => (left.path < right.path ? -1 : 1)).map(readNote);
  const rare = createRareWords(read);
  const makers: Record<QuestionKind, () => Draft[]> = {
    heading: () => askAboutHeadings(read),
    name: () => askAboutNames(read, rare),
    identifier: () => askAboutIdentifiers(read),
    date: () => askAboutDates(read, rare),
    value: () => askAboutValues(read),
    definition: () => askAboutDefinitions(read),
  };
  const lines = kinds.map((kind) => ({ kind, drafts: shuffle(makers[kind]()) }));
  return takeAlternately(lines, limit);
}

/** Alternates between the kinds until the limit. */
function takeAlternately(
  lines: readonly { kind: QuestionKind; drafts: readonly Draft[] }[],
  limit: number,
): Question[] {
  const taken: Question[] = [];
  const asked = new Set<string>();
  const longest = Math.max(0, ...lines.map(({ drafts }) => drafts.length));
  for (let turn = 0; turn < longest && taken.length < limit; turn++) {
    for (const { kind, drafts } of lines) {
      const draft = drafts[turn];
      if (draft === undefined || asked.has(draft.query) || taken.length >= limit) continue;
      asked.add(draft.query);
      const { query, gold, lang } = draft;
      taken.push({ id: `${kind}-${turn + 1}`, query, lang: lang ?? "unknown", category: kind, gold });
    }
  }
  return taken;
}

function shuffle(drafts: readonly Draft[]): Draft[] {
  return drafts
    .map((draft) => ({ draft, key: sha256(`${draft.query}\n${draft.gold[0]?.path}`) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ draft }) => draft);
}

/** A question that could be asked. */
interface Draft {
  readonly query: string;
  readonly lang: string | null;
  readonly gold: readonly Place[];
}

/**
 * An English sentence for English notes, only the keywords for all others: a question in two languages would test that
 * mixture.
 */
function draftQuestion(
  note: ReadNote,
  { sentence, words, gold }: { sentence: string; words: string; gold: readonly Place[] },
): Draft {
  return { query: note.language === "en" ? sentence : words, lang: note.language, gold };
}

function goldOf({ note, line }: LinePlace): Place {
  return { path: note.path, startLine: line.number, endLine: line.number };
}

/** Text without Markdown syntax, in one line. */
function plainText(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** "what happened on <date>, about <rare words>": a line of a dated note, by the day and two of its rare words. */
function askAboutDates(notes: readonly ReadNote[], rare: RareWords): Draft[] {
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

interface Definition {
  readonly note: ReadNote;
  readonly term: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** "what does <term> mean" for `- term — meaning`, `**term** - meaning`, and a term with `: meaning` below it. */
function askAboutDefinitions(notes: readonly ReadNote[]): Draft[] {
  const found = notes.flatMap(findDefinitions);
  const byTerm = Map.groupBy(found, ({ term }) => term.toLowerCase());
  return [...byTerm.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length > 0) return [];
    const { note, term, startLine, endLine } = first;
    const gold = [{ path: note.path, startLine, endLine }];
    return [draftQuestion(note, { sentence: `what does ${term} mean`, words: term, gold })];
  });
}

function findDefinitions(note: ReadNote): Definition[] {
  return note.lines.flatMap((line, index): Definition[] => {
    if (line.kind !== "text") return [];
    const next = note.lines[index + 1];
    const isTermAbove = next?.kind === "text" && /^:\s+\S/.test(next.text) && !/^:\s/.test(line.text);
    const inLine = inOneLine.map((form) => form.exec(line.text)?.groups?.["term"]).find(Boolean);
    const term = plainText(isTermAbove ? line.text : (inLine ?? ""));
    if (term.length < 2 || term.length > 50 || !/\p{L}/u.test(term)) return [];
    const endLine = isTermAbove ? line.number + 1 : line.number;
    return [{ note, term, startLine: line.number, endLine }];
  });
}

const inOneLine = [
  /^\s*[-*+]\s+(?<term>[^—–:.!?]{2,50}?)\s+[—–]\s+\S/u,
  /^\s*(?:[-*+]\s+)?(?<term>(?:\*\*|__)[^*_]{2,50}(?:\*\*|__))\s*[—–-]\s+\S/u,
];

/** "what about <heading>", answered by the section. Repeated headings are ambiguous and skipped. */
function askAboutHeadings(notes: readonly ReadNote[]): Draft[] {
  const found = notes.flatMap((note) =>
    note.sections
      .filter(({ startLine, endLine }) => endLine > startLine)
      .map((section) => ({ note, section, title: plainText(section.heading) }))
      .filter(({ title }) => title.length <= 80 && /\p{L}{2}/u.test(title)),
  );
  const byTitle = Map.groupBy(found, ({ title }) => title.toLowerCase());
  return [...byTitle.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length > 0) return [];
    const { note, section, title } = first;
    const gold = [{ path: note.path, startLine: section.startLine, endLine: section.endLine }];
    return [draftQuestion(note, { sentence: `what about ${title}`, words: title, gold })];
  });
}

/** "what is <identifier>": identifiers that occur on few lines of all notes. */
function askAboutIdentifiers(notes: readonly ReadNote[]): Draft[] {
  const places = new Map<string, LinePlace[]>();
  for (const note of notes) {
    for (const line of note.lines) {
      for (const token of new Set(line.text.match(tokenLike))) {
        if (!isIdentifier(token)) continue;
        const known = places.get(token);
        if (known === undefined) places.set(token, [{ note, line }]);
        // One more than allowed is enough to know that it is too common.
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

/** "what do we know about <name>": capitalised words inside a sentence that occur on few lines of all notes. */
function askAboutNames(notes: readonly ReadNote[], rare: RareWords): Draft[] {
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

/** After a lower-case word, a capital starts neither a sentence nor continues a longer name. */
const nameInside =
  /(?<=(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]*[,;]? )\p{Lu}\p{Ll}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,3}/gu;

interface Entry extends LinePlace {
  readonly key: string;
  readonly heading: string | null;
}

/** "what is the <key>" for lines `key: value`; with the heading where the key alone is ambiguous. */
function askAboutValues(notes: readonly ReadNote[]): Draft[] {
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

/** A few words, a colon and a value; optionally a list item or bold. */
const keyLine =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?<key>(?:\*\*|__)?\p{L}[\p{L}\p{M}\p{N} _/()'’-]{1,40}(?:\*\*|__)?)\s*(?::(?:\*\*|__)?\s+|：(?:\*\*|__)?\s*)\S/u;
