import { useSignal } from "@preact/signals";
import { api, type NoteSource } from "../api.ts";
import { ApiFailure } from "../api-failure.ts";
import { type Draft, drafts, dropDraft, isUnsaved, keepDraft } from "../state/drafts.ts";
import { followChange, report } from "../state/memory-state.ts";
import { tell } from "../state/toasts.ts";
import { restoreLineEnds } from "../text/line-ends.ts";
import { Conflict } from "./conflict.tsx";
import { EditorArea } from "./editor-area.tsx";
import { readConflict } from "./read-conflict.ts";

interface NoteEditorProps {
  readonly draft: Draft;
  /** The note as it is in the file now, as far as the page knows. */
  readonly inFile: NoteSource | null;
  /** Where to begin; the top otherwise. */
  readonly line: number | null;
  /** Told the note as it stands in the file now. */
  readonly onSaved: (saved: NoteSource) => void;
  /** Nothing is left to edit. */
  readonly onClose: () => void;
}

/** The source of a note to write in. It is saved only over the version that was seen. */
export function NoteEditor({ draft, inFile, line, onSaved, onClose }: NoteEditorProps) {
  const theirs = useSignal<NoteSource | null>(null);
  const isSaving = useSignal(false);

  const save = async (): Promise<void> => {
    // A second save on its way would take the first one for somebody else's change.
    if (isSaving.value || !isUnsaved(draft)) return;
    isSaving.value = true;
    try {
      const { path, base } = draft;
      const text = restoreLineEnds(draft.text, base.text);
      const { hash } = await api.save({ path, text, expectedHash: base.hash });
      tell("Saved");
      onSaved({ path, text, hash });
      const latest = drafts.value.get(path);
      if (latest !== undefined && latest.text !== draft.text) keepDraft({ ...latest, base: { text, hash } });
      else {
        dropDraft(path);
        onClose();
      }
      void followChange([path]);
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
          onSaved(taken);
          onClose();
        }}
        onGoOn={(text) => {
          keepDraft({ path: draft.path, base: theirs.value!, text });
          theirs.value = null;
        }}
      />
    );
  }
  const isChangedElsewhere =
    isUnsaved(draft) && !isSaving.value && inFile !== null && inFile.hash !== draft.base.hash;
  return (
    <section class="editor" aria-label="Edit the note">
      <div class="editor-notice" role="status">
        {isChangedElsewhere ? (
          <p class="banner">
            <span>
              <strong>This file changed while you were typing.</strong> Nothing is lost: saving will not
              overwrite the other change.
            </span>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                theirs.value = inFile;
              }}
            >
              Compare
            </button>
          </p>
        ) : null}
      </div>
      <EditorArea
        label={`Source of ${draft.path}`}
        text={draft.text}
        line={line}
        onInput={(text) => keepDraft({ ...draft, text })}
        onSave={save}
      />
      <div class="editor-tools">
        <button type="button" class="main" onClick={save} disabled={isSaving.value || !isUnsaved(draft)}>
          Save
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            dropDraft(draft.path);
            onClose();
          }}
        >
          {isUnsaved(draft) ? "Discard changes" : "Close"}
        </button>
        <p class="faint">
          <kbd>Ctrl</kbd> <kbd>S</kbd> saves. What you typed is kept while you look elsewhere on this page.
        </p>
      </div>
    </section>
  );
}
