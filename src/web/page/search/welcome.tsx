import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { countOf } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { api, type NoteEntry } from "../api.ts";
import { FirstSteps } from "../parts/first-steps.tsx";
import { LatestNotes } from "../parts/latest-notes.tsx";
import { attempt, changed, status } from "../state/memory-state.ts";
import { exampleQuestions } from "./example-questions.ts";
import { clearRecentSearches, recentSearches } from "./recent-searches.ts";
import { updateSearch } from "./search-state.ts";

const latestCount = 6;
/** A user who starts typing immediately is answered first. */
const pauseMs = 250;
/** With fewer notes than this, users are still getting started. */
const smallMemory = 8;

/** Shown before the first query: how to begin, recent searches and recent notes. */
export function Welcome() {
  const latest = useSignal<readonly NoteEntry[] | null>(null);
  useEffect(() => {
    const load = (): Promise<boolean> =>
      attempt(async () => {
        latest.value = (await api.latestNotes(latestCount)).notes;
      });
    const timer = setTimeout(load, pauseMs);
    return () => clearTimeout(timer);
  }, [changed.value]);
  const known = status.value;
  const notes = latest.value;
  if (known === null || notes === null) return null;
  const isEmpty = known.files === 0 && notes.length === 0;
  const isSmall = known.files < smallMemory;
  const isNew = isSmall || recentSearches.value.length === 0;
  const examples = isNew ? exampleQuestions(notes) : [];
  return (
    <div class="welcome">
      {isEmpty ? null : (
        <p class="lead">
          {countOf(known.sourceCounts.find(({ source }) => source === "memory")?.files ?? 0, "note")}. Ask in
          your own words.
        </p>
      )}
      {isSmall ? <FirstSteps isEmpty={isEmpty} /> : null}
      {examples.length === 0 ? null : (
        <section>
          <h2>Try asking</h2>
          <p class="chips">
            {examples.map((question) => (
              <Question key={question} question={question} />
            ))}
          </p>
        </section>
      )}
      {recentSearches.value.length === 0 ? null : (
        <section class="recents">
          <h2>Recent searches</h2>
          <p class="chips">
            {recentSearches.value.map((question) => (
              <Question key={question} question={question} />
            ))}
            <button type="button" class="plain-link" onClick={clearRecentSearches}>
              Clear
            </button>
          </p>
        </section>
      )}
      {notes.length === 0 ? null : (
        <section>
          <h2>Recently changed</h2>
          <LatestNotes notes={notes} />
        </section>
      )}
    </div>
  );
}

function Question({ question }: { question: string }) {
  return (
    <button
      type="button"
      class="chip"
      onClick={() => updateSearch({ query: question }, { immediately: true })}
    >
      {showHidden(question)}
    </button>
  );
}
