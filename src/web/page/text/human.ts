import { countOf } from "../../../text/count-of.ts";

/** The file name of a note, without its ending. */
export function noteName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
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
