import { monthNumber, shortMonthNumber } from "../text/months.ts";
import { once } from "../text/once.ts";
import { textPattern } from "../text/text-pattern.ts";
import { foldWord } from "../text/words/fold.ts";

/**
 * The days that a query names: `2025-03-04`, or `-03-04` without a year. Understands ISO dates, numbers with dots or
 * slashes, month names in the languages of `text/months.ts`, English and German ordinal words ("the third of March"), and
 * 2025年3月4日 or 三月四号. A date that is only a limit ("before 4 March") does not count.
 */
export function namedDays(query: string): string[] {
  if (!dayHint.test(query)) return [];
  const days = new Set<string>();
  const add = (at: number, year = "", month = "", day = ""): void => {
    const isDay = isBetween(month, 1, 12) && isBetween(day, 1, 31);
    if (isDay && !limit.test(query.slice(0, at))) days.add(`${year}-${twoDigits(month)}-${twoDigits(day)}`);
  };
  for (const { index, 1: year, 2: month, 3: day } of query.matchAll(isoDay)) add(index, year, month, day);
  for (const { index, 1: year, 2: month, 3: day } of query.matchAll(compactDay)) add(index, year, month, day);
  for (const { index, 1: day, 2: month, 3: year } of query.matchAll(dottedDay)) add(index, year, month, day);
  for (const { index, 1: day, 2: month } of query.matchAll(dottedDayOfAnyYear)) add(index, "", month, day);
  for (const { index, 1: first, 2: second, 3: year } of query.matchAll(slashedDay)) {
    // 3/4/2025 is in March or in April, depending on the writer.
    add(index, year, first, second);
    add(index, year, second, first);
  }
  for (const { index, 1: year, 2: month, 3: day } of query.matchAll(eastAsianDay)) {
    add(index, hanDigits(year), hanNumber(month), hanNumber(day));
  }

  const words = [...query.matchAll(writtenWord(query))]
    .map(({ index, 0: word }) => ({ index, text: foldWord(word) }))
    .filter(({ text }) => !between.has(text));
  for (let at = words.length - 1; at > 0; at--) {
    const [tens, ones] = [words[at - 1]!, words[at]!];
    const text = tens.text + ones.text;
    // "twenty-first" is two words.
    if (/^t(?:wen|hir)ty$/.test(tens.text) && ordinals().has(text))
      words.splice(at - 1, 2, { ...tens, text });
  }
  for (const [at, { index, text }] of words.entries()) {
    const month = monthOf(text);
    if (month === undefined) continue;
    const [before, after, last] = [words[at - 1], words[at + 1], words[at + 2]];
    const [dayBefore, dayAfter] = [dayOf(before?.text), dayOf(after?.text)];
    if (dayBefore !== undefined) add(before!.index, yearOf(after?.text), month, dayBefore);
    else if (dayAfter !== undefined) add(index, yearOf(last?.text), month, dayAfter);
  }
  return [...days];
}

/**
 * The months that a query names without a day or a year, as `03`: "in March", "last May", "im März", 3月. Some months are
 * ordinary words too ("may", "march"), so a word that introduces a month must be right before them.
 */
export function namedMonths(query: string): string[] {
  const months = new Set<string>();
  for (const [, month = ""] of query.matchAll(eastAsianMonth)) {
    const number = hanNumber(month);
    if (isBetween(number, 1, 12)) months.add(twoDigits(number));
  }
  const words = [...query.matchAll(writtenWord(query))];
  const textAt = (at: number): string => foldWord(words[at]?.[0] ?? "");
  for (let at = 1; at < words.length; at++) {
    const month = monthNumber(textAt(at));
    if (month === undefined) continue;
    const { index, 0: before } = words[at - 1]!;
    const isNextTo = query.slice(index + before.length, words[at]!.index).trim() === "";
    // "The last march" is an event.
    const isOneOf = textAt(at - 1) === "last" && determiner.test(textAt(at - 2));
    if (!isNextTo || isOneOf || !introducesMonth.has(textAt(at - 1))) continue;
    if (yearOf(textAt(at + 1)) === undefined && dayOf(textAt(at + 1)) === undefined) months.add(month);
  }
  return [...months];
}

/** The latest such month that is not in the future and the one a year before, as `2025-03`; the notes may lack the first. */
export function latestMonths(month: string, today: string): string[] {
  const year = Number(today.slice(0, 4)) - (month <= today.slice(5, 7) ? 0 : 1);
  return [`${year}-${month}`, `${year - 1}-${month}`];
}

const introducesMonth = new Set(
  "in during last this im letzten vergangenen vorigen diesen en durant pendant durante em nel afgelopen vorige".split(
    " ",
  ),
);
const determiner = /^(?:the|our|their|my|his|her|your|a)$/;
const eastAsianMonth =
  /(?<![\d０-９一二三四五六七八九十年년]\s?)(\d{1,2}|[一二三四五六七八九]|十[一二]?)\s?[月월](?!\s?(?:\d|[一二三四五六七八九十]+\s?[日号號일]))/g;

/** Whether a note's date is one of the named days. */
export function isNamedDay(date: string | undefined, days: readonly string[]): boolean {
  return date !== undefined && days.some((day) => date.endsWith(day));
}

/** Every day has a digit, a Chinese month or an ordinal word. Most queries have none and need no closer look. */
const dayHint =
  /[\d０-９月]|first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|teen|tie)th|(?:er|sech|ig)ste|(?:zwei|drit|vier|nf|sieb|ach|neun|zehn|lf)te/i;
const isoDay = /(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/g;
const compactDay = /(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)/g;
const dottedDay = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\.?\d)/g;
/** "4.3." is a day in German; anywhere else it may be a version at the end of a sentence. */
const dottedDayOfAnyYear = /(?<=\b(?:am|vom|den|dem|zum|ab)\s)(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)/gi;
const slashedDay = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g;
const eastAsianDay =
  /(?:(\d{4}|[〇零一二三四五六七八九]{4})\s?[年년]\s?)?(\d{1,2}|[一二三四五六七八九十]{1,2})\s?[月월]\s?(\d{1,2}|[一二三四五六七八九十]{1,3})\s?[日号號일]/g;
const writtenWord = textPattern(String.raw`[\p{L}\p{M}\p{N}]+`, "g");
/** Words between a day, its month and its year: "4th of March", "4 de marzo de 2025", "March the 4th". */
const between = new Set(["of", "the", "de", "del", "d"]);
const limit =
  /(?:^|\s)(?:before|after|since|until|till|vor|nach|seit|bis|avant|apr[eè]s|depuis|antes|despu[eé]s|desde|hasta|prima|dopo|dal|voor|na|sinds|tot)\s+(?:(?:the|dem|le|del?|el|il|o|a)\s+)?$/i;

const hanDigit = "零一二三四五六七八九";

/** 二〇二五 as 2025; digits stay. */
function hanDigits(text: string | undefined): string | undefined {
  return text?.replace(/\D/g, (digit) => String(Math.max(0, hanDigit.indexOf(digit))));
}

/** 四 as 4, 十二 as 12, 二十三 as 23; digits stay. */
function hanNumber(text = ""): string {
  const [tens, ones] = text.split("十");
  if (ones === undefined) return hanDigits(text)!;
  return `${hanDigits(tens) || "1"}${hanDigits(ones) || "0"}`;
}

function monthOf(folded: string): string | undefined {
  return monthNumber(folded) ?? shortMonthNumber(folded);
}

/** Whether a word of a query is a number or a month, so it can be part of a date. */
export function isPartOfDay(word: string): boolean {
  return (
    /^(?:\d+(?:st|nd|rd|th)?|t(?:wen|hir)ty)$/.test(word) ||
    ordinals().has(word) ||
    monthOf(word) !== undefined
  );
}

function dayOf(word: string | undefined): string | undefined {
  return /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? "")?.[1] ?? ordinals().get(word ?? "");
}

const englishOnes = "first second third fourth fifth sixth seventh eighth ninth".split(" ");
const englishTeens =
  "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  );
const germanOnes = "erste zweite dritte vierte funfte sechste siebte achte neunte".split(" ");
const germanTeens =
  "zehnte elfte zwolfte dreizehnte vierzehnte funfzehnte sechzehnte siebzehnte achtzehnte neunzehnte".split(
    " ",
  );
const germanUnits = "ein zwei drei vier funf sechs sieben acht neun".split(" ");

/** Days as folded ordinal words. They count only beside a month. */
const ordinals = once(() => {
  const english = [...englishOnes, ...englishTeens, "twentieth", ...englishOnes.map((one) => `twenty${one}`)];
  const german = [
    ...germanOnes,
    ...germanTeens,
    "zwanzigste",
    ...germanUnits.map((u) => `${u}undzwanzigste`),
  ];
  const days = new Map<string, string>();
  for (const [index, word] of [...english, "thirtieth", "thirtyfirst"].entries())
    days.set(word, `${index + 1}`);
  for (const [index, word] of [...german, "dreissigste", "einunddreissigste"].entries()) {
    for (const ending of ["", "n", "r", "s"]) days.set(word + ending, `${index + 1}`);
  }
  return days;
});

function yearOf(word: string | undefined): string | undefined {
  return /^(?:19|20)\d\d$/.exec(word ?? "")?.[0];
}

function isBetween(digits: string, low: number, high: number): boolean {
  return Number(digits) >= low && Number(digits) <= high;
}

function twoDigits(digits: string): string {
  return digits.padStart(2, "0");
}

/**
 * Tokens for the dates of a query. Dated notes are named like `2023-05-08.md`, which is indexed as the joined
 * neighbours `2023.05` and `05.08`; a query says "May 2023" or "8 May". `words` are those of the query, folded.
 */
export function dateTokens(query: string, words: readonly string[]): string[] {
  const tokens = new Set<string>();
  for (const [index, word] of words.entries()) {
    const month = monthOf(word);
    if (month === undefined) continue;
    for (const near of [index + 1, index + 2, index - 1]) {
      const year = yearOf(words[near]);
      if (year) tokens.add(`${year}.${month}`);
    }
    for (const near of [index - 1, index + 1]) {
      const day = dayOf(words[near]);
      if (day) tokens.add(`${month}.${twoDigits(day)}`);
    }
  }
  for (const named of namedDays(query)) {
    const [year, month, day] = named.split("-");
    if (year) tokens.add(`${year}.${month}`);
    tokens.add(`${month}.${day}`);
  }
  return [...tokens];
}
