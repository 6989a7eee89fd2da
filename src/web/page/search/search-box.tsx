import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { isSearching, want, wanted } from "./search-state.ts";

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  // At once, or the first keys that are typed would be lost.
  useLayoutEffect(() => {
    // On a phone the keyboard would cover the page before anybody asked for it.
    if (matchMedia("(hover: hover)").matches) input.current?.focus({ preventScroll: true });
  }, []);
  return (
    <search class="search-box" data-busy={isSearching.value}>
      <Icon name="search" />
      <label class="seen-by-none" for="query">
        Ask the memory
      </label>
      <input
        ref={input}
        id="query"
        type="text"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={4096}
        placeholder="Ask in plain words …"
        value={wanted.value.query}
        onInput={({ currentTarget }) => want({ query: currentTarget.value })}
      />
      {wanted.value.query === "" ? (
        <kbd title="This key leads here from anywhere">/</kbd>
      ) : (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            want({ query: "" }, { atOnce: true });
            input.current?.focus();
          }}
        >
          Clear
        </button>
      )}
    </search>
  );
}
