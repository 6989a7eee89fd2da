import { emptySearch } from "./search-address.ts";
import { want, wanted } from "./search-state.ts";

const sources = [
  { value: "", name: "All" },
  { value: "memory", name: "Notes" },
  { value: "sessions", name: "Sessions" },
] as const;

export function Filters() {
  const { source, since, until, path, explain } = wanted.value;
  const isNarrowed = source !== "" || since !== "" || until !== "" || path !== "";
  return (
    <details class="filters" open={isWide() || isNarrowed}>
      <summary>Filters</summary>
      <fieldset class="choice">
        <legend>Look in</legend>
        {sources.map(({ value, name }) => (
          <label key={value}>
            <input
              type="radio"
              name="source"
              checked={source === value}
              onChange={() => want({ source: value }, { atOnce: true })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <div class="pair">
        <label>
          From
          <input
            type="date"
            value={since}
            onInput={({ currentTarget }) => want({ since: currentTarget.value })}
          />
        </label>
        <label>
          Until
          <input
            type="date"
            value={until}
            onInput={({ currentTarget }) => want({ until: currentTarget.value })}
          />
        </label>
      </div>
      <label>
        Path
        <input
          type="text"
          placeholder="memory/2026-*"
          autocomplete="off"
          spellcheck={false}
          value={path}
          onInput={({ currentTarget }) => want({ path: currentTarget.value })}
        />
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={explain}
          onChange={({ currentTarget }) => want({ explain: currentTarget.checked }, { atOnce: true })}
        />
        Explain the scores
      </label>
      {isNarrowed ? (
        <button
          type="button"
          class="quiet"
          onClick={() => want({ ...emptySearch, query: wanted.value.query, explain }, { atOnce: true })}
        >
          Remove all filters
        </button>
      ) : null}
    </details>
  );
}

function isWide(): boolean {
  return matchMedia("(min-width: 60rem)").matches;
}
