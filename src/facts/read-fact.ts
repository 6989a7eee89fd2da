import { isAscii } from "../text/ascii.ts";
import { normaliseEntryLine } from "../text/entry-line.ts";
import { type TextPattern, textPattern } from "../text/text-pattern.ts";
import { hasNewsHint, mayHaveNewsWords, patterns, stripEffective } from "./change-patterns.ts";
import { changeMark, type FactToken, foldText, namesIn, readTokens } from "./fact-tokens.ts";

/** A parsed sentence. */
export interface Fact {
  readonly text: string;
  readonly tokens: readonly FactToken[];
  /** It says that something changed. */
  readonly isNews: boolean;
  /** It describes the change itself: "moved to", "changed from". */
  readonly namesChange: boolean;
  readonly denials: number;
  readonly isAdded: boolean;
  readonly isPlanned: boolean;
  readonly isPast: boolean;
  readonly isQuestion: boolean;
  /** Where it holds: environments, times of day, product plans. */
  readonly scopes: string;
  /** How far it holds: only, except, at least, before … */
  readonly limits: string;
  readonly persons: string;
  /** Since when, why and through which change, and symbols that are not words: C++, €. */
  readonly manner: string;
  /** Keys of tokens that follow "from" or "instead of". */
  readonly left: readonly string[];
}

const sentenceEnd = textPattern(String.raw`(?<=[.!?])\s+(?=[\p{Lu}\p{N}¿¡])|(?<=[。！？；])`);
/** The time before an entry says when it was written, not what holds then. */
const timeWritten = textPattern(
  String.raw`^[([]?\d{1,2}:\d{2}(?::\d{2})?[)\]]?(?:\s*[:–—-]\s+|\s+(?!Uhr)(?=\p{Lu}))`,
);
const tagMark = textPattern(String.raw`(?<=^|[\s([{>,;])#(?=\p{L})`, "g");

/** Longer lines are prose, in which statements about one thing cannot be separated from the rest. */
const maxLineChars = 600;
const maxTokens = 40;

/** The facts that a line states, one per sentence; none if the line is not a statement. */
export function readFacts(line: string): Fact[] {
  return sentencesOf(line)
    .map(readFact)
    .filter(({ tokens }) => tokens.length > 0 && tokens.length <= maxTokens);
}

/** Whether a line says that something changed. Much cheaper than reading its facts. */
export function isNews(line: string): boolean {
  // Of such a line, folding changes no word.
  const lower = line.toLowerCase();
  if (isAscii(line) && !lower.includes("n't") && !hasNewsHint(lower)) return false;
  return mayHaveNewsWords(foldText(line)) && sentencesOf(line).some((each) => readNews(each).isNews);
}

function sentencesOf(line: string): string[] {
  if (line.length > maxLineChars || isNoStatement(line)) return [];
  return plainText(line)
    .split(sentenceEnd(line))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Headings, table rows, quotations, code and open tasks do not state what holds. */
function isNoStatement(line: string): boolean {
  return /^\s*(?:#{1,6}\s|\||>|```|~~~|(?:[-*+]|\d+[.)])\s+\[.\]\s)/.test(line);
}

function plainText(line: string): string {
  return normaliseEntryLine(line)
    .replace(/^\d+[.)] /, "")
    .replace(/^[([]?\d{4}-\d{2}-\d{2}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?[)\]]?\s*[:–—-]?\s+/, "")
    .replace(timeWritten(line), "")
    .replace(/!?\[\[(?:[^\][|\n]*\|)?([^\][|\n]*)\]\]/g, "$1")
    .replace(/\[([^\][\n]*)\]\([^()\s]*\)/g, "$1")
    .replace(tagMark(line), "")
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** A sentence without the words that say that something changed. */
interface News extends Pick<Fact, "isNews" | "namesChange" | "denials"> {
  readonly text: string;
  /** Before those words were removed. */
  readonly whole: string;
  readonly manner: string[];
}

function readNews(sentence: string): News {
  const rules = patterns();
  const manner: string[] = [];
  const labelled = strip(foldText(sentence), rules.newsLabel, "");
  const unlabelled = strip(labelled.text, rules.label, "");
  const reasoned = strip(unlabelled.text, rules.reason, "", manner);
  const effective = stripEffective(reasoned.text, manner);
  // "No more than" is a limit, "no longer" is news.
  const ended = strip(effective.text, rules.ended, keepWhatEnded);
  const now = strip(ended.text, rules.now);
  const changed = strip(now.text, rules.changed, ` ${changeMark} `, manner);
  return {
    text: changed.text,
    whole: reasoned.text,
    isNews: [labelled, effective, ended, now, changed].some(({ count }) => count > 0),
    namesChange: changed.count > 0,
    denials: ended.count,
    manner,
  };
}

function readFact(sentence: string): Fact {
  const rules = patterns();
  const { whole, manner, isNews, namesChange, ...news } = readNews(sentence);
  const isPast =
    !namesChange &&
    (hasMatch(news.text, rules.happened) || hasMatch(sentence.toLowerCase(), [rules.happenedFrench]));
  const { text, count } = strip(news.text, rules.denied);
  manner.push(...allMatches(text, [sign]));
  const { tokens, who } = readTokens(text, namesIn(sentence));
  return {
    ...{ text, tokens, isNews, namesChange, isPast },
    denials: news.denials + count,
    isAdded: hasMatch(news.text, rules.added),
    isPlanned: hasMatch(whole, rules.planned),
    isQuestion: /[?？]\s*$|^¿|吗\s*[。？]?$/.test(foldText(sentence)),
    scopes: scopesOf(text),
    limits: allMatches(news.text, rules.limited).sort().join(" "),
    persons: who,
    manner: manner.join(" "),
    left: leftValues(text, rules.leaving),
  };
}

/** Replaces what the patterns match, counts it, and adds it to `found`. */
function strip(
  text: string,
  patterns: TextPattern | readonly TextPattern[],
  by: string | ((match: string) => string) = " ",
  found?: string[],
): { text: string; count: number } {
  let count = 0;
  let rest = text;
  for (const pattern of [patterns].flat()) {
    rest = rest.replace(pattern(rest), (match) => {
      count++;
      found?.push(match.trim());
      return typeof by === "string" ? by : by(match);
    });
  }
  return { text: rest, count };
}

/** Symbols that are not part of any word and can make a difference. */
const sign = textPattern(String.raw`[+#%<>=&@^\p{Sc}\p{So}]+|(?<![\p{L}\p{N}])[-−](?=\d)`, "g");

/** The scopes that a text names. Also used for headings. */
export function scopesOf(text: string): string {
  return [...new Set(allMatches(text, patterns().scoped))].sort().join(" ");
}

export function foldHeading(heading: string): string {
  return foldText(plainText(heading));
}

const endingWords = textPattern(
  String.raw`^(?:no longer|not|nicht mehr|kein\p{L}*|ya no|ne|n['’ ])|(?:any ?more|any longer|mehr|plus)$|不再|已经不|已不`,
  "g",
);

/** What is between the two halves of "not … any more" is what ended, so it is kept. */
function keepWhatEnded(match: string): string {
  return ` ${match.replace(endingWords(match), " ")} `;
}

function leftValues(text: string, leaving: readonly TextPattern[]): string[] {
  return leaving.flatMap((pattern) =>
    [...text.matchAll(pattern(text))].flatMap(({ index, 0: word }) => {
      const [first] = readTokens(text.slice(index + word.length).slice(0, 60)).tokens;
      return first === undefined || first.link.includes(changeMark) ? [] : [first.key];
    }),
  );
}

function hasMatch(text: string, patterns: readonly TextPattern[]): boolean {
  return patterns.some((pattern) => text.search(pattern(text)) !== -1);
}

function allMatches(text: string, patterns: readonly TextPattern[]): string[] {
  return patterns.flatMap((pattern) => text.match(pattern(text)) ?? []);
}
