import type { ComponentChildren } from "preact";
import { openDialog } from "../state/dialogs.ts";
import { isReadOnly } from "../state/memory-state.ts";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icon.tsx";

interface EmptyProps {
  /** What the view is for, and what to do next. */
  readonly children: ComponentChildren;
  /** The command to run; without one, the user should write a note. */
  readonly command?: string;
}

/** Shown in place of a view that has nothing to show. */
export function Empty({ children, command }: EmptyProps) {
  return (
    <section class="empty" aria-label="Nothing here yet">
      <p>{children}</p>
      {command !== undefined ? (
        <p class="empty-command">
          <code>{command}</code>
          <CopyButton text={command} name="Copy the command" />
        </p>
      ) : isReadOnly.value ? null : (
        <button type="button" class="quiet" onClick={() => openDialog("add")}>
          <Icon name="pen" />
          Write a note
        </button>
      )}
    </section>
  );
}
