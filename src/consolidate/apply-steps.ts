import { LonghandError } from "../errors.ts";
import { privateFolder } from "../notes/note-path.ts";
import { sha256 } from "../text/hash.ts";
import type { ApplyResult } from "./consolidation.ts";
import { composeEdits, type NoteEdit, type NoteSet, type NotesAccess } from "./note-set.ts";
import type { Step } from "./plan.ts";
import { archiveFolder } from "./planning.ts";
import type { FullReceipt, NoteRecord, ReceiptFiles } from "./receipt-files.ts";

export interface ApplyParts {
  readonly notes: NotesAccess;
  readonly files: ReceiptFiles;
  readonly now: () => Date;
}

/**
 * Applies steps to the notes as the plan saw them. All notes are written, or none: where one was changed meanwhile, the
 * others are put back, and the steps that do not concern it are tried again. The caller holds the lock.
 */
export async function applySteps(
  { notes, files, now }: ApplyParts,
  steps: readonly Step[],
  seen: NoteSet,
  signal: AbortSignal | undefined,
): Promise<ApplyResult> {
  const refused: { id: string; reason: string }[] = [];
  let left = steps;
  while (left.length > 0) {
    const edits = composeEdits(left, seen);
    const receipt = createReceipt(files.nextId(now()), left, edits, now());
    files.begin({ ...receipt, doing: "apply" });
    const failure = await writeAll(notes, edits, signal);
    if (failure === null) {
      files.end(receipt.id, receipt);
      return { receipt: receipt.id, applied: left, refused };
    }
    await restore(notes, receipt.notes.slice(0, failure.written).toReversed());
    await removeMadeFolders(notes, receipt.notes);
    files.end(receipt.id, null);
    if (!(failure.error instanceof LonghandError) || failure.error.code === "aborted") throw failure.error;
    const { error, path } = failure;
    const concerns = ({ changes }: Step): boolean =>
      changes.some((change) => change.path === path || change.movesTo === path);
    refused.push(...left.filter(concerns).map(({ id }) => ({ id, reason: error.message })));
    left = left.filter((step) => !concerns(step));
  }
  return { receipt: null, applied: [], refused };
}

async function writeAll(
  notes: NotesAccess,
  edits: readonly NoteEdit[],
  signal: AbortSignal | undefined,
): Promise<{ error: unknown; path: string; written: number } | null> {
  for (const [written, { path, before, after, mode }] of edits.entries()) {
    try {
      await notes.exchange({ path, before: before?.hash ?? null, after, mode, signal });
    } catch (error) {
      return { error, path, written };
    }
  }
  return null;
}

/** Puts notes back that are as they were left. Throws for one that is not; those before it are restored. */
export async function restore(notes: NotesAccess, records: readonly NoteRecord[]): Promise<void> {
  for (const { path, before, after, bytes, mode = 0o600 } of records) {
    const restored = before === null ? null : Buffer.from(bytes ?? "", "base64");
    if (restored !== null && sha256(restored) !== before) throw refuseDamaged(path);
    await notes.exchange({ path, before: after, after: restored, mode });
  }
}

/** An apply makes these folders where they are missing, so what takes it back removes them. */
export async function removeMadeFolders(notes: NotesAccess, records: readonly NoteRecord[]): Promise<void> {
  for (const { path, before } of records) {
    const isMade =
      before === null && [archiveFolder, privateFolder].some((folder) => path.startsWith(folder));
    if (isMade) await notes.removeEmptyFolders(path);
  }
}

function refuseDamaged(path: string): LonghandError {
  return new LonghandError("note-changed", `${path} cannot be restored: its receipt is damaged.`, {
    hint: "Restore it from a backup or from version control; the note was left as it is.",
  });
}

function createReceipt(
  id: string,
  steps: readonly Step[],
  edits: readonly NoteEdit[],
  at: Date,
): FullReceipt {
  return {
    id,
    at: at.toISOString(),
    state: "applied",
    steps,
    notes: edits.map(({ path, before, after, mode }) => ({
      path,
      before: before?.hash ?? null,
      after: after === null ? null : sha256(after),
      ...(before === null ? {} : { bytes: before.bytes.toString("base64") }),
      mode: before?.mode ?? mode,
    })),
  };
}
