import type { LineRange } from "../text/document.ts";
import { normaliseEntryLine, originsOf } from "../text/entry-line.ts";
import { type Heading, outlineMarkdown } from "../text/markdown.ts";
import { atxLevel, fenceLength, isListItem } from "../text/markdown-line.ts";
import { dateOf } from "./daily-pattern.ts";
import type { EntryHeading } from "./entry-text.ts";
import { entriesPath, isLongTerm } from "./note-path.ts";

export interface EntryRequest {
  /** The note's path: it decides the title of a new note. */
  readonly path: string;
  /** As `cleanEntry` gives it. */
  readonly text: string;
  readonly heading?: EntryHeading | undefined;
  /** Goes into a comment: `cli 14:05`. */
  readonly origin?: string | undefined;
  /** Skips the list items that the note has already. */
  readonly onlyNewItems?: boolean | undefined;
  /** Appends it even if the note has it already. */
  readonly repeat?: boolean | undefined;
}

export type EntryPlan =
  | { readonly kind: "duplicate"; readonly lines: LineRange }
  | {
      readonly kind: "append";
      /** Everything to put at the end of the note. */
      readonly addition: string;
      /** Where the entry itself begins in the addition, in lines from 0, and how many lines it has. */
      readonly offset: number;
      readonly count: number;
    };

/**
 * Decides what to append to a note for an entry. Notes are only ever appended to, so an entry for a section that is not
 * the last one repeats that section's heading at the end.
 */
export function planEntry(existing: string, request: EntryRequest): EntryPlan {
  const { path, heading, origin } = request;
  const lines = existing.split("\n");
  const { headings, fenceToClose } = outlineMarkdown(existing, 0);
  const within =
    heading === undefined ? [{ start: 1, end: lines.length }] : findSections(headings, heading, lines.length);
  const duplicate = request.repeat ? null : findEntry(lines, request.text, within);
  if (duplicate !== null) return { kind: "duplicate", lines: duplicate };
  const text = request.onlyNewItems ? keepNewItems(lines, request.text, within) : request.text;
  if (text === "")
    return { kind: "duplicate", lines: findEntry(lines, splitItems(request.text)[0]!, within)! };

  const entry = formatEntry(text, origin);
  // An unclosed code fence would swallow this entry and all that follow.
  const before: string[] = fenceToClose === null ? [] : [fenceToClose];
  const last = lastLine(lines);
  const title = last === null ? titleOf(path) : null;
  if (title !== null) before.push(`# ${title}`);
  if (heading !== undefined && !isSameHeading(headings.at(-1), heading)) {
    if (needsBlank(before.at(-1) ?? last, "")) before.push("");
    before.push(`${"#".repeat(levelOf(headings, heading))} ${heading.text}`);
  }
  if (needsBlank(before.at(-1) ?? last, entry[0]!)) before.push("");

  const needsNewline = existing !== "" && !existing.endsWith("\n");
  const addition = [...(needsNewline ? [""] : []), ...before, ...entry, ""].join("\n");
  const offset = before.length + (needsNewline ? 1 : 0);
  // A note with Windows line ends keeps them.
  const isCrlf = existing[existing.indexOf("\n") - 1] === "\r";
  return {
    kind: "append",
    addition: isCrlf ? addition.replaceAll("\n", "\r\n") : addition,
    offset,
    count: entry.length,
  };
}

/** The items that are not in the note yet, and each of them once. */
function keepNewItems(lines: readonly string[], text: string, within: readonly LineRange[]): string {
  const kept: string[] = [];
  for (const item of splitItems(text)) {
    const before = kept.join("\n").split("\n");
    const isKept = findEntry(before, item, [{ start: 1, end: before.length }]) !== null;
    if (!isKept && findEntry(lines, item, within) === null) kept.push(item);
  }
  return kept.join("\n");
}

/** Splits a list into items with their indented lines, other text into lines. Code blocks stay whole. */
function splitItems(text: string): string[] {
  const items: string[] = [];
  let fence = 0;
  for (const line of text.split("\n")) {
    const isInside = fence > 0 || /^\s+\S/.test(line);
    const bar = fenceLength(line.trimStart(), 0, line.trimStart().length);
    if (bar > 0) fence = fence === 0 ? bar : 0;
    if (isInside && items.length > 0) items[items.length - 1] += `\n${line}`;
    else if (line.trim() !== "") items.push(line);
  }
  return items;
}

/** A plain line becomes a list item. Markdown and text of several lines stay as they are. */
function formatEntry(text: string, origin: string | undefined): string[] {
  const comment = origin === undefined || origin === "" ? null : `<!-- from: ${origin} -->`;
  const isBlock = text.includes("\n") || beginsBlock(text);
  if (isBlock) return comment === null ? text.split("\n") : withOrigin(text.split("\n"), comment);
  return [comment === null ? `- ${text}` : `- ${text} ${comment}`];
}

/** Each list item gets the origin at its end; other blocks get it above. */
function withOrigin(lines: readonly string[], comment: string): string[] {
  const isTopItem = (line: string): boolean => isListItem(line, 0, line.length);
  const isList = lines.every((line) => isTopItem(line) || /^(?:\s|$)/.test(line));
  if (!isList || !isTopItem(lines[0]!) || lines.some(opensFence)) return [comment, ...lines];
  return lines.map((line) => (isTopItem(line) && originsOf(line).length === 0 ? `${line} ${comment}` : line));
}

function opensFence(line: string): boolean {
  return fenceLength(line, line.length - line.trimStart().length, line.length) > 0;
}

function beginsBlock(line: string): boolean {
  const end = line.length;
  if (atxLevel(line, 0, end) > 0 || fenceLength(line, 0, end) > 0 || isListItem(line, 0, end)) return true;
  return /^(?:>|\||<[a-z!/?]|(?:[-*_] ?){3,}$)/i.test(line);
}

/** The last line of a note, which may be blank; null for a note without text. */
function lastLine(lines: readonly string[]): string | null {
  if (lines.every((line) => line.trim() === "")) return null;
  return (lines.at(-1) === "" ? lines.at(-2) : lines.at(-1)) ?? null;
}

/** Markdown wants a blank line between blocks, but not between the items of a list. */
function needsBlank(last: string | null, next: string): boolean {
  if (last === null || last.trim() === "") return false;
  const isInList = isItem(last) || /^\s/.test(last);
  return !(isInList && isItem(next));
}

function isItem(line: string): boolean {
  const first = line.length - line.trimStart().length;
  return isListItem(line, first, line.length);
}

function titleOf(path: string): string | null {
  if (isLongTerm(path)) return "Memory";
  if (path === entriesPath) return "Entries";
  const name = path.slice(path.lastIndexOf("/") + 1, -".md".length);
  return name === dateOf(path) ? name : null;
}

/** The line ranges of all sections under a heading, its subsections included. */
function findSections(headings: readonly Heading[], wanted: EntryHeading, lineCount: number): LineRange[] {
  return headings.flatMap((heading, index) => {
    if (!isSameHeading(heading, wanted)) return [];
    const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
    return [{ start: heading.line + 2, end: next === undefined ? lineCount : next.line }];
  });
}

function isSameHeading(heading: Heading | undefined, wanted: EntryHeading): boolean {
  if (heading === undefined || (wanted.level !== undefined && heading.level !== wanted.level)) return false;
  return foldHeading(heading.text) === foldHeading(wanted.text);
}

function foldHeading(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}

function levelOf(headings: readonly Heading[], wanted: EntryHeading): number {
  return wanted.level ?? headings.findLast((heading) => isSameHeading(heading, wanted))?.level ?? 2;
}

/**
 * Finds the lines of an existing entry: the same lines in the same order, ignoring blank lines, spacing, bullets and
 * origin comments. List numbers count: "1. place" and "2. place" are different facts.
 */
export function findEntry(
  lines: readonly string[],
  entry: string,
  within: readonly LineRange[],
): LineRange | null {
  const wanted = entry.split("\n").map(normaliseEntryLine).filter(isNotBlank);
  if (wanted.length === 0) return null;
  const fallbacks = findFallbacks(wanted);
  for (const range of within) {
    const end = findEnd(lines, wanted, fallbacks, range);
    if (end !== null) return { start: goBack(lines, end, wanted.length), end };
  }
  return null;
}

/** The number of the line where the first full match ends (Knuth, Morris, Pratt: linear, whatever repeats). */
function findEnd(
  lines: readonly string[],
  wanted: readonly string[],
  fallbacks: readonly number[],
  { start, end }: LineRange,
): number | null {
  let matched = 0;
  for (let number = start; number <= end; number++) {
    const text = normaliseEntryLine(lines[number - 1] ?? "");
    if (!isNotBlank(text)) continue;
    while (matched > 0 && text !== wanted[matched]) matched = fallbacks[matched - 1]!;
    if (text === wanted[matched]) matched++;
    if (matched === wanted.length) return number;
  }
  return null;
}

/** The failure table: for each prefix of the entry, the length of its longest border. */
function findFallbacks(wanted: readonly string[]): number[] {
  const fallbacks = [0];
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = fallbacks[matched - 1]!;
    if (wanted[at] === wanted[matched]) matched++;
    fallbacks.push(matched);
  }
  return fallbacks;
}

function goBack(lines: readonly string[], end: number, count: number): number {
  let number = end;
  for (let left = count - 1; left > 0; ) {
    number--;
    if (isNotBlank(normaliseEntryLine(lines[number - 1] ?? ""))) left--;
  }
  return number;
}

function isNotBlank(text: string): boolean {
  return text !== "";
}
