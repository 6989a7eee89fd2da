/** If the best passage scores less than this, the notes most likely do not answer the query. */
export const aboutScore = 0.35;
/** The raw score that maps to it, for a query of up to three words. */
const aboutRaw = 0.11;
/** A passage this much weaker than the best is noise. */
const minScoredShare = 0.3;
const exponent = Math.log(aboutScore) / Math.log(aboutRaw);

/** The best semantic score, and the score expected by chance. */
interface SemanticEvidence {
  readonly best: number;
  readonly chance: number;
}

const noSemanticEvidence: SemanticEvidence = { best: 0, chance: 1 };

/**
 * Maps raw scores to the scale of `minScore`.
 *
 * The best passage tells how well the notes answer the query at all. Long queries are never matched in every word, so
 * their raw scores count up to twice as much. A power curve then maps the threshold between "answered" and "not in the
 * notes", measured with queries against the wrong notes, to 0.35. If the best passage is above the threshold, the
 * others are scaled between the threshold and the best: a weaker passage may answer the other half of the query.
 */
export function calibrateScores(
  raw: readonly number[],
  termCount: number,
  semantic = noSemanticEvidence,
): number[] {
  const lengthFactor = Math.min(2, Math.max(1, Math.sqrt(termCount / 3)));
  const curve = (value: number): number => Math.min(1, Math.max(0, value) * lengthFactor) ** exponent;
  const best = raw.reduce((most, value) => Math.max(most, value), 0);
  const bestScore = Math.max(curve(best), semanticCurve(semantic));
  if (best === 0 || bestScore < aboutScore) return raw.map(curve);
  return raw.map((value) => {
    const share = Math.max(0, value) / best;
    if (share < minScoredShare) return (aboutScore * share) / minScoredShare;
    return aboutScore + ((bestScore - aboutScore) * (share - minScoredShare)) / (1 - minScoredShare);
  });
}

/** Decides when no word of the query is in the notes: the threshold is the score expected by chance. */
function semanticCurve({ best, chance }: SemanticEvidence): number {
  const border = Math.min(0.95, Math.max(0.05, chance));
  return best < border ? 0 : aboutScore + ((1 - aboutScore) * (best - border)) / (1 - border);
}
