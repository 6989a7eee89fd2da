import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api, type NoteSource } from "../api.ts";
import { ApiFailure } from "../api-failure.ts";
import { type Draft, dropDraft, isUnsaved, keepDraft } from "../state/drafts.ts";
import { followChange, report } from "../state/memory-state.ts";
import { tell } from "../state/toasts.ts";
import { restoreLineEnds, showLineEnds } from "../text/line-ends.ts";
import { Conflict } from "./conflict.tsx";
import { EditorGutter } from "./editor-gutter.tsx";
import { readConflict } from "./read-conflict.ts";

interface NoteEditorProps {
  readonly draft: Draft;
  /** With the note as it was saved, or null when the draft was given up or put aside. */
  readonly onDone: (saved: NoteSource | null) => void;
}

/** The source of a note to write in. It is saved only over the version that was seen. */
export function NoteEditor({ draft, onDone }: NoteEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const theirs = useSignal<NoteSource | null>(null);
  const isSaving = useSignal(false);
  const scrollPx = useSignal(0);
  useEffect(() => area.current?.focus(), [theirs.value]);

  const save = async (): Promise<void> => {
    isSaving.value = true;
    try {
      const { path, text, base } = draft;
      const saved = await api.save({ path, text, expectedHash: base.hash });
      dropDraft(path);
      tell("Saved");
      void followChange([path]);
      onDone({ path, text, hash: saved.hash });
    } catch (error) {
      const conflict = error instanceof ApiFailure ? readConflict(error, draft.path) : null;
      if (conflict === null) report(error);
      else theirs.value = conflict;
    } finally {
      isSaving.value = false;
    }
  };

  if (theirs.value !== null) {
    return (
      <Conflict
        draft={draft}
        theirs={theirs.value}
        onTakeTheirs={() => {
          const taken = theirs.value!;
          dropDraft(draft.path);
          onDone(taken);
        }}
        onGoOn={(text) => {
          keepDraft({ path: draft.path, base: theirs.value!, text });
          theirs.value = null;
        }}
      />
    );
  }
  return (
    <section class="editor" aria-label="Edit the note">
      <div class="paper editing">
        <EditorGutter text={draft.text} scrollPx={scrollPx.value} />
        <textarea
          ref={area}
          aria-label={`Source of ${draft.path}`}
          spellcheck={false}
          wrap="off"
          value={showLineEnds(draft.text)}
          onInput={({ currentTarget }) =>
            keepDraft({ ...draft, text: restoreLineEnds(currentTarget.value, draft.base.text) })
          }
          onScroll={({ currentTarget }) => {
            scrollPx.value = currentTarget.scrollTop;
          }}
          onKeyDown={(event) => {
            if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void save();
            }
          }}
        />
      </div>
      <div class="editor-tools">
        <button type="button" class="main" onClick={save} disabled={isSaving.value || !isUnsaved(draft)}>
          Save
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            dropDraft(draft.path);
            onDone(null);
          }}
        >
          {isUnsaved(draft) ? "Discard changes" : "Close"}
        </button>
        <p class="faint">
          Saved only if nobody changed the file meanwhile. What you typed is kept while you look elsewhere on
          this page.
        </p>
      </div>
    </section>
  );
}
