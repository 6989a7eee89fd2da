import { stemWord } from "../text/words/stems/stem.ts";
import type { Vocabulary } from "./query-terms.ts";

/** Shorter words are seldom compounds, and shorter parts fit anywhere. */
const shortestCompound = 9;
const shortestPart = 4;
const linkingLetters = ["", "s", "n", "en", "es"];

/**
 * The parts of a compound that the notes do not have as a whole but in pieces: "Glasfaseranschluss" where they speak of
 * "Glasfaser". Both parts when both are known, else the longer one that is.
 */
export async function compoundParts(
  word: string,
  vocabulary: Vocabulary,
): Promise<{ token: string; chunks: number }[]> {
  if (word.length < shortestCompound || !/^[a-z]+$/.test(word)) return [];
  const splits: { left: string; right: string; size: number }[] = [];
  for (let at = shortestPart; at <= word.length - shortestPart; at++) {
    const right = stemWord(word.slice(at));
    for (const link of linkingLetters) {
      if (at - link.length < shortestPart || !word.slice(0, at).endsWith(link)) continue;
      const left = word.slice(0, at - link.length);
      splits.push({ left: stemWord(left), right, size: Math.max(left.length, word.length - at) });
    }
  }
  const tokens = [...new Set(splits.flatMap(({ left, right }) => [left, right]))];
  const known = await vocabulary.documentFrequencies(tokens);
  const count = (token: string): number => known.get(token) ?? 0;

  const whole = splits.filter(({ left, right }) => count(left) > 0 && count(right) > 0);
  const [best] = whole.sort((a, b) => a.size - b.size);
  if (best) return [best.left, best.right].map((token) => ({ token, chunks: count(token) }));
  const longest = tokens
    .filter((token) => count(token) > 0 && token.length > shortestPart)
    .sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? [] : [{ token: longest, chunks: count(longest) }];
}
