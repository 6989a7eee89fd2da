import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}

/** The browser's own modal dialog: it keeps the focus inside, closes by Escape and gives the focus back. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before anything else is typed, or the next key would still go to the page behind it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("textarea, input")?.focus();
    return () => {
      // One that was closed has given it back, and somebody may have moved on since.
      if (dialog.open && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class={isWide ? "wide" : ""} aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}
