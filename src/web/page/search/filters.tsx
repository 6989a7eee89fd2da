import { useSignal } from "@preact/signals";
import { DateField } from "../parts/date-field.tsx";
import { Icon } from "../parts/icon.tsx";
import { shiftDay } from "../text/calendar.ts";
import { formatDay } from "../text/human.ts";
import { type SearchState, withoutFilters } from "./search-address.ts";
import { want, wanted } from "./search-state.ts";

const sources = [
  { value: "", name: "All" },
  { value: "memory", name: "Notes" },
  { value: "sessions", name: "Sessions" },
] as const;

const presets = [
  { name: "Last 7 days", days: 7 },
  { name: "Last 30 days", days: 30 },
  { name: "Last year", days: 365 },
] as const;

/** Folded away until somebody wants to narrow the search; what narrows it is always seen. */
export function Filters() {
  const isOpen = useSignal(false);
  const state = wanted.value;
  const active = describe(state);
  return (
    <div class="filters">
      <div class="filter-bar">
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen.value}
          aria-controls="filter-panel"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Icon name="filter" />
          Filters
        </button>
        {active.map(({ name, without }) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-label={`Remove the filter ${name}`}
            onClick={() => want(without, { atOnce: true })}
          >
            {name} <span aria-hidden="true">×</span>
          </button>
        ))}
        {active.length < 2 ? null : (
          <button
            type="button"
            class="plain-link"
            onClick={() => want(withoutFilters(state), { atOnce: true })}
          >
            Remove all filters
          </button>
        )}
        <label class="switch explain-switch">
          <input
            type="checkbox"
            checked={state.explain}
            onChange={({ currentTarget }) => want({ explain: currentTarget.checked }, { atOnce: true })}
          />
          Explain the scores
        </label>
      </div>
      <div id="filter-panel" class="filter-panel" hidden={!isOpen.value}>
        <fieldset class="choice">
          <legend>Look in</legend>
          {sources.map(({ value, name }) => (
            <label key={value}>
              <input
                type="radio"
                name="source"
                checked={state.source === value}
                onChange={() => want({ source: value }, { atOnce: true })}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <DateField label="From" value={state.since} onChange={(since) => want({ since }, { atOnce: true })} />
        <DateField
          label="Until"
          value={state.until}
          onChange={(until) => want({ until }, { atOnce: true })}
        />
        <label class="path-field">
          Path
          <input
            type="text"
            placeholder="memory/2026-*"
            autocomplete="off"
            spellcheck={false}
            value={state.path}
            onInput={({ currentTarget }) => want({ path: currentTarget.value })}
          />
        </label>
        <label class="tag-field">
          Tag
          <input
            type="text"
            placeholder="any"
            autocomplete="off"
            spellcheck={false}
            value={state.tag}
            onInput={({ currentTarget }) => want({ tag: currentTarget.value.replace(/^#/, "").trim() })}
          />
        </label>
        <div class="presets">
          {presets.map(({ name, days }) => (
            <button
              key={name}
              type="button"
              class="chip"
              onClick={() => want({ since: shiftDay(today(), 1 - days), until: "" }, { atOnce: true })}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

/** What narrows the search, in words, each with the change that removes it. */
function describe({
  source,
  since,
  until,
  path,
  tag,
}: SearchState): { name: string; without: Partial<SearchState> }[] {
  const name = sources.find(({ value }) => value === source)?.name ?? "";
  return [
    ...(source === "" ? [] : [{ name: `${name} only`, without: { source: "" } as const }]),
    ...(since === "" ? [] : [{ name: `from ${formatDay(since)}`, without: { since: "" } }]),
    ...(until === "" ? [] : [{ name: `until ${formatDay(until)}`, without: { until: "" } }]),
    ...(path === "" ? [] : [{ name: path, without: { path: "" } }]),
    ...(tag === "" ? [] : [{ name: `#${tag}`, without: { tag: "" } }]),
  ];
}

function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
