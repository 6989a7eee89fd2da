import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import type { Bar, Figure } from "./bars.ts";
import { isFailure, judge, type Verdict } from "./judge.ts";
import type { CurvePoint, PartName, PartResult } from "./parts.ts";
import { leastRest, type Rest } from "./rest.ts";

/** The output of `--json`, and the source of docs/benchmarks.md. */
export interface BenchResult {
  readonly version: string;
  readonly mode: "full" | "quick";
  readonly machine: Machine;
  /** The load average over one minute when it began. */
  readonly loadBefore: number;
  /** Absent in results of earlier versions. */
  readonly rest?: Rest;
  readonly durationMs: number;
  readonly rows: readonly ResultRow[];
  readonly curve?: { readonly date: string; readonly points: readonly CurvePoint[] };
  readonly failures: readonly { readonly part: PartName; readonly message: string }[];
  /** Every limit of the parts that ran is met, or tolerated. */
  readonly ok: boolean;
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly node: string;
  readonly sqlite: string;
}

export interface ResultRow extends Bar {
  readonly figure?: Figure;
  readonly value: number | null;
  readonly verdict: Verdict;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

export interface Outcome {
  readonly part: PartName;
  readonly result?: PartResult;
  readonly message?: string;
}

export interface ResultInput {
  readonly bars: readonly Bar[];
  readonly outcomes: readonly Outcome[];
  readonly mode: BenchResult["mode"];
  readonly date: string;
  readonly machine: Machine;
  readonly loadBefore: number;
  readonly rest?: Rest;
  readonly durationMs: number;
}

/** A quick run measures little data, so a time limit fails only if it is missed by this factor. */
export const quickTolerance = 2;

export function createResult(input: ResultInput): BenchResult {
  const { bars, outcomes, mode, date, machine, loadBefore, rest, durationMs } = input;
  const tolerance = mode === "quick" ? quickTolerance : 1;
  const barsOfMode = mode === "quick" ? bars.map(forQuickRun) : bars;
  const rows = outcomes.flatMap(({ part, result }) =>
    barsOfMode
      .filter((bar) => bar.part === part)
      .map((bar): ResultRow => {
        const figure = result?.figures[bar.id];
        return { ...bar, ...(figure && { figure }), ...judge(bar, figure, { tolerance }), date };
      }),
  );
  const points = outcomes.find(({ result }) => result?.curve)?.result?.curve;
  return {
    version: readVersion(),
    mode,
    machine,
    loadBefore,
    ...(rest && { rest }),
    durationMs,
    rows,
    ...(points && { curve: { date, points } }),
    failures: outcomes.flatMap(({ part, message }) => (message === undefined ? [] : [{ part, message }])),
    ok: !rows.some(isFailure),
  };
}

function forQuickRun(bar: Bar): Bar {
  const { atLeast, atMost, whenQuick = atLeast ?? atMost } = bar;
  if (whenQuick === undefined) return bar;
  return { ...bar, ...(atLeast === undefined ? { atMost: whenQuick } : { atLeast: whenQuick }) };
}

/**
 * Merges a new result into an earlier one: parts that were measured now replace the earlier ones; the others stay if
 * they are of the same machine and mode.
 */
export function mergeResults(
  earlier: BenchResult | null,
  now: BenchResult,
  bars: readonly Bar[],
): BenchResult {
  const isSame =
    earlier?.mode === now.mode && JSON.stringify(earlier.machine) === JSON.stringify(now.machine);
  if (!earlier || !isSame) return now;
  const measured = new Map([...earlier.rows, ...now.rows].map((row) => [row.id, row]));
  const rows = bars.flatMap(({ id }) => measured.get(id) ?? []);
  const curve = now.curve ?? earlier.curve;
  // The load of the busier run counts.
  const loadBefore =
    rows.length > now.rows.length ? Math.max(earlier.loadBefore, now.loadBefore) : now.loadBefore;
  const isMixed = rows.length > now.rows.length;
  const rest = isMixed && earlier.rest && now.rest ? leastRest(earlier.rest, now.rest) : now.rest;
  return {
    ...now,
    loadBefore,
    ...(rest && { rest }),
    rows,
    ...(curve && { curve }),
    ok: !rows.some(isFailure),
  };
}

export function describeMachine(): Machine {
  const [first] = cpus();
  return {
    processor: first?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "unknown",
  };
}

export function currentLoad(): number {
  return loadavg()[0] ?? 0;
}

function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
