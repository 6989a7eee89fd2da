import { useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { shiftDay } from "../../../text/day.ts";
import { nameDay, parseDay, shiftMonth, today } from "../text/calendar.ts";
import { Icon } from "./icon.tsx";
import { Month } from "./month.tsx";

interface DateFieldProps {
  readonly label: string;
  /** `YYYY-MM-DD`, or empty for any day. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** A date, typed as `2026-03-02` or picked from a calendar. */
export function DateField({ label, value, onChange }: DateFieldProps) {
  const field = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  const typed = useSignal<string | null>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen.value) return;
    const close = ({ target }: Event): void => {
      if (!field.current?.contains(target as Node)) isOpen.value = false;
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen.value]);
  const focusButton = (): void => field.current?.querySelector("button")?.focus();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the calendar from wherever the focus is in it.
    <div
      class="date-field"
      ref={field}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen.value) return;
        event.preventDefault();
        event.stopPropagation();
        isOpen.value = false;
        focusButton();
      }}
    >
      <label for={id}>{label}</label>
      <div class="date-input">
        <input
          id={id}
          type="text"
          inputMode="numeric"
          placeholder="YYYY-MM-DD"
          autocomplete="off"
          maxLength={10}
          value={typed.value ?? value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            const day = currentTarget.value.trim() === "" ? "" : parseDay(currentTarget.value);
            if (day !== null) onChange(day);
          }}
          onBlur={() => {
            typed.value = null;
          }}
        />
        <button
          type="button"
          aria-label={`Choose a day: ${label}`}
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Icon name="calendar" />
        </button>
      </div>
      {isOpen.value ? (
        <DayPicker
          label={label}
          value={value}
          onPick={(day) => {
            onChange(day);
            isOpen.value = false;
            focusButton();
          }}
        />
      ) : null}
    </div>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function DayPicker({
  label,
  value,
  onPick,
}: {
  label: string;
  value: string;
  onPick: (day: string) => void;
}) {
  const grid = useRef<HTMLTableElement>(null);
  const current = today();
  const at = useSignal(value === "" ? current : value);
  const month = at.value.slice(0, 7);
  const isMoved = useRef(true);
  useLayoutEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMoved.current = false;
  }, [at.value]);
  const onKey = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    const page = { PageUp: -1, PageDown: 1 }[event.key];
    if (step === undefined && page === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    isMoved.current = true;
    at.value = step === undefined ? `${shiftMonth(month, page!)}-01` : shiftDay(at.value, step);
  };
  return (
    <div class="day-picker calendar" role="dialog" aria-label={`Choose a day: ${label}`} onKeyDown={onKey}>
      <Month
        month={month}
        heading="strong"
        table={grid}
        onMove={(by) => {
          at.value = `${shiftMonth(month, by)}-01`;
        }}
        renderDay={(day, number) => (
          <button
            type="button"
            tabIndex={day === at.value ? 0 : -1}
            aria-label={nameDay(day)}
            aria-pressed={day === value}
            data-today={day === current}
            onClick={() => onPick(day)}
          >
            {number}
          </button>
        )}
      />
      <div class="picker-tools">
        <button type="button" class="plain-link" onClick={() => onPick(current)}>
          Today
        </button>
        <button type="button" class="plain-link" onClick={() => onPick("")}>
          Any day
        </button>
      </div>
    </div>
  );
}
