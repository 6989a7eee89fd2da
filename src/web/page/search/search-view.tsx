import { useLayoutEffect, useRef } from "preact/hooks";
import { Lazy } from "../parts/lazy.tsx";
import { isTyping } from "../state/keys.ts";
import { place } from "../state/location.ts";
import { AnswerLine } from "./answer-line.tsx";
import { Filters } from "./filters.tsx";
import { groupHits, keyOf } from "./group-hits.ts";
import { Group } from "./hit.tsx";
import { HowFound } from "./how-found.tsx";
import { loadInlineMarkdown } from "./inline-markdown.tsx";
import { rememberSearch } from "./recent-searches.ts";
import { SearchBox } from "./search-box.tsx";
import { answer, followAddress, hits, isAnswered, previewed, want, wanted } from "./search-state.ts";
import { Welcome } from "./welcome.tsx";

const loadPreview = () => import("./preview.tsx").then(({ Preview }) => Preview);

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
    void loadInlineMarkdown();
    const onKey = (event: KeyboardEvent) => onSearchKey(event, list.current);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  const found = hits.value;
  const { explain, query } = wanted.value;
  const isStart = query.trim() === "" && answer.value === null;
  const shown = found.find((hit) => keyOf(hit) === previewed.value) ?? found[0];
  const isWeak = answer.value?.value.confidenceLevel === "low";
  return (
    <div class="search" data-start={isStart}>
      <h1 class="seen-by-none">Search the memory</h1>
      <SearchBox />
      {isStart ? null : <Filters />}
      <div class="search-body" data-has-side={shown !== undefined || explain}>
        <section class="results" aria-label="Hits">
          {isStart ? <Welcome /> : <AnswerLine />}
          {isWeak && found.length > 0 ? <NoGoodAnswer /> : null}
          <ol ref={list} class="hits" data-weak={isWeak}>
            {groupHits(found).map((group) => (
              <Group key={group.path} group={group} explain={explain} />
            ))}
          </ol>
          {answer.value !== null && found.length === 0 ? <NoHits /> : null}
        </section>
        {explain ? (
          <aside class="search-side" aria-label="How this was found">
            <HowFound />
          </aside>
        ) : shown === undefined ? null : (
          <aside class="search-side preview-side" aria-label="Preview">
            <Lazy load={loadPreview} given={{ hit: shown }} />
          </aside>
        )}
      </div>
    </div>
  );
}

/** The search itself doubts its hits, and says so before anybody reads them as an answer. */
function NoGoodAnswer() {
  return (
    <div class="no-answer" role="note">
      <p>
        <strong>No good answer in this memory.</strong> These are the closest passages, and probably about
        something else.
      </p>
    </div>
  );
}

function NoHits() {
  return (
    <div class="page-note">
      <p class="lead">Nothing in this memory answers that.</p>
      <p>
        Try fewer or other words, or remove a filter. Not all words have to match, and typos are forgiven.
      </p>
    </div>
  );
}

/** Arrows move the focus itself, so that what Enter will open can be seen and is read out. */
function onSearchKey(event: KeyboardEvent, list: HTMLOListElement | null): void {
  // While a word is being put together (Chinese, Japanese, …), Enter and the arrows choose its characters.
  if (event.isComposing || event.defaultPrevented) return;
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
    rememberSearch(wanted.value.query);
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
