import { createHash } from "node:crypto";

/** An entry whose completeness can be checked: it begins with its name and length, and ends with a known word. */
export function entryText(name: string, fillerChars: number): string {
  return `Entry ${name} begins, ${"lorem ".repeat(Math.ceil(fillerChars / 6)).slice(0, fillerChars)} and ends here-${name}`;
}

const consonants = "bcdfghjklmnpqrtv";

/** A unique word. Stemming does not change it, so it is in the index as it is. */
export function uniqueWord(name: string): string {
  const digits = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return digits.replaceAll(/./g, (digit) => consonants[Number.parseInt(digit, 16)]!);
}

/** The suffix of a word that a prefix-compressed term list contains. */
export function traceOf(word: string): string {
  return word.slice(4);
}

export interface Acknowledged {
  readonly path: string;
  readonly text: string;
}

/** Acknowledged entries that are missing from the notes, and lines with only a part of an entry. */
export function missingEntries(
  files: ReadonlyMap<string, string>,
  acknowledged: readonly Acknowledged[],
): string[] {
  const problems: string[] = [];
  const seen = new Map<string, number>();
  for (const [path, text] of files) {
    for (const line of text.split("\n")) {
      const name = /\bEntry (\S+) begins,/.exec(line)?.[1];
      if (name === undefined) continue;
      if (!line.endsWith(` and ends here-${name}`)) problems.push(`${path}: entry ${name} is torn`);
      const key = `${path}\n${line.slice(line.indexOf("Entry "))}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  for (const { path, text } of acknowledged) {
    const count = seen.get(`${path}\n${text}`) ?? 0;
    if (count !== 1) problems.push(`${path}: ${text.slice(0, 30)} is there ${count} times`);
  }
  return problems;
}
