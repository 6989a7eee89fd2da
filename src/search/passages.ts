import type { StoredChunk } from "../stores/store.ts";
import { headOf, type LineRange } from "../text/document.ts";
import { fencesOf, firstTextLine, frontMatterLines, type Navigation, navigationOf } from "./line-kinds.ts";
import { type MatchFinder, neighbouringPairs, type TextMatches } from "./matches.ts";
import type { QueryTerm } from "./query-terms.ts";

/** A run of lines in a chunk that speaks of the question, with how well. */
export interface Passage {
  readonly chunk: StoredChunk;
  readonly lines: LineRange;
  /** 0..1 by words alone. */
  readonly score: number;
  /** False when only the heading or the path has a word of the question, or nothing has. */
  readonly isMatched: boolean;
  /** By term of the question: what it adds to the score. */
  readonly contributions: readonly number[];
  readonly occurrences: readonly number[];
}

/**
 * The constants of the keyword score. They were chosen on the evaluation sets as round numbers on a plateau;
 * docs/search.md explains the formula with an example.
 */
const ranking = {
  /** How much of the score is the best passage; the rest is the whole chunk around it. */
  passageShare: 0.6,
  /** Occurrences at which a word has said half of what it can say: in a passage, and in a chunk of usual length. */
  passageHalf: 0.6,
  chunkHalf: 1.2,
  /** How strongly a chunk longer than usual must repeat a word for the same credit. */
  lengthShare: 0.6,
  usualLength: 200,
  /** What a word in the headings or the path counts against one in the text. */
  headInChunk: 0.6,
  headInPassage: 0.3,
  /** What two neighbouring words add when they stand together, as a share of the lighter one's weight. */
  closenessShare: 0.6,
  /** What a word in a line of links that lead elsewhere counts, where nothing else matches. */
  navigationShare: 0.2,
  passageChars: 400,
  /** A passage of 1,000 characters must be worth this much more than one line. */
  lengthPenalty: 0.4,
  passagesPerChunk: 3,
  /** Each further passage of a chunk is likely to repeat the first. */
  repeatFactor: 0.95,
};

/**
 * Scores one chunk for a question.
 *
 * Both parts, the passage and the chunk around it, are sums over the question's words: weight (rarity) times a
 * saturating count, divided by the sum of all weights. So 1 would be every word, as often as could be, and the score
 * does not depend on the size of the index as FTS5's bm25 does.
 */
export function scorePassages(
  chunk: StoredChunk,
  terms: readonly QueryTerm[],
  finder: MatchFinder,
): Passage[] {
  const head = finder.count(headOf(chunk));
  const matches = quieten(chunk, finder.find(chunk.text), head);
  const weights = terms.map(({ weight }) => weight);
  const totalWeight = sumOf(weights) || 1;
  const half =
    ranking.chunkHalf *
    (1 - ranking.lengthShare + (ranking.lengthShare * matches.length) / ranking.usualLength);
  const chunkParts = weights.map(
    (weight, t) => weight * saturate(matches.totals[t]! + ranking.headInChunk * head[t]!, half),
  );
  const chunkScore = sumOf(chunkParts) / totalWeight;

  const pairs = neighbouringPairs(terms);
  const pairWeights = pairs.map(
    ([left, right]) => ranking.closenessShare * Math.min(weights[left]!, weights[right]!),
  );
  const passageWeight = totalWeight + sumOf(pairWeights);
  const windows = bestWindows(matches, fencesOf(chunk.text), head, weights, pairWeights);
  // Only the heading or the path matched: the chunk's beginning stands for it.
  if (windows.length === 0) windows.push(beginningOf(chunk));
  return windows.map(({ first, last, value }, nth) => {
    const score = ranking.passageShare * (value / passageWeight) + (1 - ranking.passageShare) * chunkScore;
    return {
      chunk,
      lines: linesOf(chunk, matches, first, last),
      score: score * ranking.repeatFactor ** nth,
      isMatched: value > 0,
      contributions: chunkParts.map((part) => part / totalWeight),
      occurrences: [...matches.totals],
    };
  });
}

interface Window {
  readonly first: number;
  readonly last: number;
  readonly value: number;
}

/** The best runs of lines, greedily, none overlapping another. */
function bestWindows(
  matches: TextMatches,
  fences: readonly number[] | null,
  head: Float64Array,
  weights: readonly number[],
  pairWeights: readonly number[],
): Window[] {
  const { lineStarts, counts, closeness } = matches;
  const lines = counts.length;
  const isUsed = new Uint8Array(lines);
  const windows: Window[] = [];
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
        // Code and the words about it are different passages.
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
 * Turns down lines that say nothing themselves. Navigation and front matter are silent where the text matches too, so
 * that the text is what is ranked and shown; the words of front matter then count like those of a heading. Where nothing
 * else matches, front matter counts in full and navigation a little; links to other days are never what is shown.
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

/** Pieces of one long line share its number, so a chunk may have more text lines than numbers. */
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
