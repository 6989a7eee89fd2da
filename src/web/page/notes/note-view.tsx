import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { NoteLinks } from "../../../memory/memory.ts";
import { showHidden } from "../../../text/visible.ts";
import { api, type NoteSource } from "../api.ts";
import { asFailure } from "../api-failure.ts";
import { drafts, dropDraft, isUnsaved, startDraft } from "../state/drafts.ts";
import { navigate, place } from "../state/location.ts";
import { changed, isAmongChanged, isReadOnly, notes, report } from "../state/memory-state.ts";
import { oneAtATime } from "../state/one-at-a-time.ts";
import { noteAddress } from "../state/routes.ts";
import { nameDay } from "../text/calendar.ts";
import { chooseLines, formatLineHash, parseLineHash } from "../text/line-range.ts";
import { Connections } from "./connections.tsx";
import { ForgetDialog } from "./forget-dialog.tsx";
import { NoteEditor } from "./note-editor.tsx";
import { NoteTools, type ReadingMode } from "./note-tools.tsx";
import { RenderedNote } from "./rendered-note.tsx";
import { SourceNote } from "./source-note.tsx";
import { Tags } from "./tags.tsx";

/** Above this a note is shown as its source: drawing all of it as Markdown would keep the page from answering. */
const maxRenderedChars = 400_000;
/** Above this the server would not take it back. */
const maxEditedChars = 1_000_000;

/** One note: read, cited, edited, forgotten. */
export function NoteView({ path }: { path: string }) {
  const source = useSignal<NoteSource | null>(null);
  const mode = useSignal<ReadingMode>(drafts.value.has(path) ? "edit" : "read");
  /** As it was when its dialog was opened. */
  const forgetting = useSignal<NoteSource | null>(null);
  const problem = useSignal<"gone" | "failed" | null>(null);
  const load = useMemo(
    () =>
      oneAtATime(async () => {
        try {
          const found = await api.source(path);
          source.value = found;
          problem.value = null;
          // Where nothing was typed yet, typing goes on from what stands in the file now.
          const draft = drafts.value.get(path);
          if (draft !== undefined && !isUnsaved(draft)) startDraft(path, found);
        } catch (error) {
          problem.value = asFailure(error).status === 404 ? "gone" : "failed";
          if (problem.value === "gone") source.value = null;
          else report(error);
        }
      }),
    [path],
  );
  const links = useSignal<NoteLinks | null>(null);
  // Also when another note changes: what leads here stands there.
  useEffect(() => {
    api.links(path).then(
      (found) => {
        links.value = found;
      },
      // The note itself can be read without them.
      () => {},
    );
  }, [path, changed.value]);
  useEffect(() => void load(), [load]);
  useEffect(() => {
    if (isAmongChanged(path)) void load();
  }, [changed.value]);

  const chosen = parseLineHash(place.value.hash);
  const choose = (line: number, options: { extend: boolean }): void =>
    navigate(noteAddress(path, formatLineHash(chooseLines(chosen, line, options))), { replace: true });
  const note = source.value;
  const entry = notes.value?.find((found) => found.path === path);
  const draft = drafts.value.get(path);
  const isRendered = mode.value === "read" && (note?.text.length ?? 0) <= maxRenderedChars;
  const changeMode = (next: ReadingMode): void => {
    if (next === "edit" && note !== null && draft === undefined) startDraft(path, note);
    if (next !== "edit" && draft !== undefined && !isUnsaved(draft)) dropDraft(path);
    mode.value = next;
  };
  return (
    <article class="note">
      <header class="note-head">
        <p class="note-trail">
          <a class="back" href="/notes">
            All notes
          </a>
          {entry?.date === undefined ? null : <time dateTime={entry.date}>{nameDay(entry.date)}</time>}
          {entry?.scope === "private" ? <span>private: hidden in group chats</span> : null}
        </p>
        <h1>{showHidden(path)}</h1>
        {links.value === null || links.value.tags.length === 0 ? null : <Tags tags={links.value.tags} />}
        <NoteTools
          path={path}
          mode={mode.value === "read" && !isRendered ? "source" : mode.value}
          chosen={chosen}
          readOnly={isReadOnly.value ? "This server is read-only." : note?.readOnly}
          isTooLarge={(note?.text.length ?? 0) > maxEditedChars}
          isUnsaved={draft !== undefined && isUnsaved(draft)}
          onMode={changeMode}
          onForget={() => {
            forgetting.value = note;
          }}
        />
      </header>
      {mode.value === "edit" && draft !== undefined ? (
        <NoteEditor
          draft={draft}
          inFile={note}
          line={chosen?.from ?? null}
          onSaved={(saved) => {
            source.value = saved;
          }}
          onClose={() => {
            mode.value = "read";
          }}
        />
      ) : problem.value === "gone" ? (
        <p class="remark" role="alert">
          There is no such note. It may have been deleted.
        </p>
      ) : note === null ? (
        <p class="waiting">{problem.value === null ? "Loading …" : "This note cannot be shown."}</p>
      ) : isRendered ? (
        <RenderedNote note={note} links={links.value?.links ?? null} chosen={chosen} onChoose={choose} />
      ) : (
        <SourceNote text={note.text} chosen={chosen} onChoose={choose} />
      )}
      {links.value === null || mode.value === "edit" ? null : <Connections links={links.value} />}
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
