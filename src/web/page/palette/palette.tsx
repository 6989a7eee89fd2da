import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { api, type NoteEntry } from "../api.ts";
import { clearRecentSearches, recentSearches } from "../search/recent-searches.ts";
import { searchAddress, updateSearch } from "../search/search-state.ts";
import { closeDialog, openDialog, openedDialog } from "../state/dialogs.ts";
import { navigate, route } from "../state/location.ts";
import {
  attempt,
  followChange,
  isReadOnly,
  loadNotes,
  loadTitles,
  notes,
  noteTitles,
} from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { isDark, toggleTheme } from "../state/theme.ts";
import { showToast } from "../state/toasts.ts";
import { noteName } from "../text/human.ts";
import { type Choice, rankChoices } from "./rank.ts";

const maxShown = 12;
const maxFirstSearches = 4;
const maxFirstNotes = 5;

/** Everything by name: views, actions, notes, and a search for the typed text. */
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
    void loadTitles();
  }, []);
  const query = typed.value.trim();
  const choices =
    query === "" ? firstCommands() : [...rankChoices(listCommands(), query, maxShown), searchCommand(query)];
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
      aria-label="Command palette"
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
          placeholder="Note, action or question …"
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
              data-kind={choice.kind}
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

interface Command extends Choice {
  readonly isOfferedFirst?: boolean;
  run(): void;
}

/** All choices of the palette; of those that match equally well, the first is offered first. */
function listCommands(): Command[] {
  return [...views(), ...actions(), ...recents(), ...(notes.value ?? []).map(noteCommand)];
}

/** Shown before anything is typed: recent searches, recent notes, and what newcomers look for. */
function firstCommands(): Command[] {
  const current = route.value.view === "note" ? route.value.path : null;
  const latest = (notes.value ?? [])
    .filter(({ path }) => path !== current)
    .sort((a, b) => b.modifiedAt.localeCompare(a.modifiedAt))
    .slice(0, maxFirstNotes);
  return [
    ...recents().slice(0, maxFirstSearches),
    ...latest.map(noteCommand),
    ...actions().filter(({ isOfferedFirst }) => isOfferedFirst),
  ];
}

function searchCommand(query: string): Command {
  return { id: "search", kind: "Search", title: `Search for “${query}”`, run: () => search(query) };
}

function views(): Command[] {
  const go = (title: string, address: string, detail = ""): Command => ({
    id: `view:${title}`,
    kind: "View",
    title,
    detail,
    run: () => navigate(address),
  });
  return [
    go("Search", searchAddress.value, "ask find"),
    go("Notes", "/notes", "list files calendar"),
    go("Review", "/review", "consolidate plan steps receipts undo"),
    go("Activity", "/health", "timeline health status index"),
    go("Sessions", "/sessions", "conversations transcripts"),
  ];
}

function actions(): Command[] {
  const act = (title: string, run: () => void, detail = ""): Command => ({
    id: `action:${title}`,
    kind: "Action",
    title,
    detail,
    run,
  });
  const first = (command: Command): Command => ({ ...command, isOfferedFirst: true });
  return [
    ...(isReadOnly.value ? [] : [first(act("Write a note", () => openDialog("add"), "add new remember"))]),
    act("Sync now", sync, "index refresh"),
    act(isDark() ? "Use light colours" : "Use dark colours", toggleTheme, "theme dark light"),
    first(act("Connect an agent", () => openDialog("connect"), "init claude codex cursor")),
    first(act("Show keyboard shortcuts", () => openDialog("keys"), "keys shortcuts help")),
    ...(recentSearches.value.length === 0 ? [] : [act("Clear recent searches", clearRecentSearches)]),
  ];
}

function recents(): Command[] {
  return recentSearches.value.map((query) => ({
    id: `recent:${query}`,
    kind: "Recent search",
    title: query,
    run: () => search(query),
  }));
}

function noteCommand({ path }: NoteEntry): Command {
  const name = noteName(path);
  return {
    id: `note:${path}`,
    kind: "Note",
    title: noteTitles.value.get(path) ?? name,
    name,
    detail: path,
    run: () => navigate(noteAddress(path)),
  };
}

function search(query: string): void {
  if (route.value.view !== "search") navigate("/");
  updateSearch({ query }, { immediately: true });
}

function sync(): void {
  void attempt(async () => {
    const { added, updated, removed } = await api.sync();
    showToast(`${added} added, ${updated} updated, ${removed} removed`);
    await followChange([]);
  });
}
