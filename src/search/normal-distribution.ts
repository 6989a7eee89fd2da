/** The density of the normal distribution. */
export function density(deviation: number): number {
  return 0.3989423 * Math.exp(-(deviation ** 2) / 2);
}

/** ln of the upper tail of the normal distribution (Abramowitz and Stegun 26.2.17; asymptotic expansion far out). */
export function lnUpperTail(z: number): number {
  if (z >= 5) return -(z * z) / 2 - Math.log(z) - 0.9189;
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    0.3989423 *
    Math.exp((-z * z) / 2) *
    t *
    (0.3193815 + t * (-0.3565638 + t * (1.781478 + t * (-1.821256 + t * 1.330274))));
  return Math.log(z >= 0 ? tail : 1 - tail);
}

/** The z that is exceeded with this probability, below a half (Abramowitz and Stegun 26.2.22). */
export function deviationAt(share: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(0.49, share)));
  return t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
}
