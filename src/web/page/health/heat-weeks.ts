import { shiftDay } from "../../../text/day.ts";
import type { Timeline } from "../api.ts";

type Point = Timeline["points"][number];

export interface HeatDay {
  readonly day: string;
  /** The intensity of a day: 0 for no chunks, 4 for as many as the busiest day of an active memory. */
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly point: Point | null;
}

/** If every day has a chunk or two, none should look busy. */
const minBusiest = 6;

/** Weeks from Monday to Sunday; the last one contains `until`. Days after `until` are left out. */
export function heatWeeks(
  points: readonly Point[],
  { until, weeks }: { until: string; weeks: number },
): HeatDay[][] {
  const byDay = new Map(points.map((point) => [point.date, point]));
  const busiest = Math.max(minBusiest, ...points.map(({ chunks }) => chunks));
  const lastMonday = shiftDay(until, -weekday(until));
  return Array.from({ length: weeks }, (_, week) => {
    const monday = shiftDay(lastMonday, (week - weeks + 1) * 7);
    return Array.from({ length: 7 }, (_, number) => shiftDay(monday, number))
      .filter((day) => day <= until)
      .map((day) => {
        const point = byDay.get(day) ?? null;
        return { day, point, level: levelOf(point?.chunks ?? 0, busiest) };
      });
  });
}

/**
 * Most days are small compared with the busiest one, but should still differ from each other: hence the square root.
 */
function levelOf(chunks: number, busiest: number): HeatDay["level"] {
  return Math.ceil(4 * Math.sqrt(chunks / busiest)) as HeatDay["level"];
}

/** 0 for Monday. */
function weekday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}
