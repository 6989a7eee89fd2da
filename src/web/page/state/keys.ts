import { searchAddress } from "../search/search-state.ts";
import { openDialog } from "./dialogs.ts";
import { navigate, route } from "./location.ts";
import { isReadOnly } from "./memory-state.ts";

/** Each keyboard shortcut and its description. */
export const keyHelp: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["Ctrl K", "⌘ K"], does: "go to a note or a view, run an action, or search" },
  { keys: ["/"], does: "go to the search box, from anywhere" },
  { keys: ["↓", "↑"], does: "move through the hits, and back into the box" },
  { keys: ["Enter"], does: "open the hit at its lines" },
  { keys: ["Esc"], does: "clear the box, go back to it, or close what is open" },
  { keys: ["e"], does: "explain the scores, on the search page" },
  { keys: ["n"], does: "write a note" },
  {
    keys: ["g s", "g n", "g r", "g a", "g c"],
    does: "go to search, notes, review, activity, sessions (conversations)",
  },
  { keys: ["Ctrl S", "Ctrl Enter"], does: "save the note you edit, or write the one you add" },
  { keys: ["?"], does: "show these keys" },
];

const places: Readonly<Record<string, string>> = { n: "/notes", r: "/review", a: "/health", c: "/sessions" };

/** Keyboard shortcuts that work unless text is being typed. Returns a function that removes them. */
export function followKeys(): () => void {
  let isGoing = false;
  const onKey = (event: KeyboardEvent): void => {
    const isPaletteKey = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (isPaletteKey && !event.altKey && !event.shiftKey) {
      // Overrides the browser's own shortcut for its search box.
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) openDialog("palette");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    // Checks the DOM, because the state learns only later that Escape has closed a dialog.
    if (document.querySelector("dialog[open]") !== null) return;
    if (isTyping(event.target)) return;
    const wasGoing = isGoing;
    isGoing = false;
    const address = event.key === "s" ? searchAddress.value : places[event.key];
    if (wasGoing && address !== undefined) {
      event.preventDefault();
      navigate(address);
    } else if (event.key === "g") {
      isGoing = true;
    } else if (event.key === "/") {
      event.preventDefault();
      if (route.value.view !== "search") navigate(searchAddress.value);
      // As soon as the view is rendered, and before the next keystroke.
      queueMicrotask(selectQuery);
    } else if (event.key === "?") {
      event.preventDefault();
      openDialog("keys");
    } else if (event.key === "n" && !isReadOnly.value) {
      event.preventDefault();
      openDialog("add");
    }
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function selectQuery(): void {
  const box = document.querySelector<HTMLInputElement>("#query");
  box?.focus();
  box?.select();
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
