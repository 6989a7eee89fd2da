import { useLayoutEffect, useRef } from "preact/hooks";
import { isTyping } from "../state/keys.ts";
import { place } from "../state/location.ts";
import { AnswerLine } from "./answer-line.tsx";
import { Filters } from "./filters.tsx";
import { Hit } from "./hit.tsx";
import { HowFound } from "./how-found.tsx";
import { SearchBox } from "./search-box.tsx";
import { answer, followAddress, hits, isAnswered, want, wanted } from "./search-state.ts";
import { Welcome } from "./welcome.tsx";

export function SearchView() {
  const list = useRef<HTMLOListElement>(null);
  const { search } = place.value;
  const isArriving = useRef(true);
  // Before a key is typed, which this would undo.
  useLayoutEffect(() => {
    followAddress(search, { isArriving: isArriving.current });
    isArriving.current = false;
  }, [search]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => onSearchKey(event, list.current);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  const found = hits.value;
  const { explain, query } = wanted.value;
  const isEmpty = query.trim() === "";
  return (
    <div class="search" data-empty={isEmpty && answer.value === null}>
      <h1 class="seen-by-none">Search the memory</h1>
      <SearchBox />
      <div class="search-body">
        <section class="results" aria-label="Hits">
          <AnswerLine />
          {answer.value === null && isEmpty ? <Welcome /> : null}
          <ol ref={list} class="hits">
            {found.map((hit) => (
              <Hit key={`${hit.path}:${hit.startLine}-${hit.endLine}`} hit={hit} explain={explain} />
            ))}
          </ol>
          {answer.value !== null && found.length === 0 ? <NoHits /> : null}
        </section>
        <aside class="search-side" aria-label="Filters and details">
          <Filters />
          {explain ? <HowFound /> : null}
        </aside>
      </div>
    </div>
  );
}

function NoHits() {
  return (
    <div class="page-note">
      <p>
        <strong>Nothing in this memory answers that.</strong>
      </p>
      <p>
        Fewer or other words may help, or a wider filter. Not all words have to match, and typing errors are
        forgiven.
      </p>
    </div>
  );
}

/** Arrows move the focus itself, so that what Enter will open can be seen and is read out. */
function onSearchKey(event: KeyboardEvent, list: HTMLOListElement | null): void {
  // While a word is being put together (Chinese, Japanese, …), Enter and the arrows choose its characters.
  if (event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const box = document.querySelector<HTMLInputElement>("#query");
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>(".hit-link") ?? [])];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const isInBox = document.activeElement === box;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
  if (step !== 0 && (isInBox || at >= 0)) {
    event.preventDefault();
    const next = at + step;
    if (next < 0) box?.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  } else if (event.key === "Enter" && isInBox) {
    event.preventDefault();
    // Whoever types quickly means this question, not the first hit of the one before.
    if (isAnswered.value) links[0]?.click();
    else want({}, { atOnce: true });
  } else if (event.key === "Escape") {
    if (isInBox) want({ query: "" }, { atOnce: true });
    else box?.focus();
  } else if (event.key === "e" && !isTyping(event.target)) {
    want({ explain: !wanted.value.explain }, { atOnce: true });
  }
}
