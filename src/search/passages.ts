import type { StoredChunk } from "../stores/store.ts";
import { headOf, type LineRange } from "../text/document.ts";
import { fencesOf, firstTextLine, frontMatterLines, type Navigation, navigationOf } from "./line-kinds.ts";
import { type MatchFinder, neighbouringPairs, type TextMatches } from "./matches.ts";
import type { QueryTerm } from "./query-terms.ts";

/** A run of lines in a chunk that matches the query, with its score. */
export interface Passage {
  readonly chunk: StoredChunk;
  readonly lines: LineRange;
  /** 0..1, the keyword score. */
  readonly score: number;
  /** False if only the heading or the path matches, or nothing does. */
  readonly isMatched: boolean;
  /** Contribution of each query term to the score. */
  readonly contributions: readonly number[];
  readonly occurrences: readonly number[];
}

/** The text of a passage; that of its chunk if none of its lines matches better than the others. */
export function textOf({ chunk, lines, isMatched }: Pick<Passage, "chunk" | "lines" | "isMatched">): string {
  if (!isMatched) return chunk.text;
  const first = lines.start - chunk.lines.start;
  return chunk.text
    .split("\n")
    .slice(first, first + lines.end - lines.start + 1)
    .join("\n");
}

/**
 * The constants of the keyword score: round numbers on a plateau of the evaluation sets. docs/ranking.md shows the
 * result with an example.
 */
const ranking = {
  /** Weight of the best passage; the rest is the whole chunk. */
  passageShare: 0.6,
  /** Occurrences at which a term has half of its maximum weight: in a passage, and in a chunk of average length. */
  passageHalf: 0.6,
  chunkHalf: 1.2,
  /** How strongly the length of a chunk normalizes its term counts. */
  lengthShare: 0.6,
  usualLength: 200,
  /** Weight of a word in the headings or the path, relative to the text. */
  headInChunk: 0.6,
  headInPassage: 0.3,
  /** Bonus for two adjacent query words that occur close together, as a fraction of the lighter one's weight. */
  closenessShare: 0.6,
  /** Weight of a word in a navigation line, if nothing else matches. */
  navigationShare: 0.2,
  passageChars: 400,
  /** How much more a passage of 1,000 characters must score than a single line. */
  lengthPenalty: 0.4,
  passagesPerChunk: 3,
  /** Each further passage of a chunk is likely to repeat the first. */
  repeatFactor: 0.95,
};

/**
 * Scores the chunks of one query.
 *
 * The passage and the chunk around it are both sums over the query terms: weight (rarity) times a saturating count,
 * divided by the sum of all weights. So 1 would be every term at its maximum, and unlike FTS5's bm25 the score does
 * not depend on the size of the index.
 */
export function createPassageScorer(
  terms: readonly QueryTerm[],
  finder: MatchFinder,
): (chunk: StoredChunk) => Passage[] {
  const weights = terms.map(({ weight }) => weight);
  const totalWeight = sumOf(weights) || 1;
  const pairWeights = neighbouringPairs(terms).map(
    ([left, right]) => ranking.closenessShare * Math.min(weights[left]!, weights[right]!),
  );
  const passageWeight = totalWeight + sumOf(pairWeights);

  return (chunk) => {
    const head = finder.count(headOf(chunk));
    const matches = quieten(chunk, finder.find(chunk.text), head);
    const half =
      ranking.chunkHalf *
      (1 - ranking.lengthShare + (ranking.lengthShare * matches.length) / ranking.usualLength);
    const chunkParts = weights.map(
      (weight, t) => weight * saturate(matches.totals[t]! + ranking.headInChunk * head[t]!, half),
    );
    const chunkScore = sumOf(chunkParts) / totalWeight;
    const contributions = chunkParts.map((part) => part / totalWeight);
    const occurrences = [...matches.totals];
    const windows = bestWindows(chunk, matches, head, weights, pairWeights);
    // Only the heading or the path matched, so the start of the chunk represents it.
    if (windows.length === 0) windows.push(beginningOf(chunk));
    return windows.map(({ first, last, value }, nth) => {
      const score = ranking.passageShare * (value / passageWeight) + (1 - ranking.passageShare) * chunkScore;
      return {
        chunk,
        lines: linesOf(chunk, matches, first, last),
        score: score * ranking.repeatFactor ** nth,
        isMatched: value > 0,
        contributions,
        occurrences,
      };
    });
  };
}

interface Window {
  readonly first: number;
  readonly last: number;
  readonly value: number;
}

/** The best non-overlapping runs of lines, chosen greedily. */
function bestWindows(
  { text }: StoredChunk,
  matches: TextMatches,
  head: Float64Array,
  weights: readonly number[],
  pairWeights: readonly number[],
): Window[] {
  const { lineStarts, counts, closeness } = matches;
  const lines = counts.length;
  const isUsed = new Uint8Array(lines);
  const windows: Window[] = [];
  if (!counts.some(hasMatch)) return windows;
  const fences = fencesOf(text);
  const sums = new Float64Array(weights.length);
  const close = new Float64Array(pairWeights.length);
  while (windows.length < ranking.passagesPerChunk) {
    let best: Window | undefined;
    for (let first = 0; first < lines; first++) {
      if (isUsed[first] || !hasMatch(counts[first]!)) continue;
      sums.fill(0);
      close.fill(0);
      for (let last = first; last < lines && !isUsed[last]; last++) {
        const chars = lineStarts[last + 1]! - lineStarts[first]!;
        // Code and the text about it are separate passages.
        const leavesFence = fences !== null && fences[last] !== fences[first];
        if (last > first && (chars > ranking.passageChars || leavesFence)) break;
        for (let t = 0; t < sums.length; t++) sums[t]! += counts[last]![t]!;
        for (let p = 0; p < close.length; p++) close[p]! += closeness[last]![p]!;
        let value = 0;
        for (let t = 0; t < sums.length; t++) {
          const seen = sums[t]! + ranking.headInPassage * Math.min(1, head[t]!);
          if (seen > 0) value += weights[t]! * saturate(seen, ranking.passageHalf);
        }
        for (let p = 0; p < close.length; p++) {
          if (close[p]! > 0) value += pairWeights[p]! * saturate(close[p]!, ranking.passageHalf);
        }
        value /= 1 + (ranking.lengthPenalty * chars) / 1000;
        if (!best || value > best.value + 1e-9) best = { first, last, value };
      }
    }
    if (!best) break;
    windows.push(best);
    isUsed.fill(1, best.first, best.last + 1);
  }
  return windows;
}

function beginningOf(chunk: StoredChunk): Window {
  const first = firstTextLine(chunk) - chunk.lines.start;
  return { first, last: first, value: 0 };
}

/**
 * Reduces the weight of lines without content. Navigation and front matter are ignored if the text matches too, so
 * that the text is ranked and shown; words in front matter then count like those in a heading. If nothing else
 * matches, front matter counts in full and navigation a little; links to other days are never shown.
 */
function quieten(chunk: StoredChunk, matches: TextMatches, head: Float64Array): TextMatches {
  const { counts, lineStarts } = matches;
  const frontMatter = frontMatterLines(chunk);
  const quiet: { line: number; kind: "front matter" | Navigation }[] = [];
  let hasText = false;
  for (let line = 0; line < counts.length; line++) {
    if (!hasMatch(counts[line]!)) continue;
    const text = chunk.text.slice(lineStarts[line], lineStarts[line + 1]! - 1);
    const kind = line < frontMatter ? "front matter" : navigationOf(text);
    if (kind === null) hasText = true;
    else quiet.push({ line, kind });
  }
  if (quiet.length === 0) return matches;
  const kept = { ...matches, counts: [...counts], totals: matches.totals.slice() };
  for (const { line, kind } of quiet) {
    if (kind === "front matter" && !hasText) continue;
    const inPlace = kind === "links" && !hasText ? ranking.navigationShare : 0;
    const inHead = kind === "front matter" ? 1 : kind === "days" && !hasText ? ranking.navigationShare : 0;
    kept.counts[line] = counts[line]!.map((count) => count * inPlace);
    for (let t = 0; t < head.length; t++) {
      kept.totals[t]! -= counts[line]![t]! * (1 - inPlace);
      head[t]! += counts[line]![t]! * inHead;
    }
  }
  return kept;
}

function hasMatch(counts: Float64Array): boolean {
  for (let t = 0; t < counts.length; t++) if (counts[t]! > 0) return true;
  return false;
}

/** Pieces of one long line share its number, so a chunk may have more text lines than line numbers. */
function linesOf(chunk: StoredChunk, matches: TextMatches, first: number, last: number): LineRange {
  const { start, end } = chunk.lines;
  return matches.counts.length === end - start + 1
    ? { start: start + first, end: start + last }
    : { start, end };
}

function saturate(count: number, half: number): number {
  return count / (count + half);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
