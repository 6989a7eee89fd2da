import { createRandom } from "./random.ts";

/** How much a second run is above the first, and the range in which that lies with 95 % confidence. */
export interface Difference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** 0 is outside of the range: the difference is not chance. */
  readonly clear: boolean;
}

/** For one question, second run minus first, one number a metric. */
export type PairedSample = readonly number[];

const resamples = 2000;
const seed = 20_260_101;

/**
 * Paired bootstrap: questions are drawn again and again with replacement, always both answers to one together, and
 * the middle 95 % of the means is the interval. Several groups (sets) are drawn from separately and count the same, as
 * in the macro figure.
 */
export function pairedDifferences(
  groups: readonly (readonly PairedSample[])[],
  metrics: number,
): Difference[] {
  const random = createRandom(seed);
  const tables = groups.map((samples) => Float64Array.from(samples.flat()));
  const drawn = Array.from({ length: metrics }, () => new Float64Array(resamples));
  for (let round = 0; round < resamples; round++) {
    for (const table of tables) {
      const count = table.length / metrics;
      for (let draw = 0; draw < count; draw++) {
        const at = Math.floor(random() * count) * metrics;
        for (let metric = 0; metric < metrics; metric++) {
          drawn[metric]![round]! += table[at + metric]! / (count * tables.length);
        }
      }
    }
  }
  return drawn.map((means, metric) => {
    means.sort();
    const perGroup = groups.map((samples) => meanOf(samples.map((sample) => sample[metric]!)));
    const low = means[Math.floor(resamples * 0.025)]!;
    const high = means[Math.ceil(resamples * 0.975) - 1]!;
    return { difference: meanOf(perGroup), low, high, clear: low > 0 || high < 0 };
  });
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
