import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { api, type NoteSource } from "../api.ts";
import { asFailure } from "../api-failure.ts";
import { drafts, isUnsaved, keepDraft } from "../state/drafts.ts";
import { navigate, place } from "../state/location.ts";
import { changed, isReadOnly, notes, report } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { chooseLines, formatLineHash, parseLineHash } from "../text/line-range.ts";
import { nameDay } from "./calendar.ts";
import { ForgetDialog } from "./forget-dialog.tsx";
import { NoteEditor } from "./note-editor.tsx";
import { NoteTools, type ReadingMode } from "./note-tools.tsx";
import { RenderedNote } from "./rendered-note.tsx";
import { SourceNote } from "./source-note.tsx";

/** Above this a note is shown as its source: drawing all of it as Markdown would keep the page from answering. */
const maxRenderedChars = 400_000;

/** One note: read, cited, edited, forgotten. */
export function NoteView({ path }: { path: string }) {
  const source = useSignal<NoteSource | null>(null);
  const mode = useSignal<ReadingMode>(drafts.value.has(path) ? "edit" : "read");
  /** As it was when its dialog was opened. */
  const forgetting = useSignal<NoteSource | null>(null);
  const isGone = useSignal(false);
  const load = async (): Promise<void> => {
    try {
      source.value = await api.source(path);
      isGone.value = false;
    } catch (error) {
      isGone.value = asFailure(error).status === 404;
      if (isGone.value) source.value = null;
      else report(error);
    }
  };
  useEffect(() => void load(), [path]);
  useEffect(() => {
    if (changed.value.includes(path)) void load();
  }, [changed.value]);

  const chosen = parseLineHash(place.value.hash);
  const choose = (line: number, options: { extend: boolean }): void =>
    navigate(noteAddress(path, formatLineHash(chooseLines(chosen, line, options))), { replace: true });
  const note = source.value;
  const entry = notes.value?.find((found) => found.path === path);
  const draft = drafts.value.get(path);
  const startEditing = (): void => {
    if (note !== null && !drafts.value.has(path)) keepDraft({ path, base: note, text: note.text });
    mode.value = "edit";
  };
  return (
    <article class="note">
      <header class="note-head">
        <p class="note-trail">
          <a class="back" href="/notes">
            All notes
          </a>
          {entry?.date === undefined ? null : <time dateTime={entry.date}>{nameDay(entry.date)}</time>}
          {entry?.scope === "private" ? <span>private: never shown to groups</span> : null}
        </p>
        <h1>{showHidden(path)}</h1>
        <NoteTools
          path={path}
          mode={mode.value}
          chosen={chosen}
          readOnly={isReadOnly.value ? "This server only reads." : note?.readOnly}
          isUnsaved={draft !== undefined && isUnsaved(draft)}
          onMode={(next) => {
            if (next === "edit") startEditing();
            else mode.value = next;
          }}
          onForget={() => {
            forgetting.value = note;
          }}
        />
      </header>
      {mode.value === "edit" && draft !== undefined ? (
        <NoteEditor
          draft={draft}
          onDone={(saved) => {
            if (saved !== null) source.value = saved;
            mode.value = "read";
          }}
        />
      ) : isGone.value ? (
        <p class="remark" role="alert">
          There is no such note, or not any more.
        </p>
      ) : note === null ? (
        <p class="waiting">Loading …</p>
      ) : mode.value === "source" || note.text.length > maxRenderedChars ? (
        <SourceNote text={note.text} chosen={chosen} onChoose={choose} />
      ) : (
        <RenderedNote note={note} chosen={chosen} onChoose={choose} />
      )}
      {forgetting.value === null ? null : (
        <ForgetDialog
          note={forgetting.value}
          chosen={chosen}
          onClose={() => {
            forgetting.value = null;
          }}
        />
      )}
    </article>
  );
}
