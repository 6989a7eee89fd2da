import type { LineRange } from "../text/document.ts";
import { normaliseEntryLine } from "../text/entry-line.ts";

/**
 * Finds the lines where an entry already stands: the same lines in the same order, blank ones apart, whatever their
 * spacing, bullet or origin comment. Numbers of a list are kept: "1. place" and "2. place" are different facts.
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

/** For each beginning of the entry: how much of it is also its end, so that a match can go on from there. */
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
