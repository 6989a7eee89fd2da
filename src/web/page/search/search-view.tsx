import { useLayoutEffect, useRef } from "preact/hooks";
import { countOf } from "../../../text/count-of.ts";
import { formatDuration } from "../../../text/figures.ts";
import { showHidden } from "../../../text/visible.ts";
import { FirstSteps } from "../parts/first-steps.tsx";
import { Icon } from "../parts/icon.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { WithCode } from "../parts/with-code.tsx";
import { openDialog } from "../state/dialogs.ts";
import { isTyping } from "../state/keys.ts";
import { pageLocation } from "../state/location.ts";
import { isReadOnly, status } from "../state/memory-state.ts";
import { Bar } from "./bar.tsx";
import { Filters } from "./filters.tsx";
import { groupHits, keyOf } from "./group-hits.ts";
import { Group } from "./hit.tsx";
import { loadInlineMarkdown } from "./inline-markdown.tsx";
import { rememberSearch } from "./recent-searches.ts";
import { withoutFilters, writeSearch } from "./search-address.ts";
import {
  answer,
  followAddress,
  hits,
  isAnswered,
  isSearching,
  previewed,
  searchState,
  updateSearch,
} from "./search-state.ts";
import { Welcome } from "./welcome.tsx";

const loadPreview = () => import("./preview.tsx").then(({ Preview }) => Preview);

export function SearchView() {
  const list = useRef<HTMLOListElement>(null);
  const { search } = pageLocation.value;
  const isArriving = useRef(true);
  // Before the first keystroke, which this would undo.
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
  const { explain, query } = searchState.value;
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

/** The search itself has low confidence in its hits, and says so before anybody takes them for an answer. */
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
  if (status.value?.files === 0) {
    return (
      <div class="page-note">
        <FirstSteps isEmpty />
      </div>
    );
  }
  const plain = withoutFilters(searchState.value);
  const isNarrowed = writeSearch(plain) !== writeSearch(searchState.value);
  return (
    <div class="page-note">
      <p class="lead">Nothing in this memory answers that.</p>
      <p>
        {isNarrowed ? "The filters may be too narrow. " : ""}
        Try fewer or other words: not all of them have to match, and typos are forgiven.
      </p>
      {isNarrowed ? (
        <button type="button" class="quiet" onClick={() => updateSearch(plain, { immediately: true })}>
          Search without filters
        </button>
      ) : isReadOnly.value ? null : (
        <button type="button" class="quiet" onClick={() => openDialog("add")}>
          <Icon name="pen" />
          Add it to the memory
        </button>
      )}
    </div>
  );
}

/** Arrow keys move the focus itself, so that the link that Enter will open is visible and announced. */
function onSearchKey(event: KeyboardEvent, list: HTMLOListElement | null): void {
  // During input composition (Chinese, Japanese, …), Enter and the arrow keys choose characters.
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
    rememberSearch(searchState.value.query);
    // A fast typist means the current query, not the first hit of the previous one.
    if (isAnswered.value) links[0]?.click();
    else updateSearch({}, { immediately: true });
  } else if (event.key === "Escape") {
    if (isInBox) updateSearch({ query: "" }, { immediately: true });
    else box?.focus();
  } else if (event.key === "e" && !isTyping(event.target)) {
    updateSearch({ explain: !searchState.value.explain }, { immediately: true });
  }
}

function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  // Focused synchronously, or the first keystrokes would be lost.
  useLayoutEffect(() => {
    // On a phone, the keyboard would cover the page unasked.
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
        value={searchState.value.query}
        onInput={({ currentTarget }) => updateSearch({ query: currentTarget.value })}
      />
      {searchState.value.query === "" ? (
        <kbd title="Press / anywhere on the page to search">/</kbd>
      ) : (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            updateSearch({ query: "" }, { immediately: true });
            input.current?.focus();
          }}
        >
          Clear
        </button>
      )}
    </search>
  );
}

const modeNames = {
  hybrid: "keyword and semantic",
  keyword: "keyword only",
  vector: "semantic only",
} as const;

/** The number of hits, the confidence of the search, and what limited the answer. */
function AnswerLine() {
  const found = answer.value?.value;
  if (found === undefined) return <div class="answer-line" role="status" />;
  const notes = groupHits(found.results).length;
  return (
    <div class="answer-line">
      <p>
        <strong role="status">{countOf(found.results.length, "hit")}</strong>
        {notes === found.results.length ? null : <span>in {countOf(notes, "note")}</span>}
        {found.results.length === 0 || found.confidenceLevel === "low" ? null : (
          <span title={`Confidence ${found.confidence.toFixed(2)}`}>{found.confidenceLevel} confidence</span>
        )}
        {found.mode === "hybrid" && found.explain === undefined ? null : <span>{modeNames[found.mode]}</span>}
        {found.explain === undefined ? null : <span>{formatDuration(totalOf(found.explain.timings))}</span>}
      </p>
      {found.stale ? (
        <p class="remark">The index is still catching up; the newest notes may be missing.</p>
      ) : null}
      {found.degraded.map((reason) => (
        <p class="remark" key={reason}>
          <WithCode text={reason} />
        </p>
      ))}
    </div>
  );
}

function totalOf(timings: Readonly<Record<string, number>>): number {
  return timings["total"] ?? Object.values(timings).reduce((sum, durationMs) => sum + durationMs, 0);
}

const stageNames: Readonly<Record<string, string>> = {
  terms: "read the question",
  meaning: "embed the question",
  candidates: "find candidates",
  scores: "score passages",
  facts: "look for superseded lines",
  hits: "cut snippets",
};

/** How the query was understood, how much was searched, and where the time went. */
function HowFound() {
  const explained = answer.value?.value.explain;
  if (explained === undefined) return null;
  const { tokens, candidates, timings } = explained;
  const heaviest = Math.max(...tokens.map(({ weight }) => weight), Number.MIN_VALUE);
  return (
    <section class="how-found">
      <h2>How this was found</h2>
      <h3>Words of the question</h3>
      {tokens.length === 0 ? <p class="faint">None that can be searched for.</p> : null}
      <dl class="explained">
        {tokens.map(({ token, weight, chunks, note }) => (
          <Bar
            key={token}
            name={showHidden(token)}
            value={weight}
            share={weight / heaviest}
            kind="term"
            remark={`in ${countOf(chunks, "chunk")}${note === undefined ? "" : ` · ${showHidden(note)}`}`}
          />
        ))}
      </dl>
      <h3>Candidates</h3>
      <p>
        {candidates.keyword} by keyword, {candidates.vector} semantic; {candidates.aboveFloor} above the floor
      </p>
      <h3>Time</h3>
      <dl class="timings">
        {Object.entries(timings).map(([stage, durationMs]) => (
          <div key={stage}>
            <dt>{stageNames[stage] ?? stage}</dt>
            <dd>{formatDuration(durationMs)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
