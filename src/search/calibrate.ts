/** A question whose best passage scores less than this is most likely not answered in memory. */
export const aboutScore = 0.35;
/** The raw score that stands for it, for a question of three words or fewer. */
const aboutRaw = 0.11;
/** A passage this much weaker than the best is noise beside it. */
const leastShare = 0.3;
const exponent = Math.log(aboutScore) / Math.log(aboutRaw);

/**
 * Puts raw scores on the scale that `minScore` speaks of.
 *
 * The best one says how well memory answers the question at all. A long question is never matched in every word, so its
 * raw score counts more, up to twice. Then a power curve moves the border between "about this" and "not in memory",
 * found on questions asked of the wrong notes, to 0.35. When the best is above the border the others follow in
 * proportion to it, between the border and the best: whether something is in memory is decided by the best passage,
 * and what stands behind it may be the half that a question is also about.
 */
export function calibrateScores(raw: readonly number[], termCount: number): number[] {
  const lengthFactor = Math.min(2, Math.max(1, Math.sqrt(termCount / 3)));
  const curve = (value: number): number => Math.min(1, Math.max(0, value) * lengthFactor) ** exponent;
  const best = raw.reduce((most, value) => Math.max(most, value), 0);
  const bestScore = curve(best);
  if (bestScore < aboutScore) return raw.map(curve);
  return raw.map((value) => {
    const share = Math.max(0, value) / best;
    if (share < leastShare) return (aboutScore * share) / leastShare;
    return aboutScore + ((bestScore - aboutScore) * (share - leastShare)) / (1 - leastShare);
  });
}
