import { useSignal } from "@preact/signals";
import { api } from "../api.ts";
import { type ApiFailure, asFailure } from "../api-failure.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Problem } from "../parts/with-code.tsx";
import { closeDialog, openedDialog } from "../state/dialogs.ts";
import { entryDraft } from "../state/drafts.ts";
import { navigate } from "../state/location.ts";
import { followChange, notes } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { showToast } from "../state/toasts.ts";
import { formatLineHash } from "../text/line-range.ts";

const targets = [
  { value: "daily", name: "Today" },
  { value: "long-term", name: "Long-term" },
  { value: "path", name: "Another note" },
] as const;

/** More suggestions would make the field slow, and nobody reads that far. */
const maxOffered = 500;

/** Appends an entry to a note. */
export function AddDialog() {
  const problem = useSignal<ApiFailure | null>(null);
  const isBusy = useSignal(false);
  if (openedDialog.value !== "add") return null;
  const { text, target, path, heading } = entryDraft.value;
  const change = (part: Partial<typeof entryDraft.value>): void => {
    entryDraft.value = { ...entryDraft.value, ...part };
  };
  const isReady = text.trim() !== "" && (target !== "path" || path.trim() !== "");
  const add = async (): Promise<void> => {
    if (!isReady || isBusy.value) return;
    isBusy.value = true;
    try {
      const to = target === "path" ? path.trim() : target;
      const added = await api.add({
        text,
        to,
        ...(heading.trim() === "" ? {} : { heading: heading.trim() }),
      });
      const address = noteAddress(added.path, formatLineHash({ from: added.startLine, to: added.endLine }));
      change({ text: "", heading: "" });
      problem.value = null;
      closeDialog("add");
      showToast(added.duplicate ? `Already in ${added.path}; nothing written` : `Written to ${added.path}`, {
        href: address,
      });
      await followChange([added.path]);
      navigate(address);
    } catch (error) {
      problem.value = asFailure(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog title="Write a note" onClose={() => closeDialog("add")}>
      <form
        class="add"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void add();
        }}
      >
        <label>
          What to remember
          <textarea
            rows={5}
            value={text}
            onInput={({ currentTarget }) => change({ text: currentTarget.value })}
          />
        </label>
        <fieldset class="choice">
          <legend>Where</legend>
          {targets.map(({ value, name }) => (
            <label key={value}>
              <input
                type="radio"
                name="target"
                checked={target === value}
                onChange={() => change({ target: value })}
              />
              {name}
            </label>
          ))}
        </fieldset>
        {target === "path" ? (
          <label>
            Path of the note
            <input
              type="text"
              placeholder="memory/topic.md"
              list="note-paths"
              autocomplete="off"
              spellcheck={false}
              value={path}
              onInput={({ currentTarget }) => change({ path: currentTarget.value })}
            />
            <datalist id="note-paths">
              {(notes.value ?? []).slice(0, maxOffered).map(({ path: offered }) => (
                <option key={offered} value={offered} />
              ))}
            </datalist>
          </label>
        ) : null}
        <label>
          Under a heading (optional)
          <input
            type="text"
            value={heading}
            onInput={({ currentTarget }) => change({ heading: currentTarget.value })}
          />
        </label>
        <Problem failure={problem.value} />
        <div class="dialog-tools">
          <button type="submit" class="main" disabled={!isReady || isBusy.value}>
            Write it down
          </button>
          <span class="faint key-hint">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        </div>
      </form>
    </Dialog>
  );
}
