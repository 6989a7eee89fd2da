import { LonghandError, messageOf } from "../errors.ts";
import { privateFolder } from "../notes/note-path.ts";
import { sha256 } from "../text/hash.ts";
import type { ApplyResult, Step } from "./consolidation.ts";
import { composeEdits, type NoteEdit, type NoteSet, type NotesAccess } from "./note-set.ts";
import { archiveFolder } from "./planning.ts";
import type { FullReceipt, NoteRecord, ReceiptFiles } from "./receipt-files.ts";

interface ApplyParts {
  readonly notes: NotesAccess;
  readonly files: ReceiptFiles;
  readonly now: () => Date;
}

/**
 * Applies steps to the notes as the plan saw them. All notes are written or none: if one was changed meanwhile, the
 * others are rolled back, and the steps that do not involve it are tried again. The caller holds the lock.
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
    const failure = await exchangeAll(notes, edits.map(asExchange), signal);
    if (failure === null) {
      files.end(receipt.id, receipt);
      return { receipt: receipt.id, applied: left, refused };
    }
    const written = receipt.notes.slice(0, failure.done).toReversed();
    const stuck = await exchangeAll(notes, written.map(asRestore));
    if (stuck !== null) throw refuseHalfDone(receipt, failure, stuck);
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

/** A compare-and-set of one note; null means that there is no note. */
interface Exchange {
  readonly path: string;
  /** SHA-256. */
  readonly before: string | null;
  readonly after: Buffer | null;
  /** The file mode of a new note. */
  readonly mode: number;
}

export interface ExchangeFailure {
  readonly error: unknown;
  readonly path: string;
  /** How many were written before it. */
  readonly done: number;
}

/** Writes notes in order, up to the first failure. */
export async function exchangeAll(
  notes: NotesAccess,
  exchanges: readonly Exchange[],
  signal?: AbortSignal,
): Promise<ExchangeFailure | null> {
  for (const [done, exchange] of exchanges.entries()) {
    try {
      await notes.exchange({ ...exchange, signal });
    } catch (error) {
      return { error, path: exchange.path, done };
    }
  }
  return null;
}

function asExchange({ path, before, after, mode }: NoteEdit): Exchange {
  return { path, before: before?.hash ?? null, after, mode };
}

/** Restores a note that is still as the receipt left it. */
export function asRestore({ path, before, after, bytes, mode = 0o600 }: NoteRecord): Exchange {
  const restored = before === null ? null : Buffer.from(bytes ?? "", "base64");
  if (restored !== null && sha256(restored) !== before) throw refuseDamaged(path);
  return { path, before: after, after: restored, mode };
}

/** Both the edit and its rollback failed; the pending record stays for the next process. */
export function refuseHalfDone(
  { id }: Pick<FullReceipt, "id">,
  failure: ExchangeFailure,
  stuck: ExchangeFailure,
): unknown {
  if (!(stuck.error instanceof LonghandError)) return stuck.error;
  return new LonghandError(
    "note-changed",
    `Receipt ${id} is half done: ${messageOf(failure.error)} Then ${stuck.path} could not be put back: ${messageOf(stuck.error)}`,
    {
      hint: "No line is lost. Run `longhand consolidate` to have it put in order, and `longhand doctor` to see what is left.",
      cause: failure.error,
    },
  );
}

/** An apply creates these folders if they are missing, so a rollback removes them. */
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
