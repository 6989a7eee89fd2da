import type { Engine, PurgeOutcome } from "../engines/engine.ts";
import { LonghandError } from "../errors.ts";
import { entriesPath } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import type { OwedPurge, OwedPurges } from "./owed-purges.ts";

export interface FinishParts {
  readonly notes: Notes;
  readonly openEngine: () => Promise<Engine>;
  readonly owed: OwedPurges;
  /** Removes what is derived from the entries besides the index; null when that worked, else why not. */
  readonly removeEntries: () => Promise<string | null>;
  readonly purgeReceipts: PurgeReceipts;
}

/**
 * Takes text out of the receipts of consolidations, which hold notes as they were: these lines and whatever concerns
 * these notes, or all of it (null). Null when that worked, else why not.
 */
export type PurgeReceipts = (
  forgotten: { readonly texts: readonly string[]; readonly paths: readonly string[] } | null,
) => Promise<string | null>;

/**
 * Finishes the purges that killed processes have left. The text is not known any more, so nothing is searched for:
 * the whole index is written anew instead, which leaves nothing but what its rows hold. The caller holds the lock of
 * forgets. Gives why that is not done yet; null when it is.
 */
export async function finishOwedPurges({
  notes,
  openEngine,
  owed,
  removeEntries,
  purgeReceipts,
}: FinishParts): Promise<string | null> {
  const purges = owed.list();
  const begun: OwedPurge[] = [];
  for (const purge of purges) {
    if (await isUntouched(notes, purge)) owed.remove([purge.id]);
    else begun.push(purge);
  }
  await notes.removeLeftovers();
  if (begun.length === 0) return null;
  const paths = [...new Set(begun.flatMap((purge) => purge.notes.map(({ path }) => path)))];
  const gone: string[] = [];
  for (const path of paths) if ((await hashOf(notes, path)) === null) gone.push(path);
  const entriesProblem = paths.includes(entriesPath) ? await removeEntries() : null;
  const problem = entriesProblem ?? (await purgeReceipts(null));
  if (problem !== null) return problem;
  const purge = await (await openEngine()).preparePurge(paths);
  const outcome = await purge({ gone, texts: [], rewrite: true });
  if (!isDone(outcome)) return outcome.problems?.[0] ?? outcome.detail ?? "pieces of it were found";
  owed.remove(begun.map(({ id }) => id));
  return null;
}

/** Whether a purge has nothing left to do, as far as it can tell. */
export function isDone({ rawSearch, problems = [] }: PurgeOutcome): boolean {
  return problems.length === 0 && rawSearch !== "found" && rawSearch !== "not-searched";
}

/** The process died before it edited anything. */
export async function isUntouched(notes: Notes, purge: OwedPurge): Promise<boolean> {
  if (purge.notes.length === 0) return false;
  for (const { path, before } of purge.notes) if ((await hashOf(notes, path)) !== before) return false;
  return true;
}

/** Null when there is no such note, or it cannot be read. */
export async function hashOf(notes: Notes, path: string): Promise<string | null> {
  try {
    return (await notes.readWhole({ path }))?.hash ?? null;
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return null;
  }
}
