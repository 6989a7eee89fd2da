import { editDistance } from "../text/words/edit-distance.ts";
import type { Vocabulary } from "./query-terms.ts";

/** Shorter words have too many neighbours to guess among. */
const minLength = 5;
const minSimilarity = 0.45;
const maxForms = 3;
/** Most misspellings keep the first letters. A longer prefix is tried first: it bounds what a large vocabulary costs. */
const prefixLengths = [3, 1];
const maxScanned = 1500;

/** Tokens of the notes that look like a word they do not have: a slip of the pen, or another form of it. */
export async function similarTokens(
  token: string,
  vocabulary: Vocabulary,
): Promise<{ token: string; similarity: number; chunks: number }[]> {
  const characters = [...token];
  if (characters.length < minLength || !/^[\p{L}\p{M}]+$/u.test(token)) return [];
  const wanted = trigrams(token);
  for (const length of prefixLengths) {
    const prefix = characters.slice(0, length).join("");
    const similar = ((await vocabulary.tokensWithPrefix?.(prefix, maxScanned)) ?? [])
      .filter((known) => Math.abs(known.token.length - token.length) <= token.length / 2)
      .map((known) => ({ ...known, similarity: likeness(token, known.token, wanted) }))
      .filter(({ similarity }) => similarity >= minSimilarity)
      .sort((a, b) => b.similarity - a.similarity || b.chunks - a.chunks || (a.token < b.token ? -1 : 1));
    if (similar.length > 0) return similar.slice(0, maxForms);
  }
  return [];
}

/** A slip or two leave a word what it is; beyond that, the letters it shares in a row tell. */
function likeness(token: string, known: string, wanted: ReadonlySet<string>): number {
  const slips = editDistance(token, known, token.length < 8 ? 1 : 2);
  const bySlips = slips <= (token.length < 8 ? 1 : 2) ? 1 - slips / token.length : 0;
  return Math.max(bySlips, dice(wanted, trigrams(known)));
}

/** The word's ends count as characters, so that a shared beginning or end weighs more than a shared middle. */
function trigrams(token: string): Set<string> {
  const padded = `^${token}$`;
  const grams = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) grams.add(padded.slice(i, i + 3));
  return grams;
}

function dice(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const gram of left) if (right.has(gram)) shared++;
  return (2 * shared) / (left.size + right.size);
}
