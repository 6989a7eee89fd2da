import { useSignal } from "@preact/signals";
import { shiftDay } from "../../../text/day.ts";
import { DateField } from "../parts/date-field.tsx";
import { Icon } from "../parts/icon.tsx";
import { today } from "../text/calendar.ts";
import { formatDay } from "../text/human.ts";
import { type SearchState, withoutFilters } from "./search-address.ts";
import { searchState, updateSearch } from "./search-state.ts";

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

/** Collapsed until the user wants to narrow the search; active filters are always visible. */
export function Filters() {
  const isOpen = useSignal(false);
  const state = searchState.value;
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
            onClick={() => updateSearch(without, { immediately: true })}
          >
            {name} <span aria-hidden="true">×</span>
          </button>
        ))}
        {active.length < 2 ? null : (
          <button
            type="button"
            class="plain-link"
            onClick={() => updateSearch(withoutFilters(state), { immediately: true })}
          >
            Remove all filters
          </button>
        )}
        <label class="switch explain-switch">
          <input
            type="checkbox"
            checked={state.explain}
            onChange={({ currentTarget }) =>
              updateSearch({ explain: currentTarget.checked }, { immediately: true })
            }
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
                onChange={() => updateSearch({ source: value }, { immediately: true })}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <DateField
          label="From"
          value={state.since}
          onChange={(since) => updateSearch({ since }, { immediately: true })}
        />
        <DateField
          label="Until"
          value={state.until}
          onChange={(until) => updateSearch({ until }, { immediately: true })}
        />
        <label class="path-field">
          Path
          <input
            type="text"
            placeholder="memory/2026-*"
            autocomplete="off"
            spellcheck={false}
            value={state.path}
            onInput={({ currentTarget }) => updateSearch({ path: currentTarget.value })}
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
            onInput={({ currentTarget }) =>
              updateSearch({ tag: currentTarget.value.replace(/^#/, "").trim() })
            }
          />
        </label>
        <div class="presets">
          {presets.map(({ name, days }) => (
            <button
              key={name}
              type="button"
              class="chip"
              onClick={() =>
                updateSearch({ since: shiftDay(today(), 1 - days), until: "" }, { immediately: true })
              }
            >
              {name}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The active filters in words, each with the change that removes it. */
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
