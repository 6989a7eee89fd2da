import { computed, effect, signal } from "@preact/signals";
import { status } from "../state/memory-state.ts";
import { addRecent, parseRecents } from "../text/recents.ts";

/** Several servers, each with its own memory, may use the same address at different times. */
const storageKey = computed(() => (status.value === null ? null : `longhand-recent:${status.value.agentId}`));
const changes = signal(0);

/** Recent searches, stored in this browser only. */
export const recentSearches = computed((): readonly string[] => {
  void changes.value;
  return storageKey.value === null ? [] : read(storageKey.value);
});

/** Hits may arrive, and be opened, before it is known which memory they are from. */
const waiting: string[] = [];

/** A query counts once the user opens a hit or presses Enter, not on each keystroke. */
export function rememberSearch(query: string): void {
  waiting.push(query);
  if (storageKey.value !== null) keepWaiting(storageKey.value);
}

effect(() => {
  if (storageKey.value !== null && waiting.length > 0) keepWaiting(storageKey.value);
});

function keepWaiting(key: string): void {
  write(key, waiting.splice(0).reduce<readonly string[]>(addRecent, read(key)));
}

export function clearRecentSearches(): void {
  if (storageKey.value !== null) write(storageKey.value, []);
}

function read(key: string): string[] {
  try {
    return parseRecents(localStorage.getItem(key));
  } catch {
    return [];
  }
}

function write(key: string, recents: readonly string[]): void {
  try {
    if (recents.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(recents));
  } catch {
    // Storage may be disabled; then nothing is kept.
  }
  changes.value++;
}
