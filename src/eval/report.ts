import type { Answer, ScoredAnswer, SetResult } from "./answers.ts";
import { compareResults, type Differences, meanOf } from "./compare.ts";
import { type MetricName, metricNames } from "./metrics.ts";
import { invalidSet } from "./question.ts";

interface Comparison {
  /** The second configuration. */
  readonly config: string;
  /** Its figures. */
  readonly rows: Readonly<Record<string, Row>>;
  /** Second minus first, by set and as `macro`. */
  readonly differences: Readonly<Record<string, Differences>>;
}

/** What `longhand eval` reports; in JSON, the rows are top-level keys named after the sets. */
export interface Report {
  /** By set, and `macro`. */
  readonly rows: Readonly<Record<string, Row>>;
  readonly compare?: Comparison;
  readonly warnings: readonly string[];
  /** How many questions were generated from how many notes. */
  readonly generated?: { readonly questions: number; readonly notes: number };
}

interface ReportRequest {
  readonly results: readonly SetResult[];
  readonly by?: Grouping | undefined;
  readonly second?: { readonly config: string; readonly results: readonly SetResult[] } | undefined;
  readonly generated?: Report["generated"] | undefined;
}

export function createReport({ results, by, second, generated }: ReportRequest): Report {
  const warnings = new Set([...results, ...(second?.results ?? [])].flatMap((result) => result.warnings));
  return {
    rows: rowsOf(results, by),
    ...(second === undefined
      ? {}
      : {
          compare: {
            config: second.config,
            rows: rowsOf(second.results, by),
            differences: compareResults(results, second.results),
          },
        }),
    warnings: [...warnings],
    ...(generated === undefined ? {} : { generated }),
  };
}

export function reportToJson({ rows, compare, warnings, generated }: Report): Record<string, unknown> {
  return {
    ...rows,
    ...(compare === undefined ? {} : { compare }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(generated === undefined ? {} : { generated }),
  };
}

/** These names are other keys of the JSON report. */
export function checkNames(names: readonly string[]): void {
  const taken = names.find((name) => ["macro", "compare", "warnings", "generated"].includes(name));
  if (taken === undefined) return;
  throw invalidSet(
    `A set cannot be called ${JSON.stringify(taken)}: the report uses that name itself.`,
    "Rename its folder.",
  );
}

function rowsOf(results: readonly SetResult[], by: Grouping | undefined): Record<string, Row> {
  const rows = results.map((result) => [result.name, rowOf(result, by)] as const);
  return Object.fromEntries([...rows, ["macro", macroOf(rows.map(([, row]) => row))]]);
}

/** Figures of a set, or of a part of one. Shares and metrics are means in 0..1, rounded to four digits. */
export interface Row extends Readonly<Record<MetricName, number>> {
  /** How many questions. */
  readonly n: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Share of the questions without an answer, and of another set's questions, that got no hit. */
  readonly noAnswerEmpty?: number;
  readonly offTopicEmpty?: number;
  /** Share of the same that got no hit or a low confidence, and of the questions with an answer that did. */
  readonly noAnswerLow?: number;
  readonly offTopicLow?: number;
  readonly answerLow?: number;
  /** The same figures by language or category. */
  readonly by?: Readonly<Record<string, Row>>;
}

/** Figures that only some sets have. */
export const shareNames = [
  "noAnswerEmpty",
  "noAnswerLow",
  "offTopicEmpty",
  "offTopicLow",
  "answerLow",
] as const satisfies readonly (keyof Row)[];

export type Grouping = "category" | "lang";

export function rowOf({ answers, unanswerable, offTopic }: SetResult, by?: Grouping): Row {
  const groups =
    by === undefined ? [] : [...Map.groupBy(answers, ({ question }) => question[by])].sort(byName);
  return {
    ...figuresOf(answers),
    ...(unanswerable.length > 0
      ? { noAnswerEmpty: shareEmpty(unanswerable), noAnswerLow: shareLow(unanswerable) }
      : {}),
    ...(offTopic.length > 0 ? { offTopicEmpty: shareEmpty(offTopic), offTopicLow: shareLow(offTopic) } : {}),
    ...(unanswerable.length + offTopic.length > 0 ? { answerLow: shareLow(answers) } : {}),
    ...(by === undefined
      ? {}
      : { by: Object.fromEntries(groups.map(([name, some]) => [name, figuresOf(some)])) }),
  };
}

/** The unweighted mean over sets; `n` is their sum. */
export function macroOf(rows: readonly Row[]): Row {
  const meanFor = (key: keyof Omit<Row, "by">): number =>
    round(meanOf(rows.map((row) => row[key]).filter((value) => value !== undefined)));
  const shares = shareNames.filter((name) => rows.some((row) => row[name] !== undefined));
  const grouped = rows.flatMap(({ by }) => Object.entries(by ?? {}));
  const groups = [...Map.groupBy(grouped, ([name]) => name)].sort(byName);
  return {
    n: rows.reduce((sum, { n }) => sum + n, 0),
    ...metricsBy(meanFor),
    p50Ms: meanFor("p50Ms"),
    p95Ms: meanFor("p95Ms"),
    ...Object.fromEntries(shares.map((name) => [name, meanFor(name)])),
    ...(groups.length === 0
      ? {}
      : {
          by: Object.fromEntries(groups.map(([name, some]) => [name, macroOf(some.map(([, row]) => row))])),
        }),
  };
}

function figuresOf(answers: readonly ScoredAnswer[]): Row {
  const times = answers.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  return {
    n: answers.length,
    ...metricsBy((name) => round(meanOf(answers.map(({ metrics }) => metrics[name])))),
    p50Ms: roundMs(rankedAt(times, 0.5)),
    p95Ms: roundMs(rankedAt(times, 0.95)),
  };
}

function metricsBy(value: (name: MetricName) => number): Record<MetricName, number> {
  return Object.fromEntries(metricNames.map((name) => [name, value(name)])) as Record<MetricName, number>;
}

function shareEmpty(answers: readonly Answer[]): number {
  return round(meanOf(answers.map(({ hits }) => (hits.length === 0 ? 1 : 0))));
}

function shareLow(answers: readonly Answer[]): number {
  const isLow = ({ hits, confidenceLevel }: Answer): boolean =>
    hits.length === 0 || confidenceLevel === "low";
  return round(meanOf(answers.map((answer) => (isLow(answer) ? 1 : 0))));
}

/** The percentile by nearest rank. */
function rankedAt(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function roundMs(value: number): number {
  return Math.round(value * 100) / 100;
}
