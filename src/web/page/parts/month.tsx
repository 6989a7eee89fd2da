import type { ComponentChildren, Ref } from "preact";
import { nameMonth, weeksOf } from "../text/calendar.ts";
import { Icon } from "./icon.tsx";

interface MonthProps {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly heading: "h2" | "strong";
  readonly onMove: (months: number) => void;
  readonly renderDay: (day: string, number: number) => ComponentChildren;
  readonly table?: Ref<HTMLTableElement>;
}

const weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** One month as a table of weeks, with buttons for the previous and the next month. */
export function Month({ month, heading: Heading, onMove, renderDay, table = null }: MonthProps) {
  return (
    <>
      <div class="calendar-head">
        <button type="button" class="quiet square" onClick={() => onMove(-1)} aria-label="Month before">
          <Icon name="left" />
        </button>
        <Heading aria-live="polite">{nameMonth(month)}</Heading>
        <button type="button" class="quiet square" onClick={() => onMove(1)} aria-label="Month after">
          <Icon name="right" />
        </button>
      </div>
      <table ref={table}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]!.day}>
              {week.map(({ day, number, inMonth }) => (
                <td key={day}>{inMonth ? renderDay(day, number) : null}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
