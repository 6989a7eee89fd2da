import { asDay, dateOf, monthOf } from "./note-date.ts";
import { findPathProblem, isHiddenPart } from "./note-path.ts";

/** Where the note of a day lies. */
export interface DailyPattern {
  pathOf(day: string): string;
  /** The day of a note by its path: as the pattern puts it, else as common tools do. Null for a note of no day. */
  dateOf(path: string): string | null;
  /** Changes with the dates that it gives; empty for the usual ones. */
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
  /** Letters of the format, and texts between them in brackets. */
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

/** What a token says of the day: its year, its month, its day, or nothing. */
function kindOf(token: string): string {
  if (/^M+$/.test(token)) return "M";
  return token === "DD" || token === "D" || token === "Do" ? "D" : token;
}

function partSource(part: string | DatePart): string {
  if (typeof part === "string") return escapeSource(part);
  return part.tokens.map((token) => tokenSource(token)).join("");
}

/** Each letter of a date is one group, other texts are none. Names are read in whatever language they are written. */
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
