import { createHash } from "node:crypto";

/** An entry that can be recognised whole: it begins with its name and length, and ends with a word. */
export function entryText(name: string, fillerChars: number): string {
  return `Entry ${name} begins, ${"lorem ".repeat(Math.ceil(fillerChars / 6)).slice(0, fillerChars)} and ends here-${name}`;
}

const consonants = "bcdfghjklmnpqrtv";

/** A word that is nowhere else. No letter of it is dropped as an ending, so it is in the words of an index as it is. */
export function uniqueWord(name: string): string {
  const digits = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return digits.replaceAll(/./g, (digit) => consonants[Number.parseInt(digit, 16)]!);
}

/** What is left of a word in the bytes of a list of words, where it does not repeat what it begins with as the one before. */
export function traceOf(word: string): string {
  return word.slice(4);
}

export interface Acknowledged {
  readonly path: string;
  readonly text: string;
}

/** The acknowledged entries that are not in the notes, and the lines that are only a part of an entry. */
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
