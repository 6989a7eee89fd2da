import { computed, effect, signal } from "@preact/signals";
import { status } from "../state/memory-state.ts";
import { addRecent, parseRecents } from "../text/recents.ts";

/** Several servers may take turns at one address, each with a memory of its own. */
const storageKey = computed(() => (status.value === null ? null : `longhand-recent:${status.value.agentId}`));
const changes = signal(0);

/** What was asked before, kept in this browser alone. */
export const recentSearches = computed((): readonly string[] => {
  void changes.value;
  return storageKey.value === null ? [] : read(storageKey.value);
});

/** Hits may come, and be opened, before it is known whose memory this is. */
const waiting: string[] = [];

/** A question counts once somebody opened a hit or pressed Enter, not at every letter. */
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
    // Storage may be switched off; nothing is kept then.
  }
  changes.value++;
}
