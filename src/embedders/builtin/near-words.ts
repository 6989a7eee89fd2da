import type { NearWord } from "../embedder.ts";

/**
 * Reads `near-words.txt`: a line for each word, with its neighbours and their cosines in hundredths. A line is looked
 * for in the text as it is; taking it apart for all words would cost more than a search asks for.
 */
export function createNearWords(file: string): (word: string) => readonly NearWord[] {
  const text = `\n${file}`;
  return (word) => {
    if (!/^[a-z]+$/.test(word)) return [];
    const start = text.indexOf(`\n${word} `);
    if (start === -1) return [];
    const end = text.indexOf("\n", start + 1);
    const [, ...entries] = text.slice(start + 1, end === -1 ? undefined : end).split(" ");
    return Array.from({ length: Math.floor(entries.length / 2) }, (_, i) => ({
      word: entries[2 * i]!,
      similarity: Number(entries[2 * i + 1]) / 100,
    })).filter(({ similarity }) => similarity > 0 && similarity <= 1);
  };
}
