import { headOf } from "../text/document.ts";
import type { HitDraft, RankedPassage } from "./hits.ts";
import { clamp, type QueryTerm } from "./query-terms.ts";
import type { SearchAnswer } from "./search.ts";
import type { SearchTrace } from "./searcher.ts";

export type ConfidenceLevel = "high" | "medium" | "low";

/** Thresholds of the levels; below medium, the notes most likely do not hold the answer. */
const confidenceBorders = { medium: 0.2, high: 0.7 };

function levelOf(confidence: number): ConfidenceLevel {
  if (confidence >= confidenceBorders.high) return "high";
  return confidence >= confidenceBorders.medium ? "medium" : "low";
}

/** The inputs of the confidence model. */
export interface ConfidenceFeatures {
  /** Null without keyword search. */
  readonly keyword: {
    /**
     * 0..1: of the best hit, and of the passage four ranks below it. Chance matches come in groups of similar scores.
     */
    readonly score: number;
    readonly background: number;
    /** Words of the query, and the fraction of them that the best hit contains; a guessed form counts as its certainty. */
    readonly words: number;
    readonly found: number;
    /** Fraction of the query, by weight, that occurs in the notes at all. */
    readonly known: number;
    /** Weight of the query's rarest word: it grows with the notes, as do chance matches. */
    readonly rarity: number;
    /** The query is in a script without spaces, where some character pairs are never words. */
    readonly isUnspaced: boolean;
  } | null;
  /** Semantic evidence for the best hit, on the model's scale; null without semantic search. */
  readonly semantic: number | null;
}

/**
 * A logistic model, fitted to half of about 3,200 queries in English, German, Chinese and Japanese, half of them
 * against notes without an answer, then rounded; the other half confirmed it (docs/search.md). The constant places
 * `confidenceBorders.medium` where one in a hundred answerable queries falls below it.
 */
const model = {
  ...{
    constant: 1.85,
    score: 2.5,
    lead: 8.4,
    words: 0.25,
    found: 2.7,
    known: 2.3,
    rarity: -0.42,
    unspaced: 2.4,
  },
  /** The builtin model's neutral score, and the weight of a full point above it. */
  ...{ semantic: 6, unrelated: 0.19 },
};
/** Lower bound of the keyword score, because the logarithm of 0 is infinite. */
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

/** For the builtin model, whose scale is known: a low score counts against an answer. */
export function semanticFromScore(score: number | null): number | null {
  return score === null ? null : model.semantic * (score - model.unrelated);
}

/** Related text is similar too, so only evidence (in nats) beyond this counts for an answer. */
const relatedEvidence = 3;
const maxEvidence = 6;

/** For any other embedder, from the evidence of its similarities on these notes. */
export function semanticFromEvidence(evidence: number): number {
  return clamp(evidence - relatedEvidence, 0, maxEvidence);
}

/** A word counts as found in the form of the query, or in one that is not much weaker. */
const foundShare = 0.4;
const backgroundRank = 4;

interface FeatureOptions {
  /** False for semantic search alone. */
  readonly hasKeywords: boolean;
  /** Semantic evidence for the best hit. */
  readonly semanticOf: (best: RankedPassage) => number | null;
}

/**
 * The features of an answer; null without a hit. If similarity ranked another hit above the best keyword match, either
 * may be the answer, and the more confident one counts.
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
  const counts = finder.count([headOf(chunk), ...table.linesText(chunk, hitLines)].join("\n"));
  // Whole identifiers, guesses and emoji are optional matches, not words that the query asked for.
  const asked = [...terms.keys()].filter((t) => !["exact", "joined", "emoji"].includes(terms[t]!.kind));
  const sumOf = (some: readonly number[], amount: (term: QueryTerm) => number): number =>
    some.reduce((sum, t) => sum + amount(terms[t]!), 0);
  const shareOf = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  const found = asked.filter((t) => counts[t]! >= foundShare);
  return {
    score,
    background: ranked[backgroundRank]?.passage.score ?? 0,
    words: asked.length,
    found: shareOf(
      sumOf(found, ({ certainty }) => certainty),
      asked.length,
    ),
    known: shareOf(
      sumOf(asked, ({ certainty, weight }) => certainty * weight),
      sumOf(asked, ({ weight }) => weight),
    ),
    rarity: asked.reduce((most, t) => Math.max(most, terms[t]!.weight), 0),
    isUnspaced: terms.some(({ kind }) => kind === "pair"),
  };
}

/** The confidence fields of an answer. */
export function describeConfidence(
  features: ConfidenceFeatures | null,
): Pick<SearchAnswer, "confidence" | "confidenceLevel"> {
  const exact = features === null ? 0 : confidenceOf(features);
  // Round down, so that the number and its level agree.
  const confidence = Math.floor(exact * 100) / 100;
  return { confidence, confidenceLevel: levelOf(confidence) };
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
