import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { countOf } from "../../../text/count-of.ts";
import { shiftDay } from "../../../text/day.ts";
import { showHidden } from "../../../text/visible.ts";
import type { Timeline } from "../api.ts";
import { Icon } from "../parts/icon.tsx";
import { loadNotes, notes } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { nameDay, nameMonth, today } from "../text/calendar.ts";
import { type HeatDay, heatWeeks } from "./heat-weeks.ts";

const columnPx = 15;
const labelsPx = 34;
const steps: Readonly<Record<string, number>> = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };

/** How much was written about each day, for as many weeks as fit. */
export function Heatmap({ points }: { points: Timeline["points"] }) {
  const box = useRef<HTMLElement>(null);
  const weeks = useSignal(53);
  const latest = [today(), points.at(-1)?.date ?? ""].reduce((a, b) => (a > b ? a : b));
  const until = useSignal(latest);
  const chosen = useSignal<string | null>(null);
  const isMoving = useRef(false);
  useLayoutEffect(() => {
    const element = box.current!;
    const fit = (): void => {
      weeks.value = Math.max(8, Math.min(53, Math.floor((element.clientWidth - labelsPx - 32) / columnPx)));
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    fit();
    return () => observer.disconnect();
  }, [weeks]);
  useEffect(() => {
    if (notes.value === null) void loadNotes();
  }, []);
  useLayoutEffect(() => {
    if (isMoving.current) box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMoving.current = false;
  }, [chosen.value]);

  const drawn = heatWeeks(points, { until: until.value, weeks: weeks.value });
  const first = drawn[0]?.[0]?.day ?? until.value;
  const reachable =
    chosen.value !== null && chosen.value >= first && chosen.value <= until.value
      ? chosen.value
      : until.value;
  const inView = points.filter(({ date }) => date >= first && date <= until.value);
  const turn = (by: number): void => {
    const next = shiftDay(until.value, by * weeks.value * 7);
    until.value = next > latest ? latest : next;
    chosen.value = null;
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = shiftDay(reachable, step);
    if (next < first || next > until.value) return;
    isMoving.current = true;
    chosen.value = next;
  };
  return (
    <figure class="heatmap" ref={box}>
      <figcaption>
        <span>
          <strong>{countOf(inView.length, "day")}</strong> with notes or sessions,{" "}
          {nameMonth(first.slice(0, 7))} to {nameMonth(until.value.slice(0, 7))}
        </span>
        <span class="heatmap-turn">
          <button
            type="button"
            class="quiet square"
            aria-label="Earlier"
            disabled={!points.some(({ date }) => date < first)}
            onClick={() => turn(-1)}
          >
            <Icon name="left" />
          </button>
          <button
            type="button"
            class="quiet square"
            aria-label="Later"
            disabled={until.value >= latest}
            onClick={() => turn(1)}
          >
            <Icon name="right" />
          </button>
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of days, of which one takes the focus. */}
      <div class="heat" role="group" aria-label="Days; arrow keys move between them" onKeyDown={onKey}>
        <div class="heat-days" aria-hidden="true">
          {["Mon", "", "Wed", "", "Fri", "", ""].map((name, index) => (
            <span key={index}>{name}</span>
          ))}
        </div>
        {drawn.map((week, index) => (
          <div class="heat-week" key={week[0]!.day}>
            <span class="heat-month" aria-hidden="true">
              {monthAbove(week, drawn[index - 1])}
            </span>
            {week.map(({ day, level, point }) => (
              <button
                key={day}
                type="button"
                tabIndex={day === reachable ? 0 : -1}
                data-level={level}
                aria-pressed={day === chosen.value}
                aria-label={`${nameDay(day)}: ${describe(point)}`}
                title={`${nameDay(day)}: ${describe(point)}`}
                onClick={() => {
                  chosen.value = day;
                }}
              />
            ))}
          </div>
        ))}
      </div>
      <p class="heat-legend faint" aria-hidden="true">
        less
        {[0, 1, 2, 3, 4].map((level) => (
          <i key={level} data-level={level} />
        ))}
        more
      </p>
      <div class="heat-chosen" role="status">
        {chosen.value === null ? null : <ChosenDay day={chosen.value} points={points} />}
      </div>
    </figure>
  );
}

function ChosenDay({ day, points }: { day: string; points: Timeline["points"] }) {
  const own = (notes.value ?? []).filter(({ date }) => date === day);
  return (
    <p>
      <strong>{nameDay(day)}</strong>: {describe(points.find(({ date }) => date === day) ?? null)}
      {own.map(({ path }) => (
        <a key={path} href={noteAddress(path)}>
          {showHidden(path)}
        </a>
      ))}
    </p>
  );
}

function describe(point: Timeline["points"][number] | null): string {
  if (point === null) return "nothing";
  const parts = [
    point.notes > 0 ? countOf(point.notes, "note") : "",
    point.sessions > 0 ? countOf(point.sessions, "session") : "",
    countOf(point.chunks, "chunk"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** `Mar` above the first week that begins in March. */
function monthAbove(week: readonly HeatDay[], before: readonly HeatDay[] | undefined): string {
  const month = week[0]!.day.slice(0, 7);
  if (before === undefined || before[0]!.day.startsWith(month)) return "";
  return nameMonth(month).slice(0, 3);
}
