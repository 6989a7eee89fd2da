import { createDailyPattern } from "../daily-pattern.ts";
import { dateOf } from "../note-date.ts";

/** Fewer dated notes may have their names by chance. */
const minNotes = 3;

const names = [
  "YYYY-MM-DD",
  "YYYY_MM_DD",
  "YYYYMMDD",
  "YYYY.MM.DD",
  "DD.MM.YYYY",
  "YYYY-MM-DD dddd",
  "YYYY-MM-DD-dddd",
];
const folders = ["YYYY/MM/", "YYYY/MM-MMMM/", "YYYY/YYYY-MM/", "YYYY-MM/", "YYYY/", ""];
const formats = folders.flatMap((folder) => names.map((name) => folder + name)).concat("YYYY/MM/DD");

/** Where the daily notes of a folder lie, as `notes.daily` is written; null when there are too few to tell. */
export function guessDaily(paths: readonly string[]): string | null {
  const patterns = formats.map((format) => ({ format, end: createDailyPattern(`{date:${format}}.md`) }));
  const counts = new Map<string, number>();
  for (const path of paths) {
    const day = dateOf(path);
    if (day === null) continue;
    const found = patterns.find(
      ({ end }) => path === end.pathOf(day) || path.endsWith(`/${end.pathOf(day)}`),
    );
    if (found === undefined) continue;
    const before = path.slice(0, path.length - found.end.pathOf(day).length);
    const date = found.format === "YYYY-MM-DD" ? "{date}" : `{date:${found.format}}`;
    const pattern = `${before}${date}.md`;
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, left], [, right]) => right - left);
  return best !== undefined && best[1] >= minNotes ? best[0] : null;
}
