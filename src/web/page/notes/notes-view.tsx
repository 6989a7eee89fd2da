import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { countOf } from "../../../text/count-of.ts";
import { api, type NoteEntry } from "../api.ts";
import { FirstSteps } from "../parts/first-steps.tsx";
import { LatestNotes } from "../parts/latest-notes.tsx";
import { Month } from "../parts/month.tsx";
import { Tags } from "../parts/tags.tsx";
import { attempt, changed, loadNotes, notes } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { nameDay, shiftMonth, today } from "../text/calendar.ts";
import { NoteList } from "./note-list.tsx";
import { NoteView } from "./note-view.tsx";

/** The list of notes beside the open one. A small screen shows only one of the two. */
export function NotesView({ path }: { path: string | null }) {
  useEffect(() => {
    if (notes.value === null) void loadNotes();
  }, []);
  return (
    <div class="notes" data-reading={path !== null}>
      {path === null ? <h1 class="seen-by-none">Notes</h1> : null}
      <aside class="notes-side" aria-label="All notes">
        <Calendar path={path} />
        <NoteList path={path} />
      </aside>
      {path === null ? <NothingChosen /> : <NoteView key={path} path={path} />}
    </div>
  );
}

const latestCount = 8;
const maxTags = 30;

function NothingChosen() {
  const latest = useSignal<readonly NoteEntry[]>([]);
  const tags = useSignal<readonly string[]>([]);
  useEffect(() => {
    void attempt(async () => {
      latest.value = (await api.latestNotes(latestCount)).notes;
      tags.value = mostUsed((await api.tags()).tags);
    });
  }, [changed.value]);
  return (
    <section
      class="page-note nothing-chosen"
      data-empty={notes.value?.length === 0}
      aria-label="No note chosen"
    >
      {notes.value?.length === 0 ? (
        <FirstSteps isEmpty />
      ) : (
        <>
          <p class="lead">Choose a note, or a day in the calendar.</p>
          {latest.value.length === 0 ? null : (
            <>
              <h2>Recently changed</h2>
              <LatestNotes notes={latest.value} />
            </>
          )}
          {tags.value.length === 0 ? null : (
            <>
              <h2>Tags</h2>
              <Tags tags={tags.value} />
            </>
          )}
        </>
      )}
    </section>
  );
}

/** The most frequent tags, in alphabetical order. */
function mostUsed(tags: readonly { readonly tag: string; readonly notes: number }[]): string[] {
  const shown = [...tags].sort((a, b) => b.notes - a.notes).slice(0, maxTags);
  return shown.map(({ tag }) => tag).sort((a, b) => a.localeCompare(b));
}

/** A month of daily notes. */
function Calendar({ path }: { path: string | null }) {
  const chosen = useSignal<string | null>(null);
  const daily = (notes.value ?? []).filter(({ date }) => date !== undefined);
  const byDay = Map.groupBy(daily, ({ date }) => date!);
  const current = daily.find((note) => note.path === path)?.date;
  const latest = daily.reduce((last, { date }) => (date! > last ? date! : last), "");
  const month = chosen.value ?? (current ?? (latest || today())).slice(0, 7);
  return (
    <section class="calendar" aria-label="Calendar of daily notes">
      <Month
        month={month}
        heading="h2"
        onMove={(by) => {
          chosen.value = shiftMonth(month, by);
        }}
        renderDay={(day, number) => {
          const own = byDay.get(day);
          if (own === undefined) return <span>{number}</span>;
          return (
            <a
              href={noteAddress(own[0]!.path)}
              aria-current={day === current ? "date" : undefined}
              aria-label={`${nameDay(day)}, ${countOf(own.length, "note")}`}
            >
              {number}
            </a>
          );
        }}
      />
    </section>
  );
}
