import { type MetricName, metricNames } from "./metrics.ts";
import { type Difference, type PairedSample, pairedDifferences } from "./paired-difference.ts";
import type { SetResult } from "./result.ts";

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
