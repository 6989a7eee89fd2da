import { useEffect } from "preact/hooks";
import { FirstSteps } from "../parts/first-steps.tsx";
import { loadNotes, notes } from "../state/memory-state.ts";
import { Calendar } from "./calendar.tsx";
import { NoteList } from "./note-list.tsx";
import { NoteView } from "./note-view.tsx";

/** All notes beside the one that is being read. On a small screen only one of the two is seen. */
export function NotesView({ path }: { path: string | null }) {
  useEffect(() => {
    if (notes.value === null) void loadNotes();
  }, []);
  return (
    <div class="notes" data-reading={path !== null}>
      <aside class="notes-side" aria-label="All notes">
        {path === null ? <h1 class="seen-by-none">Notes</h1> : null}
        <Calendar path={path} />
        <NoteList path={path} />
      </aside>
      {path === null ? <NothingChosen /> : <NoteView key={path} path={path} />}
    </div>
  );
}

function NothingChosen() {
  return (
    <section class="page-note nothing-chosen" aria-label="No note chosen">
      {notes.value?.length === 0 ? (
        <FirstSteps isEmpty />
      ) : (
        <>
          <p class="lead">Choose a note, or a day.</p>
          <p>
            Days with a note are marked in the calendar. The files stay yours: any editor may change them
            meanwhile.
          </p>
        </>
      )}
    </section>
  );
}
