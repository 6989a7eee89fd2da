/** A question whose best passage scores less than this is most likely not answered in memory. */
export const aboutScore = 0.35;
/** The raw score that stands for it, for a question of three words or fewer. */
const aboutRaw = 0.11;
/** A passage this much weaker than the best is noise beside it. */
const leastShare = 0.3;
const exponent = Math.log(aboutScore) / Math.log(aboutRaw);

/** The best score by meaning, and what the best would reach by chance. */
export interface MeaningEvidence {
  readonly best: number;
  readonly chance: number;
}

const noMeaning: MeaningEvidence = { best: 0, chance: 1 };

/**
 * Puts raw scores on the scale that `minScore` speaks of.
 *
 * The best one says how well memory answers the question at all. A long question is never matched in every word, so its
 * raw score counts more, up to twice. Then a power curve moves the border between "about this" and "not in memory",
 * found on questions asked of the wrong notes, to 0.35. When the best is above the border the others follow in
 * proportion to it, between the border and the best: whether something is in memory is decided by the best passage,
 * and what stands behind it may be the half that a question is also about.
 */
export function calibrateScores(raw: readonly number[], termCount: number, meaning = noMeaning): number[] {
  const lengthFactor = Math.min(2, Math.max(1, Math.sqrt(termCount / 3)));
  const curve = (value: number): number => Math.min(1, Math.max(0, value) * lengthFactor) ** exponent;
  const best = raw.reduce((most, value) => Math.max(most, value), 0);
  const bestScore = Math.max(curve(best), meaningCurve(meaning));
  if (best === 0 || bestScore < aboutScore) return raw.map(curve);
  return raw.map((value) => {
    const share = Math.max(0, value) / best;
    if (share < leastShare) return (aboutScore * share) / leastShare;
    return aboutScore + ((bestScore - aboutScore) * (share - leastShare)) / (1 - leastShare);
  });
}

/** Where no word of the question is in memory, meaning decides: the border is at what chance would reach. */
function meaningCurve({ best, chance }: MeaningEvidence): number {
  const border = Math.min(0.95, Math.max(0.05, chance));
  return best < border ? 0 : aboutScore + ((1 - aboutScore) * (best - border)) / (1 - border);
}
