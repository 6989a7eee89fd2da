import { useSignal } from "@preact/signals";
import { Icon } from "../parts/icon.tsx";
import { notes } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { nameDay, nameMonth, shiftMonth, weeksOf } from "../text/calendar.ts";
import { countOf } from "../text/human.ts";

const weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** A month of daily notes. */
export function Calendar({ path }: { path: string | null }) {
  const chosen = useSignal<string | null>(null);
  const daily = (notes.value ?? []).filter(({ date }) => date !== undefined);
  const byDay = Map.groupBy(daily, ({ date }) => date!);
  const current = daily.find((note) => note.path === path)?.date;
  const latest = daily.reduce((last, { date }) => (date! > last ? date! : last), "");
  const month = chosen.value ?? (current ?? (latest || new Date().toISOString())).slice(0, 7);
  const move = (by: number): void => {
    chosen.value = shiftMonth(month, by);
  };
  return (
    <section class="calendar" aria-label="Calendar of daily notes">
      <div class="calendar-head">
        <button type="button" class="quiet square" onClick={() => move(-1)} aria-label="Month before">
          <Icon name="left" />
        </button>
        <h2 aria-live="polite">{nameMonth(month)}</h2>
        <button type="button" class="quiet square" onClick={() => move(1)} aria-label="Month after">
          <Icon name="right" />
        </button>
      </div>
      <table>
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
              {week.map(({ day, number, inMonth }) => {
                const own = byDay.get(day) ?? [];
                return (
                  <td key={day}>
                    {!inMonth ? null : own.length === 0 ? (
                      <span>{number}</span>
                    ) : (
                      <a
                        href={noteAddress(own[0]!.path)}
                        aria-current={day === current ? "date" : undefined}
                        aria-label={`${nameDay(day)}, ${countOf(own.length, "note")}`}
                      >
                        {number}
                      </a>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
