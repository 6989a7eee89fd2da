import { countOf } from "./count-of.ts";

/** `812 B`, `4.1 kB`, `23 MB`. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = sizeBytes;
  let unit = "B";
  for (const next of units) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** `7.0 ms`, `1.3 s`, `2 min 5 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 9.95) return `${durationMs.toFixed(1)} ms`;
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const ages: readonly (readonly [unit: string, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** `3 minutes ago`; a time in the future (clock skew) counts as now. */
export function formatAge(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1000;
  for (const [unit, length] of ages) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}

export function formatUsd(usd: number): string {
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

/** `about 12,000 tokens, about $0.0024`; without a price if it is unknown. */
export function describeTokens(tokens: number, costUsd: number | null): string {
  const cost = costUsd === null ? "" : `, about ${formatUsd(costUsd)}`;
  return `about ${countOf(tokens, "token")}${cost}`;
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for a ratio of 0..1, exact to an eighth of a cell and padded to its full width. */
export function drawBar(share: number, cells: number): string {
  const units = Math.round(Math.min(1, Math.max(0, share)) * cells * 8);
  const bar = "█".repeat(Math.floor(units / 8)) + (eighths[units % 8] ?? "");
  return bar.padEnd(cells);
}
