import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { api, type NoteSource } from "../api.ts";
import { ApiFailure } from "../api-failure.ts";
import { type Draft, drafts, dropDraft, isUnsaved, keepDraft } from "../state/drafts.ts";
import { followChange, report } from "../state/memory-state.ts";
import { showToast } from "../state/toasts.ts";
import { restoreLineEnds } from "../text/line-ends.ts";
import { startOfLine } from "../text/line-range.ts";
import { Conflict } from "./conflict.tsx";

interface NoteEditorProps {
  readonly draft: Draft;
  /** The current version of the file, as far as the page knows. */
  readonly inFile: NoteSource | null;
  /** The line to start at; the top if absent. */
  readonly line: number | null;
  /** Called with the current version of the file. */
  readonly onSaved: (saved: NoteSource) => void;
  /** Called when there is nothing left to edit. */
  readonly onClose: () => void;
}

/** An editor for the source of a note. It saves only over the version that it loaded. */
export function NoteEditor({ draft, inFile, line, onSaved, onClose }: NoteEditorProps) {
  const theirs = useSignal<NoteSource | null>(null);
  const isSaving = useSignal(false);

  const save = async (): Promise<void> => {
    // A second save in flight would mistake the first one for somebody else's change.
    if (isSaving.value || !isUnsaved(draft)) return;
    isSaving.value = true;
    try {
      const { path, base } = draft;
      const text = restoreLineEnds(draft.text, base.text);
      const { hash } = await api.save({ path, text, expectedHash: base.hash });
      showToast("Saved");
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
  /** The line where the cursor starts; the top if absent. */
  readonly line: number | null;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
}

/** Up to this many lines are numbered; re-rendering more of them on each keystroke would be noticeable. */
const maxNumberedLines = 3000;
const maxNumberedChars = 200_000;

/**
 * A text area that wraps its lines and grows with them, so that only the page scrolls. Behind it, an invisible mirror
 * has the same lines in the same font and width: it gives the text area its height, and each line its number.
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

/** The current note if the save failed with a conflict; null for any other failure. */
function readConflict({ status, code, answer }: ApiFailure, path: string): NoteSource | null {
  if (status !== 409 || code !== "note-changed") return null;
  const { present } = answer as { present?: { text?: unknown; hash?: unknown } | null };
  const { text, hash } = present ?? {};
  return typeof text === "string" && typeof hash === "string" ? { path, text, hash } : null;
}
