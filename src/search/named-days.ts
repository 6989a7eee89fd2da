import { monthNumber } from "../text/months.ts";
import { foldWord } from "../text/words/fold.ts";

/**
 * The days that a question names: `2025-03-04`, or `-03-04` where it gives no year. Understands ISO dates, numbers with
 * dots or slashes, names of months in the languages of `text/months.ts`, and 2025年3月4日. A day that only limits another
 * ("before 4 March") is not what the question is about.
 */
export function namedDays(query: string): string[] {
  const days = new Set<string>();
  const add = (at: number, year = "", month = "", day = ""): void => {
    const isDay = isBetween(month, 1, 12) && isBetween(day, 1, 31);
    if (isDay && !limit.test(query.slice(0, at))) days.add(`${year}-${twoDigits(month)}-${twoDigits(day)}`);
  };
  for (const { index, 1: year, 2: month, 3: day } of query.matchAll(isoDay)) add(index, year, month, day);
  for (const { index, 1: day, 2: month, 3: year } of query.matchAll(dottedDay)) add(index, year, month, day);
  for (const { index, 1: first, 2: second, 3: year } of query.matchAll(slashedDay)) {
    // 3/4/2025 is a day in March or in April, depending on who writes it.
    add(index, year, first, second);
    add(index, year, second, first);
  }
  for (const { index, 1: year, 2: month, 3: day } of query.matchAll(eastAsianDay))
    add(index, year, month, day);

  const words = [...query.matchAll(writtenWord)]
    .map(({ index, 0: word }) => ({ index, text: foldWord(word) }))
    .filter(({ text }) => !between.has(text));
  for (const [at, { index, text }] of words.entries()) {
    const month = monthNumber(text);
    if (month === undefined) continue;
    const [before, after, last] = [words[at - 1], words[at + 1], words[at + 2]];
    const [dayBefore, dayAfter] = [dayOf(before?.text), dayOf(after?.text)];
    if (dayBefore !== undefined) add(before!.index, yearOf(after?.text), month, dayBefore);
    else if (dayAfter !== undefined) add(index, yearOf(last?.text), month, dayAfter);
  }
  return [...days];
}

/** Whether a note of this date is of one of the named days. */
export function isNamedDay(date: string | undefined, days: readonly string[]): boolean {
  return date !== undefined && days.some((day) => date.endsWith(day));
}

const isoDay = /(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/g;
const dottedDay = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\.?\d)/g;
const slashedDay = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g;
const eastAsianDay = /(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/g;
const writtenWord = /[\p{L}\p{M}\p{N}]+/gu;
/** Between a day, its month and its year: "4th of March", "4 de marzo de 2025", "March the 4th". */
const between = new Set(["of", "the", "de", "del", "d"]);
const limit =
  /(?:^|\s)(?:before|after|since|until|till|vor|nach|seit|bis|avant|apr[eè]s|depuis|antes|despu[eé]s|desde|hasta|prima|dopo|dal|voor|na|sinds|tot)\s+(?:(?:the|dem|le|del?|el|il|o|a)\s+)?$/i;

function dayOf(word: string | undefined): string | undefined {
  return /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? "")?.[1];
}

function yearOf(word: string | undefined): string | undefined {
  return /^(?:19|20)\d\d$/.exec(word ?? "")?.[0];
}

function isBetween(digits: string, low: number, high: number): boolean {
  return Number(digits) >= low && Number(digits) <= high;
}

function twoDigits(digits: string): string {
  return digits.padStart(2, "0");
}
