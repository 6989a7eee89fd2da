import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ForgetResult } from "../../../forget/forget.ts";
import { countOf } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { api, type ForgetTarget, type NoteSource } from "../api.ts";
import { type ApiFailure, asFailure } from "../api-failure.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Problem, WithCode } from "../parts/with-code.tsx";
import { navigate } from "../state/location.ts";
import { followChange } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { type LineRange, splitLines } from "../text/line-range.ts";

/** Nobody reads more lines than this before they answer. */
const maxShownLines = 500;

interface ForgetDialogProps {
  readonly note: NoteSource;
  readonly chosen: LineRange | null;
  readonly onClose: () => void;
}

/** Previews the lines to remove and asks for confirmation; then reports what was done and checked. */
export function ForgetDialog({ note, chosen: given, onClose }: ForgetDialogProps) {
  const { path } = note;
  // The dialog keeps the selection it was opened with.
  const chosen = useRef(given).current;
  const lines = chosen === null ? splitLines(note.text).length : chosen.to - chosen.from + 1;
  const preview = useSignal<ForgetResult | null>(null);
  const done = useSignal<ForgetResult | null>(null);
  const problem = useSignal<ApiFailure | null>(null);
  const isBusy = useSignal(false);
  useEffect(() => {
    api.previewForget(chosen === null ? { path } : { path, startLine: chosen.from, endLine: chosen.to }).then(
      (result) => {
        preview.value = result;
      },
      (error: unknown) => {
        problem.value = asFailure(error);
      },
    );
  }, []);
  const forget = async (): Promise<void> => {
    isBusy.value = true;
    try {
      done.value = await api.forget(targetOf(note, chosen, preview.value));
      navigate(noteAddress(path), { replace: true });
      await followChange([path]);
    } catch (error) {
      problem.value = asFailure(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog
      title={
        done.value !== null
          ? "Forgotten"
          : chosen === null
            ? "Forget this whole note?"
            : "Forget these lines?"
      }
      onClose={onClose}
      isWide
    >
      {done.value === null ? (
        <>
          <p>
            {countOf(lines, "line")} of <strong>{showHidden(path)}</strong> will be removed from the file and
            purged from the index: keywords, vectors, cached vectors and free space. This cannot be undone.
          </p>
          {lines > maxShownLines ? (
            <p>These are the first {countOf(maxShownLines, "line")} of them:</p>
          ) : null}
          {(preview.value?.passages ?? []).map(({ startLine, text }) => (
            <ol class="paper source going" key={startLine}>
              {text.split("\n", maxShownLines).map((line, index) => (
                <li key={index} class="line">
                  <span class="number">{startLine + index}</span>
                  <code>{showHidden(line)}</code>
                </li>
              ))}
            </ol>
          ))}
        </>
      ) : (
        <Receipt result={done.value} />
      )}
      <Problem failure={problem.value} />
      <div class="dialog-tools">
        {done.value === null ? (
          <button
            type="button"
            class="main danger"
            onClick={forget}
            disabled={preview.value === null || isBusy.value || problem.value !== null}
          >
            Forget {countOf(lines, "line")}
          </button>
        ) : null}
        <button type="button" class="quiet" onClick={onClose}>
          {done.value === null ? "Cancel" : "Done"}
        </button>
      </div>
    </Dialog>
  );
}

/** Exactly what was previewed: the lines with their text, or the whole note by its hash. */
function targetOf(note: NoteSource, chosen: LineRange | null, shown: ForgetResult | null): ForgetTarget {
  const [passage] = shown?.passages ?? [];
  return chosen === null || passage === undefined ? { path: note.path, hash: note.hash } : passage;
}

function Receipt({ result: { removed, chunks, cacheEntries, receipt } }: { result: ForgetResult }) {
  return (
    <div class="receipt">
      <p>
        {removed
          .map(({ path, startLine, endLine }) => `${showHidden(path)}, lines ${startLine}–${endLine}`)
          .join("; ")}
        : {countOf(chunks, "chunk")} and {countOf(cacheEntries, "cached vector")} are gone.
      </p>
      {receipt === undefined ? null : (
        <>
          <p>
            <strong>{receipt.complete ? "Complete." : "Not complete."}</strong>{" "}
            <WithCode text={receipt.checked} />
          </p>
          {receipt.stillIn.length === 0 ? null : (
            <>
              <p>The same text is still in:</p>
              <ul>
                {receipt.stillIn.map(({ path, line }) => (
                  <li key={`${path}:${line}`}>
                    {showHidden(path)}, line {line}
                  </li>
                ))}
              </ul>
            </>
          )}
          {receipt.problems.map((text) => (
            <p class="problem" key={text}>
              <WithCode text={text} />
            </p>
          ))}
        </>
      )}
    </div>
  );
}
