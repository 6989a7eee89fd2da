import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { closeDialog, openedDialog } from "../state/dialogs.ts";
import { loadNotes, notes } from "../state/memory-state.ts";
import { type Command, listCommands, searchCommand } from "./commands.ts";
import { rankChoices } from "./rank.ts";

const maxShown = 12;

/** Everything by name: views, actions, notes, and a search for whatever was typed. */
export function Palette() {
  return openedDialog.value === "palette" ? <OpenPalette /> : null;
}

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const typed = useSignal("");
  const at = useSignal(0);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (notes.value === null) void loadNotes();
  }, []);
  const query = typed.value.trim();
  const found = rankChoices(listCommands(), query, maxShown);
  const choices = query === "" ? found : [...found, searchCommand(query)];
  const current = Math.min(at.value, choices.length - 1);
  useLayoutEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const close = (): void => closeDialog("palette");
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    dialog.current?.close();
    close();
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      at.value = (current + step + choices.length) % choices.length;
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(choices[current]);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to or do anything"
      onClose={close}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="palette-body">
        <input
          type="text"
          role="combobox"
          aria-label="Go to a note or a view, run an action, or search"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={choices.length === 0 ? undefined : `palette-${current}`}
          placeholder="Go to a note, run an action, or search …"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={onKey}
        />
        <div ref={list} id="palette-list" role="listbox" aria-label="Choices">
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled where the focus is, in the field above.
            // biome-ignore lint/a11y/useFocusableInteractive: the same.
            <div
              key={choice.id}
              id={`palette-${index}`}
              role="option"
              aria-selected={index === current}
              onMouseMove={() => {
                at.value = index;
              }}
              onClick={() => run(choice)}
            >
              <span class="palette-title">{showHidden(choice.title)}</span>
              <span class="palette-kind">
                {choice.kind === "Note" ? showHidden(choice.detail ?? "") : choice.kind}
              </span>
            </div>
          ))}
        </div>
      </div>
    </dialog>
  );
}
