import type { SetResult } from "./answers.ts";
import { type MetricName, metricNames } from "./metrics.ts";

export type Differences = Readonly<Record<MetricName, Difference>>;

/** Second minus first, by set and, over all sets, as `macro`. Both answered the same questions in the same order. */
export function compareResults(
  first: readonly SetResult[],
  second: readonly SetResult[],
): Record<string, Differences> {
  const groups = first.map((set, index) => pairAnswers(set, second[index]!));
  const perSet = first.map(({ name }, index) => [name, nameMetrics([groups[index]!])] as const);
  return Object.fromEntries([...perSet, ["macro", nameMetrics(groups)]]);
}

function pairAnswers(first: SetResult, second: SetResult): PairedSample[] {
  return first.answers.map(({ metrics }, index) =>
    metricNames.map((name) => second.answers[index]!.metrics[name] - metrics[name]),
  );
}

function nameMetrics(groups: readonly (readonly PairedSample[])[]): Differences {
  const differences = pairedDifferences(groups, metricNames.length).map(round);
  return Object.fromEntries(metricNames.map((name, index) => [name, differences[index]!])) as Differences;
}

function round({ difference, low, high, clear }: Difference): Difference {
  // Adding 0 turns -0, which would be shown with its sign, into 0.
  const short = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;
  return { difference: short(difference), low: short(low), high: short(high), clear };
}

/** How much higher the second run scores, with the 95 % confidence interval. */
export interface Difference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** The interval excludes 0: the difference is significant. */
  readonly clear: boolean;
}

/** For one question, second run minus first, one number a metric. */
type PairedSample = readonly number[];

const resamples = 2000;
const seed = 20_260_101;

/**
 * Paired bootstrap: questions are resampled with replacement, always with both answers, and the middle 95 % of the means
 * is the interval. Groups (sets) are resampled separately and weigh the same, as in the macro figure.
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

export function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Numbers in 0..1 that are the same in every run with the same seed. */
export function createRandom(seed: number): () => number {
  // A hashed counter is random enough for resampling.
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = counter;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
