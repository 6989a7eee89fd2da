import { isDay } from "../text/day.ts";
import { monthNumber, shortMonthNumber } from "../text/months.ts";
import { once } from "../text/once.ts";
import { foldWord } from "../text/words/fold.ts";
import { findPathProblem, isHiddenPart } from "./note-path.ts";

/** The path of each day's note. */
export interface DailyPattern {
  pathOf(day: string): string;
  /** The day of a note by its path: by the pattern, else as common tools name notes. Null for an undated note. */
  dateOf(path: string): string | null;
  /** Changes with the dates it returns; empty for the default ones. */
  readonly id: string;
}

export const defaultDailyPattern = "memory/{date}.md";

/**
 * Reads a pattern such as `Journal/{date}.md`. `{date}` is `YYYY-MM-DD`; `{date:YYYY/MM/DD-MM-YYYY}` has the letters of
 * moment.js, which Obsidian and others use. A pattern without a date is one note for everything.
 */
export function createDailyPattern(pattern: string): DailyPattern {
  const parts = splitPattern(pattern);
  const names = parts.filter((part) => typeof part !== "string").flatMap(({ tokens }) => tokens);
  const isReadable = ["YYYY", "M", "D"].every((kind) => names.some((token) => kindOf(token) === kind));
  const isUsual = pattern.endsWith("{date}.md") || !isReadable;
  const matcher = isUsual ? null : new RegExp(`^${parts.map(partSource).join("")}$`, "u");
  return {
    id: isUsual ? "" : pattern,
    pathOf: (day) => parts.map((part) => (typeof part === "string" ? part : part.format(day))).join(""),
    dateOf(path) {
      const found = matcher?.exec(path);
      return (found ? readDay(names, found.slice(1)) : null) ?? dateOf(path);
    },
  };
}

/** Why a pattern cannot be used, as the end of a sentence that begins with its name; null when it can. */
export function findPatternProblem(pattern: string): string | null {
  if (!pattern.endsWith(".md")) return "must end in .md";
  const unknown = /\{[^{}]*\}/.exec(pattern.replaceAll(placeholder, ""));
  if (unknown !== null) return `has ${unknown[0]} in it; only {date} and {date:FORMAT} are known`;
  const letters = splitPattern(pattern)
    .filter((part) => typeof part !== "string")
    .flatMap(({ tokens }) => tokens)
    .find((token) => /^[A-Za-z]+$/.test(token) && !Object.hasOwn(writers, token));
  if (letters !== undefined) {
    return `has ${letters} in its date, which is not known; use ${Object.keys(writers).join(", ")}, and [brackets] around other letters`;
  }
  const sample = createDailyPattern(pattern).pathOf("2025-03-04");
  const problem = findPathProblem(sample);
  if (problem !== null) return `must be the path of a note, and ${problem}`;
  return sample.split("/").some(isHiddenPart) ? "must not be in a hidden folder or in node_modules" : null;
}

const placeholder = /\{date(?::([^{}]*))?\}/g;

interface DatePart {
  /** Format letters, and literal text in brackets. */
  readonly tokens: readonly string[];
  format(day: string): string;
}

function splitPattern(pattern: string): (string | DatePart)[] {
  const parts: (string | DatePart)[] = [];
  let end = 0;
  for (const { index, 0: text, 1: format = "YYYY-MM-DD" } of pattern.matchAll(placeholder)) {
    parts.push(pattern.slice(end, index), createDatePart(format));
    end = index + text.length;
  }
  return [...parts, pattern.slice(end)];
}

function createDatePart(format: string): DatePart {
  const tokens = format.match(/\[[^\]]*\]|Do|([A-Za-z])\1*|[^A-Za-z[]+|\[/g) ?? [];
  return {
    tokens,
    format(day) {
      const date = new Date(`${day}T00:00:00Z`);
      return tokens.map((token) => writers[token]?.(date) ?? literal(token)).join("");
    },
  };
}

function literal(token: string): string {
  return token.startsWith("[") && token.endsWith("]") ? token.slice(1, -1) : token;
}

const months = "January February March April May June July August September October November December".split(
  " ",
);
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const twoDigits = (value: number): string => String(value).padStart(2, "0");

const writers: Readonly<Record<string, (date: Date) => string>> = {
  YYYY: (date) => String(date.getUTCFullYear()).padStart(4, "0"),
  MMMM: (date) => months[date.getUTCMonth()]!,
  MMM: (date) => months[date.getUTCMonth()]!.slice(0, 3),
  MM: (date) => twoDigits(date.getUTCMonth() + 1),
  M: (date) => String(date.getUTCMonth() + 1),
  DD: (date) => twoDigits(date.getUTCDate()),
  Do: (date) => `${date.getUTCDate()}${ordinalEnd(date.getUTCDate())}`,
  D: (date) => String(date.getUTCDate()),
  dddd: (date) => weekdays[date.getUTCDay()]!,
  ddd: (date) => weekdays[date.getUTCDay()]!.slice(0, 3),
};

function ordinalEnd(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

/** Which part of the date a token gives: year, month, day, or none. */
function kindOf(token: string): string {
  if (/^M+$/.test(token)) return "M";
  return token === "DD" || token === "D" || token === "Do" ? "D" : token;
}

function partSource(part: string | DatePart): string {
  if (typeof part === "string") return escapeSource(part);
  return part.tokens.map((token) => tokenSource(token)).join("");
}

/** One capture group for each date token, none for other text. Month names are read in any known language. */
function tokenSource(token: string): string {
  if (!Object.hasOwn(writers, token)) return escapeSource(literal(token));
  if (token === "YYYY") return "(\\d{4})";
  if (token === "MM" || token === "DD") return "(\\d{2})";
  if (token === "Do") return "(\\d{1,2})\\p{L}*";
  return token === "M" || token === "D" ? "(\\d{1,2})" : "(\\p{L}+\\.?)";
}

function escapeSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function readDay(tokens: readonly string[], found: readonly string[]): string | null {
  const letters = tokens.filter((token) => Object.hasOwn(writers, token));
  const partOf = (kind: string) => found[letters.findIndex((token) => kindOf(token) === kind)];
  const month = partOf("M") ?? "";
  return asDay(partOf("YYYY"), /^\d/.test(month) ? month : monthOf(month), partOf("D"));
}

/**
 * The day a note is about, `YYYY-MM-DD`, by its name: a real calendar day in the formats of common tools. A name whose
 * day and month could be swapped (03-04-2025) is ignored; `notes.daily` can read it.
 */
export function dateOf(path: string): string | null {
  if (!path.endsWith(".md")) return null;
  const whole = path.slice(0, -".md".length);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  // Nearly all note names have no year in them.
  if (!/\d{4}|\/\d\d$/.test(name) && !/\/\d{2}(?:-[^/]*)?\/\d{2}$/.test(whole)) return null;
  for (const pattern of numericNames()) {
    const found = pattern.exec(name)?.groups;
    if (found) return asDay(found["year"], found["month"], found["day"]);
  }
  const inFolders = folderDay.exec(whole)?.groups;
  if (inFolders) return asDay(inFolders["year"], inFolders["month"], inFolders["day"]);
  return writtenDay(name);
}

/** A calendar day, or null when these numbers are not one. */
function asDay(year = "", month = "", day = ""): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(text) ? text : null;
}

/** `03` for the name of a month in any language that longhand knows, or for its abbreviation. */
function monthOf(name: string): string | undefined {
  const folded = foldWord(name.replace(/\.$/, ""));
  return monthNumber(folded) ?? shortMonthNumber(folded);
}

const numericNames = once((): readonly RegExp[] => [
  // 2025-03-04, 2025-03-04-planning, 2025-03-04 Tuesday
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?![\p{L}\p{N}])/u,
  // 2025_03_04 (Logseq)
  /^(?<year>\d{4})_(?<month>\d{2})_(?<day>\d{2})(?![\p{L}\p{N}])/u,
  // daily.journal.2025.03.04 (Dendron)
  /(?:^|\.)(?<year>\d{4})\.(?<month>\d{2})\.(?<day>\d{2})(?![\p{L}\p{N}])/u,
  // 20250304, 202503041530 Title (zettels)
  /^(?<year>(?:19|20)\d\d)(?<month>\d{2})(?<day>\d{2})(?:\d{4}(?:\d{2})?)?(?![\p{L}\p{N}])/u,
  // 04.03.2025: with dots the day comes first
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?![\p{L}\p{N}])/u,
  // Meeting 2025-03-04
  / (?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/u,
]);

/** 2025/03/04, 2025/03-March/04 */
const folderDay = /(?:^|\/)(?<year>\d{4})\/(?<month>\d{2})(?:-[^/]*)?\/(?<day>\d{2})$/;

/** March 4th, 2025 · Mar 4, 2025 · 4 March 2025 · Tuesday, March 4th 2025 */
function writtenDay(name: string): string | null {
  const parts =
    /^(?:\p{L}+, )?(?:(\p{L}+\.?) (\d{1,2})|(\d{1,2})\.? (\p{L}+\.?))(?:st|nd|rd|th)?,? (\d{4})$/u.exec(name);
  if (parts === null) return null;
  const month = monthOf(parts[1] ?? parts[4] ?? "");
  return month === undefined ? null : asDay(parts[5], month, parts[2] ?? parts[3]);
}
