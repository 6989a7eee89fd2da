import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { api, type NoteSource } from "../api.ts";
import { ApiFailure } from "../api-failure.ts";
import { type Draft, drafts, dropDraft, isUnsaved, keepDraft } from "../state/drafts.ts";
import { followChange, report } from "../state/memory-state.ts";
import { tell } from "../state/toasts.ts";
import { restoreLineEnds } from "../text/line-ends.ts";
import { startOfLine } from "../text/line-range.ts";
import { Conflict } from "./conflict.tsx";

interface NoteEditorProps {
  readonly draft: Draft;
  /** The note as it is in the file now, as far as the page knows. */
  readonly inFile: NoteSource | null;
  /** Where to begin; the top otherwise. */
  readonly line: number | null;
  /** Called with the note as it is in the file now. */
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

interface EditorAreaProps {
  readonly label: string;
  readonly text: string;
  /** Where the cursor begins; the top otherwise. */
  readonly line: number | null;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
}

/** Up to here every line has its number; drawing more of them at each key would be felt. */
const maxNumberedLines = 3000;
const maxNumberedChars = 200_000;

/**
 * A text area that wraps its lines and grows with them, so that only the page scrolls. Behind it the same lines stand
 * unseen, in the same letters and the same width: they give the area its height, and each line its number.
 */
function EditorArea({ label, text, line, onInput, onSave }: EditorAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const lines = text.split("\n");
  const isNumbered = lines.length <= maxNumberedLines && text.length <= maxNumberedChars;
  useLayoutEffect(() => {
    const element = area.current!;
    const at = startOfLine(text, line ?? 1);
    element.setSelectionRange(at, at);
    element.focus({ preventScroll: true });
    if (line === null) scrollTo(0, 0);
    else mirror.current?.children[line - 1]?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div class={isNumbered ? "paper editing" : "paper editing long"}>
      {isNumbered ? (
        <div ref={mirror} class="editor-mirror" aria-hidden="true">
          {lines.map((content, index) => (
            <div key={index} data-number={index + 1}>
              {content === "" ? " " : content}
            </div>
          ))}
        </div>
      ) : null}
      <textarea
        ref={area}
        aria-label={label}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={(event) => {
          const isSave = event.key === "s" || event.key === "Enter";
          if (!isSave || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSave();
        }}
      />
    </div>
  );
}

/** The present note, when that is why it could not be saved; null for every other failure. */
function readConflict({ status, code, answer }: ApiFailure, path: string): NoteSource | null {
  if (status !== 409 || code !== "note-changed") return null;
  const { present } = answer as { present?: { text?: unknown; hash?: unknown } | null };
  const { text, hash } = present ?? {};
  return typeof text === "string" && typeof hash === "string" ? { path, text, hash } : null;
}
