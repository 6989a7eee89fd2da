import { api } from "../api.ts";
import { clearRecentSearches, recentSearches } from "../search/recent-searches.ts";
import { searchAddress, want } from "../search/search-state.ts";
import { openDialog } from "../state/dialogs.ts";
import { navigate, route } from "../state/location.ts";
import { attempt, followChange, isReadOnly, notes } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { isDark, toggleTheme } from "../state/theme.ts";
import { tell } from "../state/toasts.ts";
import type { Choice } from "./rank.ts";

export interface Command extends Choice {
  run(): void;
}

/** Everything that the palette can do, in the order in which it is offered. */
export function listCommands(): Command[] {
  return [...views(), ...actions(), ...recents(), ...noteCommands()];
}

export function searchCommand(query: string): Command {
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
  return [
    ...(isReadOnly.value ? [] : [act("Write a note", () => openDialog("add"), "add new remember")]),
    act("Sync now", sync, "index refresh"),
    act(isDark() ? "Use light colours" : "Use dark colours", toggleTheme, "theme dark light"),
    act("Connect an agent", () => openDialog("connect"), "init claude codex cursor"),
    act("Show the keys", () => openDialog("keys"), "keyboard shortcuts help"),
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

function noteCommands(): Command[] {
  return (notes.value ?? []).map(({ path }) => ({
    id: `note:${path}`,
    kind: "Note",
    title: path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, ""),
    detail: path,
    run: () => navigate(noteAddress(path)),
  }));
}

function search(query: string): void {
  if (route.value.view !== "search") navigate("/");
  want({ query }, { atOnce: true });
}

function sync(): void {
  void attempt(async () => {
    const { added, updated, removed } = await api.sync();
    tell(`${added} added, ${updated} updated, ${removed} removed`);
    await followChange([]);
  });
}
