import { LonghandError } from "../errors.ts";
import { isDay, shiftDay } from "../text/day.ts";

const dayMs = 86_400_000;

/**
 * Parses a day: `2026-03-01`, `today`, `yesterday`, or an age such as `7d`, `2w`, `3m`, `1y`. `today` is the user's
 * local date, `YYYY-MM-DD`; the result has the same form.
 */
export function parseDay(text: string, { option, today }: { option: string; today: string }): string {
  const word = text.trim().toLowerCase();
  if (word === "today") return today;
  if (word === "yesterday") return addDays(today, -1);
  const age = /^(\d{1,4})([dwmy])$/.exec(word);
  if (age !== null) return goBack(today, Number(age[1]), age[2] as "d" | "w" | "m" | "y");
  if (isDay(word)) return word;
  throw new LonghandError("usage", `${option} cannot be ${JSON.stringify(text.slice(0, 60))}: no such day.`, {
    hint: "Write YYYY-MM-DD, today, yesterday, or an age such as 7d, 2w, 3m or 1y.",
  });
}

function goBack(today: string, count: number, unit: "d" | "w" | "m" | "y"): string {
  if (unit === "d" || unit === "w") return addDays(today, -count * (unit === "w" ? 7 : 1));
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  const months = year * 12 + (month - 1) - count * (unit === "y" ? 12 : 1);
  const first = new Date(0);
  first.setUTCFullYear(Math.max(0, Math.floor(months / 12)), ((months % 12) + 12) % 12, 1);
  // The 31st of a shorter month is its last day, not the first of the next month.
  const daysInMonth = new Date(first.getTime() + 31 * dayMs);
  daysInMonth.setUTCDate(0);
  first.setUTCDate(Math.min(day, daysInMonth.getUTCDate()));
  return first.toISOString().slice(0, 10);
}

/** Not before the first day that four digits can name. */
function addDays(day: string, days: number): string {
  const moved = shiftDay(day, days);
  return moved.startsWith("-") ? "0000-01-01" : moved;
}
