import { openDialog } from "../state/dialogs.ts";
import { isReadOnly } from "../state/memory-state.ts";
import { Icon } from "./icon.tsx";

/** How to begin when there are only a few notes. */
export function FirstSteps({ isEmpty }: { isEmpty: boolean }) {
  return (
    <section class="first-steps">
      {isEmpty ? (
        <>
          <p class="lead">This memory is empty.</p>
          <p>
            Notes are Markdown files: <code>MEMORY.md</code> for lasting facts, <code>memory/</code> for days
            and topics. Your agent writes them, and so can you, here or in any editor.
          </p>
        </>
      ) : null}
      <ul class="steps">
        {isReadOnly.value ? null : (
          <li>
            <button type="button" onClick={() => openDialog("add")}>
              <Icon name="pen" />
              <strong>{isEmpty ? "Write your first note" : "Write a note"}</strong>
              <span>One fact is enough. It can be found immediately.</span>
            </button>
          </li>
        )}
        <li>
          <button type="button" onClick={() => openDialog("connect")}>
            <Icon name="sessions" />
            <strong>Connect an agent</strong>
            <span>One command for Claude Code, Codex, Cursor and others.</span>
          </button>
        </li>
        {isEmpty ? (
          <li class="asking">
            <Icon name="search" />
            <strong>Then ask</strong>
            <span>“Why did we move staging?”</span>
            <span>“What did I do last Friday?”</span>
          </li>
        ) : null}
      </ul>
    </section>
  );
}
