import type { Store } from "../stores/store.ts";
import { editDistance } from "../text/edit-distance.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import { latinVariants } from "../text/words/stems/stem-latin-variants.ts";
import type { QueryWord, QueryWords } from "./query-words.ts";

/** A query word with its possible forms in the notes and its weight. */
export interface QueryTerm {
  readonly text: string;
  readonly kind: QueryWord["kind"];
  /** Tokens that count as this word, with their weights; the word itself has weight 1. */
  readonly forms: ReadonlyMap<string, number>;
  /** Document frequency of its most common form, in chunks. */
  readonly chunks: number;
  /** How surely a match is this word: 1 if the notes have it, the best share of a guessed form otherwise, 0 without one. */
  readonly certainty: number;
  readonly weight: number;
}

/** An identifier that more chunks contain is a word like any other. */
const maxIdentified = 50;

/** Positions of the terms that name one thing, such as a hash, a flag or a version, and occur in few chunks. */
export function identifiersOf(terms: readonly QueryTerm[]): number[] {
  return terms.flatMap(({ kind, chunks }, position) =>
    (kind === "hash" || kind === "exact") && chunks > 0 && chunks <= maxIdentified ? [position] : [],
  );
}

export interface Vocabulary extends Pick<Store, "documentFrequencies" | "tokensWithPrefix"> {
  /** Of tokens with a prefix those that may be known, with their document frequencies. Absent: all. */
  known?<T extends KnownToken>(tokens: readonly T[]): Promise<T[]>;
}

interface KnownToken {
  readonly token: string;
  readonly chunks: number;
}

/** Optional terms are dropped if the notes do not have them; guesses weigh less than what was written. */
const optionalShares: Partial<Record<QueryWord["kind"], number>> = { exact: 1, emoji: 1, joined: 0.25 };
/** A word in every chunk distinguishes nothing, but without it a query of such words would be empty. */
const minRarity = 0.5;
/**
 * A long query repeats its topic among many words that only lead there; in a short one, repetition means nothing. Word
 * counts from which repeats begin to count and count in full.
 */
const repeats = { from: 24, full: 28, exponent: 0.7 };
const variantShare = 0.7;
const partShare = 0.5;
/** Words plus half the pairs. The heaviest are kept; more would only cost time. */
const maxWords = 32;
/**
 * Few hashes share a prefix. In scripts without spaces many words start with the same character, and all of them
 * match.
 */
const maxPrefixForms: Partial<Record<QueryWord["kind"], number>> = { hash: 20, character: 400 };

/**
 * Weighs query words by their rarity in the notes. A word that the notes lack is looked up in other forms
 * (inflections, then similar spellings) and weighs as much as the rarest word: a missing word must lower every score.
 * Exact forms that the notes lack are dropped, because they were only optional.
 */
export async function assignTermWeights(
  { words, language }: QueryWords,
  vocabulary: Vocabulary,
  totalChunks: number,
): Promise<QueryTerm[]> {
  const variants = new Map(
    words.filter(({ kind }) => kind === "word").map(({ text }) => [text, latinVariants(text, language)]),
  );
  const lookedUp = [...words.map(({ token }) => token), ...[...variants.values()].flat()];
  const known = await vocabulary.documentFrequencies([...new Set(lookedUp)]);
  const frequency = (token: string): number => known.get(token) ?? 0;

  const repeatExponent = repeatExponentFor(words.filter(({ kind }) => !(kind in optionalShares)).length);
  const terms: WeightedWord[] = [];
  for (const word of words) {
    if (word.kind in optionalShares && frequency(word.token) === 0) continue;
    const forms = new Map([[word.token, 1]]);
    let chunks = frequency(word.token);
    let certainty = chunks > 0 ? 1 : 0;
    const add = (token: string, share: number, count: number): void => {
      if (count === 0 || forms.has(token)) return;
      forms.set(token, share);
      chunks = Math.max(chunks, count);
      certainty = Math.max(certainty, share);
    };
    // If the language is unknown, variants are guesses, good enough only for a word that is missing altogether.
    if (language !== null || chunks === 0) {
      for (const token of variants.get(word.text) ?? []) add(token, variantShare, frequency(token));
    }
    const prefixForms = maxPrefixForms[word.kind];
    if (prefixForms !== undefined) {
      const found = (await vocabulary.tokensWithPrefix?.(word.token, prefixForms)) ?? [];
      for (const { token, chunks } of (await vocabulary.known?.(found)) ?? found) add(token, 1, chunks);
    }
    if (word.kind === "hash") {
      const shorter = shorterHashes(word.token);
      const counts = await vocabulary.documentFrequencies(shorter);
      for (const token of shorter) add(token, 1, counts.get(token) ?? 0);
    }
    if (word.kind === "word" && chunks === 0) {
      for (const { token, similarity, chunks } of await similarTokens(word.token, vocabulary)) {
        add(token, similarity, chunks);
      }
    }
    if (word.kind === "word" && chunks === 0) {
      for (const { token, chunks } of await compoundParts(word.text, vocabulary))
        add(token, partShare, chunks);
    }
    const rareness = (optionalShares[word.kind] ?? 1) * rarity(chunks, totalChunks);
    const weight = rareness * word.count ** repeatExponent;
    terms.push({ text: word.text, kind: word.kind, group: word.group, forms, chunks, certainty, weight });
  }
  return keepHeaviest(shareGroups(terms));
}

interface WeightedWord extends QueryTerm {
  readonly group: number | null;
}

/** An identifier and its parts are one word of the query, and together weigh as much as the rarest of them. */
function shareGroups(terms: readonly WeightedWord[]): QueryTerm[] {
  const groups = new Map<number, { sum: number; most: number }>();
  for (const { group, weight } of terms) {
    if (group === null) continue;
    const { sum, most } = groups.get(group) ?? { sum: 0, most: 0 };
    groups.set(group, { sum: sum + weight, most: Math.max(most, weight) });
  }
  return terms.map(({ group, ...term }) => {
    const { sum, most } = (group === null ? undefined : groups.get(group)) ?? { sum: 1, most: 1 };
    return { ...term, weight: (term.weight * most) / sum };
  });
}

function repeatExponentFor(wordCount: number): number {
  const { from, full, exponent } = repeats;
  return exponent * clamp((wordCount - from) / (full - from), 0, 1);
}

/** The usual inverse document frequency. An unknown word counts like one that occurs in one chunk. */
function rarity(chunks: number, totalChunks: number): number {
  const count = Math.max(1, chunks);
  const total = Math.max(totalChunks, count);
  return Math.max(minRarity, Math.log(1 + (total - count + 0.5) / (count + 0.5)));
}

/** Notes often have the short form (7 to 12 characters) of a hash that a query gives in full. */
function shorterHashes(hash: string): string[] {
  return [7, 8, 9, 10, 11, 12]
    .filter((length) => length < hash.length)
    .map((length) => hash.slice(0, length));
}

function keepHeaviest(terms: readonly QueryTerm[]): QueryTerm[] {
  const cost = ({ kind }: QueryTerm): number => (kind === "pair" ? 0.5 : 1);
  const kept = new Set<QueryTerm>();
  let used = 0;
  for (const term of [...terms].sort((a, b) => b.weight - a.weight)) {
    if (used + cost(term) > maxWords) break;
    used += cost(term);
    kept.add(term);
  }
  return terms.filter((term) => kept.has(term));
}

/** Shorter words have too many neighbours to guess. */
const minLength = 5;
const minSimilarity = 0.45;
const maxForms = 3;
/**
 * Most misspellings keep the first letters. The longer prefix is tried first, which bounds the cost of a large
 * vocabulary.
 */
const prefixLengths = [3, 1];
const maxScanned = 1500;

/** Tokens of the notes that resemble a missing word: a typo, or another form of it. */
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
      .filter(({ similarity }) => similarity >= minSimilarity);
    const known = ((await vocabulary.known?.(similar)) ?? similar).sort(
      (a, b) => b.similarity - a.similarity || b.chunks - a.chunks || (a.token < b.token ? -1 : 1),
    );
    if (known.length > 0) return known.slice(0, maxForms);
  }
  return [];
}

/** One or two typos are tolerated; beyond that, shared trigrams decide. */
function likeness(token: string, known: string, wanted: ReadonlySet<string>): number {
  const slips = editDistance(token, known, token.length < 8 ? 1 : 2);
  const bySlips = slips <= (token.length < 8 ? 1 : 2) ? 1 - slips / token.length : 0;
  return Math.max(bySlips, dice(wanted, trigrams(known)));
}

/** The ends of the word count as characters, so a shared beginning or end weighs more than a shared middle. */
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

/** Shorter words are seldom compounds, and shorter parts fit anywhere. */
const shortestCompound = 9;
const shortestPart = 4;
const linkingLetters = ["", "s", "n", "en", "es"];

/**
 * The parts of a compound that the notes only have in pieces: "Glasfaseranschluss" if they mention "Glasfaser". Both
 * parts if both are known, otherwise the longest known one.
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

/** NaN becomes the lower bound. */
export function clamp(value: number, low: number, high: number): number {
  return Number.isNaN(value) ? low : Math.min(high, Math.max(low, value));
}
