import { aboutScore, calibrateScores } from "./calibrate.ts";
import { correlate, keywordDeviations } from "./deviations.ts";
import {
  estimateKeywordEvidence,
  type KeywordFinding,
  likelihoodBelow,
  likelihoodRatio,
  type PossibleStrength,
} from "./evidence.ts";
import type { Passage } from "./passages.ts";
import type { VectorResult } from "./semantic-search.ts";

export interface EvidenceOptions {
  readonly termCount: number;
  readonly hasText: boolean;
  readonly totalChunks: number;
  /** Chunks that keyword search found, and whether they are all that have a word of the query. */
  readonly keyword: { readonly ids: ReadonlySet<number>; readonly isComplete: boolean };
  /** The keyword scores of the passages after the builtin model raised them; see `assist.ts`. */
  readonly raised?: readonly number[] | undefined;
  /** Positions of the query's identifiers among its terms; see `identifiersOf`. */
  readonly identifiers: readonly number[];
  /** Correlation of similarity with keyword evidence on these notes, 0..1; see `embedder-check.ts`. */
  readonly usualCorrelation: number;
  readonly semantic: Pick<
    VectorResult,
    "combine" | "evidenceOf" | "unprovedRatioOf" | "deviationsOf" | "surprise" | "nearest"
  >;
}

interface FusedPassage {
  /** Index of the passage in the input. */
  readonly index: number;
  /** 0..1. */
  readonly score: number;
  /** It was found by similarity rather than keywords, so its lines have to be located again. */
  readonly isRelocated: boolean;
}

/** Passages whose keyword score is this far below the best are noise. */
const minShare = 0.3;

/**
 * Combines the evidence of keyword and semantic search and maps it to the scale of `minScore`, preserving the order.
 *
 * The best passage tells how well the notes answer the query at all: by keywords, or by how far the most similar chunk
 * is above chance, whichever is stronger. The others follow in proportion to their evidence. Scores are not clipped,
 * because clipping would lose their order.
 */
export function fuseEvidence(passages: readonly Passage[], options: EvidenceOptions): FusedPassage[] {
  const { termCount, hasText, keyword, semantic } = options;
  const byChunk = Map.groupBy(passages.keys(), (index) => passages[index]!.chunk.id);
  const matched = withRaisedScores(passages, options);
  const keywordEvidence = estimatePassageEvidence(matched, options);
  const best = bestByChunk(matched, keyword.ids, keywordEvidence);
  const toOdds = hasText ? scaleOdds(best, options.totalChunks) : () => 1;
  const explain = explainSimilarity(best, options);
  const findingOf = (text: number): KeywordFinding => ({ odds: toOdds(text), explained: explain(text) });
  // Evidence is measured from the least possible, so that passages below chance keep their order too.
  const least = semantic.combine(findingOf(0), null);
  const evidence: (Omit<FusedPassage, "score"> & { readonly value: number })[] = [];
  for (const [id, indexes] of byChunk) {
    for (const [nth, index] of indexes.entries()) {
      const passage = passages[index]!;
      const text = hasText ? keywordEvidence(matched[index]!, keyword.ids.has(id)) : 0;
      const isRelocated = nth === 0 && semantic.evidenceOf(passage) > text;
      evidence.push({ index, value: semantic.combine(findingOf(text), passage) - least, isRelocated });
      // This passage represents the chunk.
      if (isRelocated) break;
    }
  }
  if (!hasText) {
    // Semantic search is all there is, so its best passage is an answer, and similar ones are kept, in their order.
    const most = Math.max(0, ...evidence.map(({ value }) => value));
    const bestScore = surpriseScore(Math.max(leastSurprise, semantic.surprise));
    const border = vectorShare * Math.max(0, most + least) - least;
    return toScores(evidence, { border, bestScore });
  }
  const bestText = Math.max(0, ...matched.map(({ score }) => score));
  const weak = keywordEvidence({ score: minShare * bestText, contributions: [] }, true);
  const border = Math.max(minEvidence, semantic.combine(findingOf(weak), null) - least);
  const [byWords = 0] = calibrateScores([bestText], termCount);
  return toScores(evidence, {
    border,
    bestScore: Math.max(byWords, surpriseScore(semantic.surprise)),
  });
}

function withRaisedScores(
  passages: readonly Passage[],
  { raised }: Pick<EvidenceOptions, "raised">,
): readonly Passage[] {
  if (raised === undefined) return passages;
  return passages.map((passage, i) => ({ ...passage, score: raised[i]! }));
}

/** The most evidence of a passage of each chunk that keyword search found. */
function bestByChunk(
  passages: readonly Passage[],
  ids: ReadonlySet<number>,
  keywordEvidence: PassageEvidence,
): ReadonlyMap<number, number> {
  const best = new Map<number, number>();
  for (const passage of passages) {
    const { id } = passage.chunk;
    if (ids.has(id)) best.set(id, Math.max(keywordEvidence(passage, true), best.get(id) ?? 0));
  }
  return best;
}

/** The standard deviations of a chunk's similarity that its keyword evidence explains. */
function explainSimilarity(
  evidenceById: ReadonlyMap<number, number>,
  { semantic, usualCorrelation }: Pick<EvidenceOptions, "semantic" | "usualCorrelation">,
): (evidence: number) => number {
  const chunks = [...evidenceById].map(([id, evidence]) => ({
    keyword: keywordDeviations(evidence),
    similarity: semantic.deviationsOf(id, 0),
  }));
  const correlation = correlate(chunks, usualCorrelation);
  return (evidence) => correlation * keywordDeviations(evidence);
}

/** Converts evidence (nats) to how much likelier a chunk is the answer than an average one. */
function scaleOdds(best: ReadonlyMap<number, number>, totalChunks: number): (evidence: number) => number {
  const total = Math.max(1, totalChunks, best.size);
  let sum = total - best.size;
  for (const evidence of best.values()) sum += Math.exp(evidence);
  return (evidence) => (Math.exp(evidence) * total) / sum;
}

/** Evidence for a passage from its words; see `KeywordEvidence`. */
type PassageEvidence = (passage: Pick<Passage, "score" | "contributions">, isCandidate: boolean) => number;

/**
 * Evidence for the first passages by keywords if they have an identifier of the query: nine of ten such queries are
 * answered where it occurs. It protects them from similarities, and leaves the order by keywords as it is.
 */
const identifierEvidence = 2.5;

function estimatePassageEvidence(
  passages: readonly Passage[],
  { keyword, identifiers, totalChunks }: Pick<EvidenceOptions, "keyword" | "identifiers" | "totalChunks">,
): PassageEvidence {
  const best = new Map<number, number>();
  for (const { chunk, score } of passages) {
    if (keyword.ids.has(chunk.id)) best.set(chunk.id, Math.max(score, best.get(chunk.id) ?? 0));
  }
  const keywordEvidence = estimateKeywordEvidence([...best.values()], {
    totalChunks,
    isComplete: keyword.isComplete,
  });
  const hasIdentifier = ({ contributions }: Pick<Passage, "contributions">): boolean =>
    identifiers.some((term) => (contributions[term] ?? 0) > 0);
  const bestWithout = passages.reduce(
    (most, passage) => (hasIdentifier(passage) ? most : Math.max(most, passage.score)),
    0,
  );
  return (passage, isCandidate) => {
    const isNamed = passage.score > bestWithout && hasIdentifier(passage);
    return keywordEvidence(passage.score, isCandidate) + (isNamed ? identifierEvidence : 0);
  };
}

/** Fraction of queries that tell nothing, because no chunk answers them. */
const unanswered = 0.23;

/**
 * For each possible strength of an embedder: how much likelier its similarities are than by chance, if the answer is
 * where keywords say, or anywhere if they mislead. So a chunk that is more similar than chance explains shows strength
 * even if keywords missed it.
 */
export function compareStrengths(
  passages: readonly Passage[],
  options: Omit<EvidenceOptions, "termCount" | "hasText">,
  strengths: readonly Pick<PossibleStrength, "shift" | "missed" | "misled">[],
): number[] {
  const { totalChunks, keyword, semantic } = options;
  const matched = withRaisedScores(passages, options);
  const chunks = new Map(bestByChunk(matched, keyword.ids, estimatePassageEvidence(matched, options)));
  const explain = explainSimilarity(chunks, options);
  for (const id of semantic.nearest) if (!chunks.has(id)) chunks.set(id, 0);
  const others = Math.max(0, totalChunks - chunks.size);
  const last = semantic.nearest.at(-1);
  const border = last === undefined ? 0 : semantic.deviationsOf(last, 0);
  /** Means over all chunks, weighted by keywords and not. */
  const meansOf = (
    ofChunk: (id: number, explained: number) => number,
    ofOthers: number,
  ): { readonly guided: number; readonly misled: number } => {
    let [guided, misled, sum] = [others * ofOthers, others * ofOthers, others];
    for (const [id, evidence] of chunks) {
      const ratio = ofChunk(id, explain(evidence));
      const odds = Math.exp(evidence);
      guided += odds * ratio;
      misled += ratio;
      sum += odds;
    }
    return { guided: guided / sum, misled: misled / (others + chunks.size) };
  };
  const unproved = meansOf(semantic.unprovedRatioOf, 1);
  const byShift = new Map<number, ReturnType<typeof meansOf>>();
  return strengths.map(({ shift, missed, misled }) => {
    if (shift > 0 && !byShift.has(shift)) {
      byShift.set(
        shift,
        meansOf(
          (id, explained) => likelihoodRatio(semantic.deviationsOf(id, explained), shift),
          likelihoodBelow(border, shift),
        ),
      );
    }
    const means = byShift.get(shift) ?? unproved;
    const seen = (1 - misled) * means.guided + misled * means.misled;
    return unanswered + (1 - unanswered) * (missed + (1 - missed) * seen);
  });
}

/** A chunk below this fraction of the best evidence is no more similar than most. */
const vectorShare = 0.05;
/** The best passage needs some room above the threshold, or the others would share its score. */
const leastSurprise = 0.1;
/** Any chunk may have less evidence than this. */
const minEvidence = 0.5;

function toScores(
  evidence: readonly (Omit<FusedPassage, "score"> & { readonly value: number })[],
  { border, bestScore }: { border: number; bestScore: number },
): FusedPassage[] {
  const best = evidence.reduce((most, { value }) => Math.max(most, value), 0);
  const scoreOf = (value: number): number => {
    if (best === 0) return 0;
    if (bestScore < aboutScore || best <= border) return (bestScore * value) / best;
    if (value < border) return (aboutScore * value) / border;
    return aboutScore + ((bestScore - aboutScore) * (value - border)) / (best - border);
  };
  return evidence.map(({ value, ...fused }) => ({ ...fused, score: scoreOf(value) }));
}

/** If chance alone would produce a chunk this similar, similarity does not tell whether the notes have an answer. */
function surpriseScore(surprise: number): number {
  return surprise <= 0 ? 0 : aboutScore + (1 - aboutScore) * -Math.expm1(-surprise / 8);
}
