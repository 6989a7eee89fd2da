import type { Analyzer } from "../text/words/analyze.ts";
import { createWantedWords } from "../text/words/wanted-words.ts";
import { isUnspaced } from "../text/words/word-characters.ts";
import type { QueryTerm } from "./query-terms.ts";

/** The query terms in one text. */
export interface TextMatches {
  /** Start offset of each line of the text, and one past the last. */
  readonly lineStarts: readonly number[];
  /** By line and term: occurrences, with weaker forms counting less. */
  readonly counts: readonly Float64Array[];
  /** By line and pair of adjacent terms: 1 side by side, 0 far apart. */
  readonly closeness: readonly Float64Array[];
  /** Occurrences over the whole text, by term. */
  readonly totals: Float64Array;
  /** Number of tokens in the text. */
  readonly length: number;
}

/** A token counts for a term by its share: 1 for the word itself, less for a related form. */
interface TermShare {
  readonly term: number;
  readonly share: number;
}

export interface MatchFinder {
  find(text: string): TextMatches;
  /** Ranges of the matched words in order, for highlighting and cutting. */
  positions(text: string): { readonly start: number; readonly end: number; readonly term: number }[];
  /** Counts only, for headings and paths. */
  count(text: string): Float64Array;
}

/** Adjacent query words farther apart than this, in words, are not close. */
const farthestClose = 8;

/** Prepares to find the terms of one query in many texts. */
export function createMatchFinder(terms: readonly QueryTerm[], analyzer: Analyzer): MatchFinder {
  const byToken = new Map<string, TermShare[]>();
  for (const [term, { forms }] of terms.entries()) {
    for (const [token, share] of forms) {
      const entries = byToken.get(token);
      if (entries) entries.push({ term, share });
      else byToken.set(token, [{ term, share }]);
    }
  }
  const pairs = neighbouringPairs(terms);
  const wanted = createWantedWords(byToken.keys());
  const noCounts = new Float64Array(terms.length);
  const noCloseness = new Float64Array(pairs.length);
  const passing = { wanted, onSkipped: () => {} };

  return {
    find(text) {
      const lineStarts = findLineStarts(text);
      const lines = lineStarts.length - 1;
      // Most lines have no match and share one empty row.
      const counts = new Array<Float64Array>(lines).fill(noCounts);
      const closeness = new Array<Float64Array>(lines).fill(noCloseness);
      const totals = new Float64Array(terms.length);
      const lastSeen = new Float64Array(terms.length).fill(Number.NEGATIVE_INFINITY);
      let length = 0;
      let position = 0;
      let line = 0;
      const moveTo = (start: number): void => {
        if (start < lineStarts[line + 1]!) return;
        while (start >= lineStarts[line + 1]!) line++;
        lastSeen.fill(Number.NEGATIVE_INFINITY);
      };
      const countAt = (start: number, entries: readonly TermShare[]): void => {
        moveTo(start);
        if (counts[line] === noCounts) {
          counts[line] = new Float64Array(terms.length);
          closeness[line] = new Float64Array(pairs.length);
        }
        for (const { term, share } of entries) {
          counts[line]![term]! += share;
          totals[term]! += share;
        }
      };
      analyzer.scan(
        text,
        (token, start) => {
          length++;
          position++;
          const entries = byToken.get(token);
          if (entries === undefined) return;
          countAt(start, entries);
          for (const { term } of entries) {
            lastSeen[term] = position;
            for (const [pair, [left, right]] of pairs.entries()) {
              if (term !== left && term !== right) continue;
              const distance = Math.abs(lastSeen[left]! - lastSeen[right]!);
              if (distance === 0 || distance > farthestClose) continue;
              closeness[line]![pair] = Math.max(closeness[line]![pair]!, 1 / distance);
            }
          }
        },
        (token, start) => {
          length++;
          const entries = byToken.get(token);
          if (entries !== undefined) countAt(start, entries);
        },
        {
          wanted,
          onSkipped: (count) => {
            length += count;
            position += count;
          },
        },
      );
      return { lineStarts, counts, closeness, totals, length };
    },
    positions(text) {
      const found: { start: number; end: number; term: number }[] = [];
      const visit = (token: string, start: number, end: number): void => {
        for (const { term } of byToken.get(token) ?? []) found.push({ start, end, term });
      };
      analyzer.scan(text, visit, visit, passing);
      return found;
    },
    count(text) {
      const totals = new Float64Array(terms.length);
      const visit = (token: string): void => {
        for (const { term, share } of byToken.get(token) ?? []) totals[term]! += share;
      };
      analyzer.scan(text, visit, visit, passing);
      return totals;
    },
  };
}

/** Plain words that are adjacent in the query. Pairs are left out: they overlap in any text that has them. */
export function neighbouringPairs(terms: readonly QueryTerm[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 1; i < terms.length; i++) {
    if (isPlain(terms[i - 1]!) && isPlain(terms[i]!) && !isUnspaced(terms[i]!.text)) pairs.push([i - 1, i]);
  }
  return pairs;
}

function isPlain({ kind }: QueryTerm): boolean {
  return kind !== "exact" && kind !== "joined" && kind !== "emoji";
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return starts;
}
