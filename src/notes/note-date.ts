import { monthNumber } from "../text/months.ts";
import { foldWord } from "../text/words/fold.ts";

/**
 * The day a note is about, `YYYY-MM-DD`, by its name: a real calendar day as daily notes are called by common tools.
 * A name whose day and month could be exchanged (03-04-2025) says nothing; `notes.daily` can read it.
 */
export function dateOf(path: string): string | null {
  if (!path.endsWith(".md")) return null;
  const whole = path.slice(0, -".md".length);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  // Nearly all names of notes have no year in them.
  if (!/\d{4}|\/\d\d$/.test(name) && !/\/\d{2}(?:-[^/]*)?\/\d{2}$/.test(whole)) return null;
  for (const pattern of numericNames) {
    const found = pattern.exec(name)?.groups;
    if (found) return asDay(found["year"], found["month"], found["day"]);
  }
  const inFolders = folderDay.exec(whole)?.groups;
  if (inFolders) return asDay(inFolders["year"], inFolders["month"], inFolders["day"]);
  return writtenDay(name);
}

/** A calendar day, or null when there is none of these numbers. */
export function asDay(year = "", month = "", day = ""): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes the 30th of February for the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** `03` for the name of a month in any language that longhand knows, or for its English abbreviation. */
export function monthOf(name: string): string | undefined {
  const folded = foldWord(name.replace(/\.$/, ""));
  return monthNumber(folded) ?? abbreviations[folded];
}

const abbreviations: Readonly<Record<string, string>> = {
  ...{ jan: "01", feb: "02", mar: "03", apr: "04", jun: "06", jul: "07" },
  ...{ aug: "08", sep: "09", sept: "09", oct: "10", nov: "11", dec: "12" },
};

const numericNames: readonly RegExp[] = [
  // 2025-03-04, 2025-03-04-planning, 2025-03-04 Tuesday
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?![\p{L}\p{N}])/u,
  // 2025_03_04 (Logseq)
  /^(?<year>\d{4})_(?<month>\d{2})_(?<day>\d{2})(?![\p{L}\p{N}])/u,
  // daily.journal.2025.03.04 (Dendron)
  /(?:^|\.)(?<year>\d{4})\.(?<month>\d{2})\.(?<day>\d{2})(?![\p{L}\p{N}])/u,
  // 20250304, 202503041530 Title (zettels)
  /^(?<year>(?:19|20)\d\d)(?<month>\d{2})(?<day>\d{2})(?:\d{4}(?:\d{2})?)?(?![\p{L}\p{N}])/u,
  // 04.03.2025: with dots the day comes first
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?![\p{L}\p{N}])/u,
  // Meeting 2025-03-04
  / (?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/u,
];

/** 2025/03/04, 2025/03-March/04 */
const folderDay = /(?:^|\/)(?<year>\d{4})\/(?<month>\d{2})(?:-[^/]*)?\/(?<day>\d{2})$/;

/** March 4th, 2025 · Mar 4, 2025 · 4 March 2025 · Tuesday, March 4th 2025 */
function writtenDay(name: string): string | null {
  const parts =
    /^(?:\p{L}+, )?(?:(\p{L}+\.?) (\d{1,2})|(\d{1,2})\.? (\p{L}+\.?))(?:st|nd|rd|th)?,? (\d{4})$/u.exec(name);
  if (parts === null) return null;
  const month = monthOf(parts[1] ?? parts[4] ?? "");
  return month === undefined ? null : asDay(parts[5], month, parts[2] ?? parts[3]);
}
