import { isDay } from "../../../text/day.ts";

/** `YYYY-MM`. */
export type Month = string;

interface CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly number: number;
  readonly inMonth: boolean;
}

/** The weeks of a month, Monday first, padded with days of the adjacent months. */
export function weeksOf(month: Month): CalendarDay[][] {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  const first = new Date(Date.UTC(year, number - 1, 1));
  const lead = (first.getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: Math.ceil((lead + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const date = new Date(Date.UTC(year, number - 1, 1 - lead + week * 7 + weekday));
      const day = date.toISOString().slice(0, 10);
      return { day, number: date.getUTCDate(), inMonth: day.startsWith(month) };
    }),
  );
}

export function shiftMonth(month: Month, by: number): Month {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** `March 2026`, in the language of the page. */
export function nameMonth(month: Month): string {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1, 1)).toLocaleDateString("en", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** `Monday, 2 March 2026`. */
export function nameDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const weekday = date.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  return `${weekday}, ${date.getUTCDate()} ${nameMonth(day.slice(0, 7))}`;
}

/** A valid date as `YYYY-MM-DD`; null for anything else. */
export function parseDay(text: string): string | null {
  const day = text.trim();
  return isDay(day) ? day : null;
}

/** The current day where the reader is, as daily notes are named. */
export function today(now: Date = new Date()): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
