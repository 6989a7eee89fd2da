import { computed, signal } from "@preact/signals";
import { api, type NoteEntry, type ServedStatus } from "../api.ts";
import { type ApiFailure, asFailure } from "../api-failure.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** What the page knows of the memory; asked for when it is first needed, and again when the server reports changes. */
export const status = signal<ServedStatus | null>(null);
export const notes = signal<readonly NoteEntry[] | null>(null);
/** By path, of the notes that changed last. */
export const noteTitles = signal<ReadonlyMap<string, string>>(new Map());
/** The last thing that went wrong while loading; null when all is well. */
export const failure = signal<ApiFailure | null>(null);
/** The cookie is missing or too old: nothing can be shown until there is a new link. */
export const isSignedOut = signal(false);
/** The notes that changed last, in a new list each time; "all" when some changes may not have been heard of. */
export const changed = signal<readonly string[] | "all">([]);
/** The server is read-only. */
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

/** Runs something and keeps what went wrong where it is shown. True when it went well. */
export async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    isSignedOut.value = false;
    // An answer shows that the server is back; other failures stay until they are read or left behind.
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

/** Notes that were changed, here or elsewhere: what is shown of them follows. */
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
