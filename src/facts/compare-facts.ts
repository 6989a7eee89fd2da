import { isAscii } from "../text/ascii.ts";
import { once } from "../text/once.ts";
import { textPattern } from "../text/text-pattern.ts";
import { type ExactParts, readExactParts, sharesExactParts } from "./exact-parts.ts";
import { type FactToken, isSameWord } from "./fact-tokens.ts";
import { findChange } from "./find-change.ts";
import { splitDay } from "./is-newer.ts";
import { contextOf, isUnderSame, type LineContext, sharesContext, subjectOf } from "./line-context.ts";
import { type Fact, foldHeading, isNews, readFacts, scopesOf } from "./read-fact.ts";

/** A line of a note, with its context. */
export interface FactLine {
  /** As written, including the bullet. */
  readonly text: string;
  /** Of its note. A note called Anna is about Anna, even without a heading. */
  readonly path?: string;
  /** The headings above it, outermost first. */
  readonly headings?: readonly string[];
  /** `YYYY-MM-DD` of its note or entry. An event on two days is two events. */
  readonly date?: string;
}

/**
 * How two lines relate.
 *
 * `same`: equal except for the case of first letters, spacing, bullets and punctuation. `near-duplicate`: the newer
 * line adds nothing to the older one. `supersedes`: the newer line contradicts the older one. `unrelated`: everything
 * else, and whatever is uncertain.
 */
export type FactRelation =
  | { readonly kind: "same" }
  | { readonly kind: "near-duplicate" }
  | {
      readonly kind: "supersedes";
      /** The subject, in words of the lines: `ship`. Empty if no word names it. */
      readonly about: string;
      /** The values that differ; absent if the newer line only denies the older one. */
      readonly before?: string;
      readonly after?: string;
    }
  | { readonly kind: "unrelated" };

const unrelated = { kind: "unrelated" } as const;

/** The longer words of a line, and the single characters of scripts without spaces. */
export function wordsOfLine(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  if (isAscii(text)) return new Set(lower.match(/[a-z][a-z0-9]{2,}/g));
  return new Set(lower.match(/[\u3040-\u30ff\u3400-\u9fff]|[a-z0-9\u00df-\u024f\u0370-\u1fff]{3,}/g));
}

/** How many words a line may have beyond those it shares with the other. */
const maxAdded = 6;

/**
 * A microsecond test before the real comparison: lines that repeat or contradict each other share half of their words
 * and add few. False means that comparing them would give `unrelated`.
 */
export function mayRelate(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  if (few.size < 2 || many.size > 2 * few.size + maxAdded) return false;
  let shared = 0;
  for (const word of few) if (many.has(word)) shared++;
  return shared > 0 && shared * 2 >= few.size && many.size - shared <= maxAdded;
}

/** A line prepared for many comparisons. Parts are read lazily, because most comparisons need few. */
export interface ReadLine extends LineContext {
  readonly facts: readonly Fact[];
  /** The line itself says that something changed. */
  readonly isNews: boolean;
  /** Equal for lines with the same wording. */
  readonly letters: string;
  /** What a paraphrase must not change. */
  readonly exact: ExactParts;
  readonly date?: string;
  /** The day written after the line. */
  readonly ownDay?: string;
}

export function readLine({ text: written, path, headings = [], date: dateOfNote }: FactLine): ReadLine {
  const { said: text, day } = splitDay(written);
  const date = dateOfNote ?? day;
  const facts = once(() => readFacts(text));
  const isNewsLine = once(() => isNews(text));
  const letters = once(() => lettersOf(text));
  const exact = once(() => readExactParts(text));
  const subject = once(() => (path === undefined ? "" : subjectOf(path)));
  const context = once(() => contextOf(headings));
  const scopes = once(() => {
    const all = [scopesOf(context().join("\n")), ...facts().map((fact) => fact.scopes)].join(" ");
    return [...new Set(all.split(" "))].sort().join(" ").trim();
  });
  return {
    get facts() {
      return facts();
    },
    get isNews() {
      return isNewsLine();
    },
    get letters() {
      return letters();
    },
    get exact() {
      return exact();
    },
    get subject() {
      return subject();
    },
    get context() {
      return context();
    },
    get scopes() {
      return scopes();
    },
    ...(date === undefined ? {} : { date }),
    ...(day === undefined ? {} : { ownDay: day }),
  };
}

/**
 * Compares two lines without a model: same subject, same attribute, different value. Pure, takes tens of microseconds,
 * and prefers missing a change to reporting a false one. The caller decides which line is newer; see `isNewer`.
 */
export function compareFacts(older: ReadLine, newer: ReadLine): FactRelation {
  if (older.facts.length === 0 || newer.facts.length === 0) return unrelated;
  if (!sharesContext(older, newer)) return unrelated;
  const isSameDay = older.date === newer.date;
  // The same words with two different days are two facts, such as two weights.
  const hasOtherDay =
    older.ownDay !== undefined && newer.ownDay !== undefined && older.ownDay !== newer.ownDay;
  const mayRepeat = !hasOtherDay && (isSameDay || !newer.facts.some(({ isPast }) => isPast));
  if (older.letters === newer.letters) {
    return mayRepeat && sharesExactParts(older.exact, newer.exact) ? { kind: "same" } : unrelated;
  }
  const isKnown =
    older.facts.length === newer.facts.length &&
    newer.facts.every((fact, at) => tellsNothingNew(older.facts[at]!, fact)) &&
    sharesExactParts(older.exact, newer.exact);
  if (isKnown) return mayRepeat ? { kind: "near-duplicate" } : unrelated;
  for (const fact of newer.facts) {
    for (const known of older.facts) {
      if (isSpeech(older, known) || isSpeech(newer, fact)) continue;
      const change = findChange(known, fact, {
        isUnderSame: isUnderSame(older, newer),
        isDiary: older.date !== undefined && newer.date !== undefined && !isSameDay,
      });
      if (change !== null) return { kind: "supersedes", ...change };
    }
  }
  return unrelated;
}

/**
 * "Anna: Good. See you there.": before the first of several sentences, a word with a colon names a speaker, not a key.
 */
function isSpeech({ facts }: ReadLine, fact: Fact): boolean {
  return facts.length > 1 && fact.tokens.some(({ link }) => /[:：]/u.test(link));
}

const prose = textPattern(String.raw`[^\p{L}\p{N}%€$£+#<>=-]+`, "g");

function lettersOf(text: string): string {
  const folded = foldHeading(text);
  return folded.replace(prose(folded), " ").trim();
}

function tellsNothingNew(known: Fact, said: Fact): boolean {
  if (known.denials !== said.denials || known.limits !== said.limits || known.scopes !== said.scopes)
    return false;
  if (said.manner !== "" && said.manner !== known.manner) return false;
  if (known.isQuestion !== said.isQuestion || known.isPlanned !== said.isPlanned) return false;
  if (
    known.isPast !== said.isPast ||
    known.isAdded !== said.isAdded ||
    known.namesChange !== said.namesChange
  )
    return false;
  // "Has been in Berlin" does not mean "is in Berlin".
  if (/\bbeen\b/.test(known.text) !== /\bbeen\b/.test(said.text)) return false;
  if (known.persons !== said.persons && known.persons !== "" && said.persons !== "") return false;
  if (known.tokens.length !== said.tokens.length) return false;
  if (known.tokens.every((token, at) => isSameWord(token, said.tokens[at]!))) {
    return known.tokens.every(
      (token, at) => !turns(token, said.tokens[at]!) && isAsOften(token, said.tokens[at]!),
    );
  }
  // A different word order means the same only if no two values of the same kind can have swapped places.
  const [left, right] = [known.tokens, said.tokens].map((tokens) => tokens.map(({ key }) => key).sort());
  return (
    left!.length <= 3 &&
    left!.join("\n") === right!.join("\n") &&
    kindsOnce(said.tokens) &&
    sameWords(known.tokens, said.tokens)
  );
}

function sameWords(left: readonly FactToken[], right: readonly FactToken[]): boolean {
  const [known, said] = [left, right].map((tokens) =>
    tokens.filter(({ kind, text }) => kind === "word" && !only.test(text)),
  );
  return known!.length === said!.length && known!.every((token, at) => isSameWord(token, said![at]!));
}

/** May come before or after the word it limits. */
const only = /^(?:only|nur|seulement|uniquement|solo|solamente|只|仅)$/u;

/** "To Anna" and "from Anna", "this server" and "that server". */
function turns(left: FactToken, right: FactToken): boolean {
  return [directions, demonstratives].some((words) => {
    const [a, b] = [left.link, right.link].map((link) =>
      link
        .split(" ")
        .filter((word) => words.has(word))
        .join(" "),
    );
    return a !== "" && b !== "" && a !== b;
  });
}

const demonstratives = new Set("this that these those 这 那".split(" "));

/** "On Friday" is one day, "on Fridays" is every week. */
function isAsOften(left: FactToken, right: FactToken): boolean {
  return left.kind !== "weekday" || right.kind !== "weekday" || isHabit(left) === isHabit(right);
}

function isHabit({ text, link }: FactToken): boolean {
  return (
    (text.endsWith("s") && !/^(?:lunes|martes|miercoles|jueves|viernes)$/.test(text)) || /\blos$/.test(link)
  );
}

const directions = new Set(
  "to from for by with in on at von fur mit bei zu im am auf an um aus zum zur para con por en pour avec dans sur au aux".split(
    " ",
  ),
);

function kindsOnce(tokens: readonly FactToken[]): boolean {
  const values = tokens.filter(({ kind }) => kind !== "word");
  return values.length === 1 && tokens.length - values.length <= 2;
}
