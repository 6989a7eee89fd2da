import type { LineRange } from "../text/document.ts";

/**
 * Finds the lines where an entry already stands: the same lines in the same order, blank ones apart, whatever their
 * spacing, bullet or origin comment. Numbers of a list are kept: "1. place" and "2. place" are different facts.
 */
export function findEntry(
  lines: readonly string[],
  entry: string,
  within: readonly LineRange[],
): LineRange | null {
  const wanted = entry.split("\n").map(normaliseLine).filter(isNotEmpty);
  if (wanted.length === 0) return null;
  for (const { start, end } of within) {
    const found = findRun(lines, wanted, start, end);
    if (found !== null) return found;
  }
  return null;
}

function findRun(
  lines: readonly string[],
  wanted: readonly string[],
  start: number,
  end: number,
): LineRange | null {
  const texts: string[] = [];
  const numbers: number[] = [];
  for (let number = start; number <= end; number++) {
    const text = normaliseLine(lines[number - 1] ?? "");
    if (!isNotEmpty(text)) continue;
    texts.push(text);
    numbers.push(number);
  }
  for (let first = 0; first + wanted.length <= texts.length; first++) {
    if (!wanted.every((text, offset) => texts[first + offset] === text)) continue;
    return { start: numbers[first]!, end: numbers[first + wanted.length - 1]! };
  }
  return null;
}

function normaliseLine(line: string): string {
  return line
    .normalize("NFKC")
    .replace(/<!-- from: [^<>]*-->/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[-*+] /, "");
}

function isNotEmpty(text: string): boolean {
  return text !== "";
}
