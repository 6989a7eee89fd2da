import { computed, signal } from "@preact/signals";
import { api, type NoteEntry, type ServedStatus } from "../api.ts";
import { type ApiFailure, asFailure } from "../api-failure.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** The page's state of the memory: loaded when first needed, and again when the server reports changes. */
export const status = signal<ServedStatus | null>(null);
export const notes = signal<readonly NoteEntry[] | null>(null);
/** Recently changed notes, by path. */
export const noteTitles = signal<ReadonlyMap<string, string>>(new Map());
/** The last failure while loading; null if there is none. */
export const failure = signal<ApiFailure | null>(null);
/** The cookie is missing or has expired: nothing can be shown without a new link. */
export const isSignedOut = signal(false);
/** The notes that changed last, in a new list each time; "all" if some changes may have been missed. */
export const changed = signal<readonly string[] | "all">([]);
/** Whether the server is read-only. */
export const isReadOnly = computed(() => status.value?.server.isReadOnly ?? false);

export const loadStatus = oneAtATime(async () => {
  await attempt(async () => {
    status.value = await api.status();
  });
});

export const loadNotes = oneAtATime(async () => {
  await attempt(async () => {
    notes.value = (await api.notes()).notes;
  });
});

const maxTitles = 2000;

export const loadTitles = oneAtATime(async () => {
  await attempt(async () => {
    const { notes: latest } = await api.latestNotes(maxTitles);
    noteTitles.value = new Map(
      latest.flatMap(({ path, title }) => (title === undefined ? [] : [[path, title] as const])),
    );
  });
});

/** Runs a task and reports its failure. Resolves to true if it succeeded. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    isSignedOut.value = false;
    // A response shows that the server is back; other failures stay until they are read or the user leaves the view.
    if (failure.value?.code === "unreachable") failure.value = null;
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

export function report(error: unknown): ApiFailure {
  const found = asFailure(error);
  if (found.status === 401) isSignedOut.value = true;
  else failure.value = found;
  return found;
}

/** Reloads what is shown of changed notes. */
export async function followChange(
  paths: readonly string[] | "all",
  { isListChanged = true } = {},
): Promise<void> {
  changed.value = paths === "all" ? paths : [...paths];
  await Promise.all([loadStatus(), notes.value !== null && isListChanged ? loadNotes() : null]);
}

export function isAmongChanged(path: string): boolean {
  return changed.value === "all" || changed.value.includes(path);
}
