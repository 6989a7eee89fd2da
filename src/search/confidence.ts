import { headOf } from "../text/document.ts";
import type { HitDraft, RankedPassage } from "./hits.ts";
import { clamp } from "./query-terms.ts";
import type { SearchAnswer } from "./search.ts";
import type { SearchTrace } from "./searcher.ts";

export type ConfidenceLevel = "high" | "medium" | "low";

/** From here on a confidence is called medium, and high; below, the notes most likely do not hold the answer. */
const confidenceBorders = { medium: 0.2, high: 0.7 };

function levelOf(confidence: number): ConfidenceLevel {
  if (confidence >= confidenceBorders.high) return "high";
  return confidence >= confidenceBorders.medium ? "medium" : "low";
}

/** What the confidence is made of. */
export interface ConfidenceFeatures {
  /** Null where keywords did not take part. */
  readonly keyword: {
    /** 0..1, of the best hit's passage and of the one four places below it: chance finds several alike. */
    readonly score: number;
    readonly background: number;
    /** How many words the question has, and which share of them the best hit holds. */
    readonly words: number;
    readonly found: number;
    /** Which share of the question, by weight, is in the notes at all. */
    readonly known: number;
    /** The weight of the question's rarest word: it grows with the notes, and so does what chance finds. */
    readonly rarity: number;
    /** The question is in a script without blanks: of its pairs of characters, some are never words. */
    readonly isUnspaced: boolean;
  } | null;
  /** What similarity says of the best hit, on the scale of the model; null where vectors did not take part. */
  readonly semantic: number | null;
}

/**
 * A logistic model, fitted on half of about 3,200 questions in English, German, Chinese and Japanese, half of them asked
 * of notes that hold no answer, and rounded; the other half confirmed it (docs/search.md). The constant puts the border
 * that one in a hundred answerable questions misses at `confidenceBorders.medium`.
 */
const model = {
  ...{
    constant: 1.75,
    score: 2.5,
    lead: 8.4,
    words: 0.25,
    found: 2.7,
    known: 2.3,
    rarity: -0.42,
    unspaced: 2.4,
  },
  /** The score of the builtin model that says nothing, and what a whole point above it says. */
  ...{ semantic: 6, unrelated: 0.16 },
};
/** What keywords can say at least: without it nothing found would be minus infinity. */
const minScore = 0.01;

export function confidenceOf({ keyword, semantic }: ConfidenceFeatures): number {
  if (keyword === null) return logistic(2 * (semantic ?? 0) - 1);
  const { score, background, words, found, known, rarity, isUnspaced } = keyword;
  return logistic(
    model.constant +
      model.score * Math.log(Math.max(score, minScore)) +
      model.words * Math.log(Math.max(words, 1)) +
      model.lead * Math.max(0, score - background) +
      model.found * found +
      model.known * known +
      model.rarity * rarity +
      (isUnspaced ? model.unspaced : 0) +
      (semantic ?? 0),
  );
}

/** Of the builtin model, whose scale is known: a low score counts against an answer. */
export function semanticFromScore(score: number | null): number | null {
  return score === null ? null : model.semantic * (score - model.unrelated);
}

/** Related text is similar, too: only evidence (in nats) beyond what that explains speaks for an answer. */
const relatedEvidence = 3;
const maxEvidence = 6;

/** Of any other embedder, from what its similarity is worth on these notes. */
export function semanticFromEvidence(evidence: number): number {
  return clamp(evidence - relatedEvidence, 0, maxEvidence);
}

/** A word counts as found in the form that was asked for, or in one not much weaker. */
const foundShare = 0.4;
const backgroundRank = 4;

export interface FeatureOptions {
  /** False for a search by vectors alone. */
  readonly hasKeywords: boolean;
  /** What similarity says of the best hit. */
  readonly semanticOf: (best: RankedPassage) => number | null;
}

/**
 * The features of an answer; null when there is no hit. Where similarity has put another hit above the one that keywords
 * find best, either may be the answer, and the surer one counts.
 */
export function readFeatures(
  trace: Pick<SearchTrace, "terms" | "finder" | "table" | "ranked" | "drafts">,
  { hasKeywords, semanticOf }: FeatureOptions,
): ConfidenceFeatures | null {
  const [best, ...others] = trace.drafts;
  if (best === undefined) return null;
  const read = (hit: HitDraft): ConfidenceFeatures => ({
    keyword: hasKeywords ? readKeywordFeatures(hit, trace) : null,
    semantic: semanticOf(hit),
  });
  const scoreOf = ({ passage }: HitDraft): number => passage.score;
  const byKeywords = others.reduce((most, hit) => (scoreOf(hit) > scoreOf(most) ? hit : most), best);
  const features = read(best);
  if (!hasKeywords || byKeywords === best) return features;
  const second = read(byKeywords);
  return confidenceOf(second) > confidenceOf(features) ? second : features;
}

function readKeywordFeatures(
  { passage: { chunk, score }, lines: hitLines }: HitDraft,
  { terms, finder, table, ranked }: Pick<SearchTrace, "terms" | "finder" | "table" | "ranked">,
): ConfidenceFeatures["keyword"] {
  const lines = [headOf(chunk)];
  for (let line = hitLines.start; line <= hitLines.end; line++) lines.push(table.lineText(chunk, line));
  const counts = finder.count(lines.join("\n"));
  // Identifiers taken as a whole, guesses and emoji are extra chances, not words that were asked for.
  const asked = [...terms.keys()].filter((t) => !["exact", "joined", "emoji"].includes(terms[t]!.kind));
  const weightOf = (some: readonly number[]): number => some.reduce((sum, t) => sum + terms[t]!.weight, 0);
  const shareOf = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  const found = asked.filter((t) => counts[t]! >= foundShare);
  const known = asked.filter((t) => terms[t]!.chunks > 0);
  return {
    score,
    background: ranked[backgroundRank]?.passage.score ?? 0,
    words: asked.length,
    found: shareOf(found.length, asked.length),
    known: shareOf(weightOf(known), weightOf(asked)),
    rarity: asked.reduce((most, t) => Math.max(most, terms[t]!.weight), 0),
    isUnspaced: terms.some(({ kind }) => kind === "pair"),
  };
}

/** As answers carry it. */
export function describeConfidence(
  features: ConfidenceFeatures | null,
): Pick<SearchAnswer, "confidence" | "confidenceLevel"> {
  const exact = features === null ? 0 : confidenceOf(features);
  // Downwards, so that a figure and its level agree.
  const confidence = Math.floor(exact * 100) / 100;
  return { confidence, confidenceLevel: levelOf(confidence) };
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
