/** `12,034`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** `1 line`, `3 lines`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** `812 B`, `4.1 KB`, `23 MB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `7 ms`, `1.3 s`, `2 min`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000)
    return `${durationMs < 10 ? Number(durationMs.toFixed(1)) : Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return `${Math.round(durationMs / 60_000)} min`;
}

/** `14 Oct 2026`, of `2026-10-14`. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const month = date.toLocaleDateString("en", { month: "short", timeZone: "UTC" });
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`;
}

/** `just now`, `5 minutes ago`, `yesterday`, `14 Oct 2026`. */
export function formatAgo(moment: string, now: Date): string {
  const then = new Date(moment);
  if (Number.isNaN(then.getTime())) return moment;
  const minutes = Math.round((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${countOf(minutes, "minute")} ago`;
  if (minutes < 24 * 60) return `${countOf(Math.round(minutes / 60), "hour")} ago`;
  const days = Math.round(minutes / (24 * 60));
  if (days === 1) return "yesterday";
  return days < 14 ? `${days} days ago` : formatDay(then.toISOString().slice(0, 10));
}
