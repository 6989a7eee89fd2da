import { aboutScore, calibrateScores } from "./calibrate.ts";
import { fuseScores } from "./fuse.ts";
import type { RankedPassage } from "./hits.ts";
import type { MeaningSide } from "./meaning.ts";
import type { Passage } from "./passages.ts";
import { decayFactor } from "./recency.ts";

/**
 * How words and meaning are joined. `assist` is for a small model: it lifts what words say by at most `weight`, and
 * less the better the words match, so it never outvotes them. The others treat both sides as equals.
 */
export type Blend =
  | { readonly kind: "assist"; readonly weight: number }
  | { readonly kind: "weighted" | "rrf"; readonly vectorWeight: number; readonly textWeight: number };

export interface RankOptions {
  readonly termCount: number;
  /** False when the index has no words to search. */
  readonly hasText: boolean;
  readonly meaning: Pick<MeaningSide, "scoreOf" | "best" | "chance"> | null;
  readonly blend: Blend;
  /** Null when age does not count. */
  readonly decay: { readonly today: string; readonly halfLifeDays: number } | null;
}

/** Passages with their final scores, best first. */
export function rankPassages(passages: readonly Passage[], options: RankOptions): RankedPassage[] {
  const { termCount, hasText, meaning, decay } = options;
  const raw = passages.map(({ score }) => score);
  const texts = calibrateScores(raw, termCount);
  const vectors = passages.map((passage) => meaning?.scoreOf(passage) ?? null);
  const scores = meaning === null ? texts : blendScores(raw, texts, vectors, options);
  return passages
    .map((passage, i) => {
      const { date, scope } = passage.chunk;
      const factor = decay !== null && scope !== "private" ? decayFactor(date, decay) : 1;
      return {
        passage,
        relevance: scores[i]!,
        score: scores[i]! * factor,
        textScore: hasText ? texts[i]! : null,
        vectorScore: vectors[i]!,
        decay: factor,
      };
    })
    .sort(byScoreThenDate);
}

/** What is nearest without being near is lifted no further: the weight of 0.16 then stays at 0.25. */
const leastBest = 0.41;

function blendScores(
  raw: readonly number[],
  texts: readonly number[],
  vectors: readonly (number | null)[],
  { blend, hasText, termCount, meaning }: RankOptions,
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
  // What one side alone is sure of stays above the border, however little the other makes of it.
  return fused.map((score, i) =>
    Math.max(score, Math.min(aboutScore, texts[i]!), Math.min(aboutScore, vectors[i] ?? 0)),
  );
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
