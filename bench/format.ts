import type { Bar, Unit } from "./bars.ts";
import type { ResultRow } from "./result.ts";

/** A measured figure with its unit, to three significant digits. */
export function formatFigure(value: number, unit: Unit): string {
  switch (unit) {
    case "ms":
      return value >= 10_000 ? `${digits(value / 1000)} s` : `${digits(value)} ms`;
    case "bytes":
      return `${digits(value / 1e6)} MB`;
    case "per second":
      return `${digits(value / 1e6)} M/s`;
    case "count":
      return String(value);
    case "part":
      return value.toFixed(4);
  }
}

/** The value that was compared with the limit: a ratio, or the figure itself. */
export function formatValue({ judged, unit, value }: ResultRow): string {
  if (value === null) return "–";
  return judged === "ours" ? formatFigure(value, unit) : `${digits(value)}×`;
}

export function formatBar({ atLeast, atMost, judged, unit }: Bar): string {
  const limit = atLeast ?? atMost;
  if (limit === undefined) return "";
  const text = judged === "ours" ? formatFigure(limit, unit) : `${limit}×`;
  return `${atLeast === undefined ? "≤" : "≥"} ${text}`;
}

function digits(value: number): string {
  const decimals = Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2;
  return Number(value.toFixed(decimals)).toLocaleString("en", { maximumFractionDigits: decimals });
}
