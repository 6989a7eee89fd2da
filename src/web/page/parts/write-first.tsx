import { openDialog } from "../state/dialogs.ts";
import { isReadOnly } from "../state/memory-state.ts";

/** What to do where nothing was written down yet. */
export function WriteFirst() {
  return (
    <>
      <p class="lead">Nothing is written down here yet.</p>
      <p>
        Notes are Markdown files: <code>MEMORY.md</code> for what stays true, and <code>memory/</code> for
        days and topics. An agent writes them, any editor may, and so can you.
      </p>
      {isReadOnly.value ? null : (
        <button type="button" class="main" onClick={() => openDialog("add")}>
          Write the first note
        </button>
      )}
    </>
  );
}
