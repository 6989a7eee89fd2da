import type { Bar, Figure } from "./bars.ts";

/**
 * `tolerated`: missed, but within the error of a small run on a busy machine. `told`: there is no limit. `unmeasured`:
 * the part that should have measured it did not.
 */
export type Verdict = "met" | "missed" | "tolerated" | "told" | "unmeasured";

export interface Judgement {
  /** The value that was compared with the limit; null if it was not measured. */
  readonly value: number | null;
  readonly verdict: Verdict;
}

export interface JudgeOptions {
  /** Limits that are not exact fail only if they are missed by this factor: 1 is strict. */
  readonly tolerance: number;
}

export function judge(bar: Bar, figure: Figure | undefined, { tolerance }: JudgeOptions): Judgement {
  const value = figure && comparedValue(bar, figure);
  if (value === undefined || !Number.isFinite(value)) return { value: null, verdict: "unmeasured" };
  if (bar.atLeast === undefined && bar.atMost === undefined) return { value, verdict: "told" };
  if (isWithin(bar, value, 1)) return { value, verdict: "met" };
  const isTolerated = !bar.isExact && isWithin(bar, value, tolerance);
  return { value, verdict: isTolerated ? "tolerated" : "missed" };
}

export function isFailure({ verdict }: Judgement): boolean {
  return verdict === "missed" || verdict === "unmeasured";
}

function comparedValue({ judged }: Bar, { ours, reference }: Figure): number | undefined {
  if (judged === "ours") return ours;
  if (reference === undefined) return undefined;
  return judged === "speedup" ? reference / ours : ours / reference;
}

function isWithin(
  { atLeast = -Infinity, atMost = Infinity }: Bar,
  value: number,
  tolerance: number,
): boolean {
  return value * tolerance >= atLeast && value <= atMost * tolerance;
}
