import { aboutScore, calibrateScores } from "./calibrate.ts";
import { fuseScores } from "./fuse.ts";
import { type EvidenceOptions, fuseEvidence } from "./fuse-evidence.ts";
import type { RankedPassage } from "./hits.ts";
import type { MeaningSide } from "./meaning.ts";
import type { Passage } from "./passages.ts";
import { decayFactor } from "./recency.ts";

/**
 * How keyword and semantic search are joined. `evidence` trusts each side as far as it stands out of chance on this
 * question. `assist` is for the builtin model: it lifts what words say by at most `weight`, and less the better the
 * words match. The others are for users who set weights.
 */
export type Blend =
  | { readonly kind: "evidence" }
  | { readonly kind: "assist"; readonly weight: number }
  | { readonly kind: "weighted" | "rrf"; readonly vectorWeight: number; readonly textWeight: number };

export interface RankOptions {
  readonly termCount: number;
  /** False when the index has no words to search. */
  readonly hasText: boolean;
  readonly meaning: Pick<MeaningSide, "scoreOf" | "best" | "chance"> | null;
  readonly blend:
    | Exclude<Blend, { kind: "evidence" }>
    | ({ readonly kind: "evidence" } & Omit<EvidenceOptions, "termCount" | "hasText">);
  /** Null when age does not count. */
  readonly decay: { readonly today: string; readonly halfLifeDays: number } | null;
}

/** Passages with their final scores, best first. */
export function rankPassages(passages: readonly Passage[], options: RankOptions): RankedPassage[] {
  const { termCount, hasText, meaning, blend, decay } = options;
  const raw = passages.map(({ score }) => score);
  const texts = calibrateScores(raw, termCount);
  const vectors = passages.map((passage) => meaning?.scoreOf(passage) ?? null);
  const fused =
    blend.kind === "evidence"
      ? fuseEvidence(passages, { ...blend, termCount, hasText })
      : (meaning === null ? texts : blendScores(raw, texts, vectors, { ...options, blend })).map(
          (score, index) => ({ index, score, isPlacedAnew: false }),
        );
  return fused
    .map(({ index, score: relevance, isPlacedAnew }) => {
      const passage = passages[index]!;
      const factor = decay !== null && ages(passage.chunk) ? decayFactor(passage.chunk.date, decay) : 1;
      return {
        passage: isPlacedAnew ? { ...passage, isMatched: false } : passage,
        relevance,
        score: relevance * factor,
        textScore: hasText ? texts[index]! : null,
        vectorScore: vectors[index]!,
        decay: factor,
      };
    })
    .sort(byScoreThenDate);
}

/** The curated long-term memory holds whenever it was written, whatever date its front matter names. */
function ages({ source, scope }: Passage["chunk"]): boolean {
  return source === "sessions" || scope !== "private";
}

/** What is nearest without being near is lifted no further: the weight of 0.16 then stays at 0.25. */
const leastBest = 0.41;

function blendScores(
  raw: readonly number[],
  texts: readonly number[],
  vectors: readonly (number | null)[],
  {
    blend,
    hasText,
    termCount,
    meaning,
  }: RankOptions & { readonly blend: Exclude<Blend, { kind: "evidence" }> },
): number[] {
  if (blend.kind === "assist") {
    const { best, chance } = meaning ?? { best: 0, chance: 1 };
    // Half way between where a chunk stands on the scale of the model and where it stands among those found: a question
    // whose best chunk is not near still has one that is nearest.
    const weight = blend.weight / Math.sqrt(Math.max(best, leastBest));
    const lifted = raw.map((text, i) => text + (1 - text) * weight * (vectors[i] ?? 0));
    return calibrateScores(lifted, termCount, { best, chance });
  }
  const standings = texts.map((text, i) => ({ text, vector: vectors[i]! }));
  const { kind: fusion, vectorWeight, textWeight } = blend;
  const fused = fuseScores(standings, { fusion, vectorWeight, textWeight, hasText, hasVector: true });
  // What one side alone is sure of is above the border, however little the other makes of it. All that are there keep
  // their order.
  return fused.map((score, i) => {
    const surest = Math.max(score, texts[i]!, vectors[i] ?? 0);
    return surest < aboutScore ? score : aboutScore + (1 - aboutScore) * score;
  });
}

/** Of equals the newer, then the first by path and line: the order never depends on how the index was filled. */
function byScoreThenDate(left: RankedPassage, right: RankedPassage): number {
  const [a, b] = [left.passage, right.passage];
  return (
    right.score - left.score ||
    compare(b.chunk.date ?? "", a.chunk.date ?? "") ||
    compare(a.chunk.path, b.chunk.path) ||
    a.lines.start - b.lines.start
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
