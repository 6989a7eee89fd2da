import { basename } from "node:path";
import { LonghandError, messageOf } from "../errors.ts";
import type { ExactNote } from "../notes/exchange-bytes.ts";
import {
  asRestore,
  type ExchangeFailure,
  exchangeAll,
  refuseHalfDone,
  removeMadeFolders,
} from "./apply-steps.ts";
import type { UndoResult } from "./consolidation.ts";
import type { NotesAccess } from "./note-set.ts";
import type { FullReceipt, NoteRecord, ReceiptFiles } from "./receipt-files.ts";

/** Restores every note of a receipt, or none. The caller holds the lock. */
export async function undoReceipt(
  notes: NotesAccess,
  files: ReceiptFiles,
  wanted: string | undefined,
): Promise<UndoResult> {
  const all = files.list();
  const receipt = all.find(({ id, state }) => (wanted === undefined ? state === "applied" : id === wanted));
  if (receipt === undefined) throw refuseUnknown(wanted);
  if (receipt.state !== "applied") throw refuseState(receipt);
  const records = receipt.notes.toReversed();
  const found = await Promise.all(records.map((note) => lookAt(notes, note)));
  const changed = records.filter((_, at) => found[at]!.state !== "after").map(({ path }) => path);
  if (changed.length > 0) throw refuseChangedSince(receipt, changed.toReversed(), all);
  const restores = records.map(asRestore);
  files.begin({ ...receipt, doing: "undo" });
  const failure = await exchangeAll(notes, restores);
  if (failure !== null) {
    const restored = records.slice(0, failure.done);
    const returns = restored.map(({ path, before, mode = 0o600 }, at) => ({
      ...{ path, before, mode },
      after: found[at]!.note?.bytes ?? null,
    }));
    const stuck = await exchangeAll(notes, returns.toReversed());
    if (stuck !== null) throw refuseHalfDone(receipt, failure, stuck);
    files.end(receipt.id, null);
    throw refuseUndo(receipt, failure, all);
  }
  await removeMadeFolders(notes, receipt.notes);
  files.end(receipt.id, undone(receipt));
  const [made, others] = [true, false].map((isMade) =>
    receipt.notes.filter(({ before }) => (before === null) === isMade).map(({ path }) => path),
  );
  return { receipt: receipt.id, restored: others!, removed: made! };
}

/** An operation of a killed process that could not be recovered. The next process tries again. */
export interface PendingRecovery {
  readonly receipt: string;
  /** Null if its record cannot be read. */
  readonly doing: "apply" | "undo" | null;
  readonly notes: readonly string[];
  readonly problem: string;
  readonly hint: string;
}

/**
 * Recovers operations of killed processes: an undo is completed, an apply is rolled back unless everything was written.
 * If a note was changed since, nothing is touched, because a line could be lost; the receipt keeps the bytes. The
 * caller holds the lock. Returns what could not be recovered.
 */
export async function recoverPending(notes: NotesAccess, files: ReceiptFiles): Promise<PendingRecovery[]> {
  const failed = files.unreadable().map(describeUnreadable);
  for (const pending of files.pending()) {
    try {
      await recoverOne(notes, files, pending);
    } catch (error) {
      failed.push({
        receipt: pending.id,
        doing: pending.doing ?? "apply",
        notes: pending.notes.map(({ path }) => path),
        problem: messageOf(error),
        hint: `${error instanceof LonghandError ? error.hint : "See that the disk has room and the state folder can be written."} To try again, run: longhand consolidate`,
      });
    }
  }
  return failed;
}

async function recoverOne(
  notes: NotesAccess,
  files: ReceiptFiles,
  { doing, ...receipt }: FullReceipt,
): Promise<void> {
  const found = await Promise.all(receipt.notes.map((note) => lookAt(notes, note)));
  if (found.some(({ state }) => state === "other")) {
    files.end(receipt.id, { ...receipt, state: "interrupted" });
    return;
  }
  if (doing !== "undo" && found.every(({ state }) => state === "after")) {
    files.end(receipt.id, receipt);
    return;
  }
  const written = receipt.notes.filter((_, at) => found[at]!.state === "after");
  const failure = await exchangeAll(notes, written.toReversed().map(asRestore));
  if (failure !== null) throw failure.error;
  await removeMadeFolders(notes, receipt.notes);
  files.end(receipt.id, doing === "undo" ? undone(receipt) : null);
}

function describeUnreadable(file: string): PendingRecovery {
  return {
    receipt: basename(file, ".json"),
    doing: null,
    notes: [],
    problem: `${file}, which says what was under way, cannot be read.`,
    hint: "Compare your notes with a backup or with version control, then delete that file.",
  };
}

/** Nothing is planned or applied on top of unfinished work. */
export function refusePending({ receipt, doing, problem, hint }: PendingRecovery): LonghandError {
  const what =
    doing === "undo"
      ? "undo was interrupted and could not be finished"
      : "apply was interrupted and could not be rolled back";
  return new LonghandError("note-changed", `Receipt ${receipt}: the ${what}. ${problem}`, { hint });
}

/** Without the bytes, which are no longer needed. */
function undone({ notes, ...receipt }: FullReceipt): FullReceipt {
  return { ...receipt, state: "undone", notes: notes.map(withoutBytes) };
}

export function withoutBytes({ path, before, after }: NoteRecord): NoteRecord {
  return { path, before, after };
}

interface FoundNote {
  readonly state: "before" | "after" | "other";
  readonly note: ExactNote | null;
}

async function lookAt(notes: NotesAccess, { path, before, after }: NoteRecord): Promise<FoundNote> {
  try {
    const note = await notes.readExact(path);
    const hash = note?.hash ?? null;
    return { state: hash === after ? "after" : hash === before ? "before" : "other", note };
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return { state: "other", note: null };
  }
}

function refuseUnknown(wanted: string | undefined): LonghandError {
  const message =
    wanted === undefined
      ? "There is nothing to undo."
      : `There is no receipt ${JSON.stringify(wanted.slice(0, 100))}.`;
  return new LonghandError("receipt-unusable", message, {
    hint: "List the receipts with: longhand consolidate --receipts",
  });
}

function refuseState({ id, state }: FullReceipt): LonghandError {
  const why = {
    undone: "it was undone before",
    purged: "text of it was forgotten, so it does not hold the notes any more",
    interrupted: "a note was changed after the process that applied it was killed",
    applied: "",
  }[state];
  return new LonghandError("receipt-unusable", `Receipt ${id} cannot be undone: ${why}.`, {
    hint: "See what it changed with: longhand consolidate --receipts --json",
  });
}

/** Thrown after what had been restored was put back as the receipt left it. */
function refuseUndo(
  receipt: FullReceipt,
  { error, path }: ExchangeFailure,
  all: readonly FullReceipt[],
): unknown {
  if (!(error instanceof LonghandError)) return error;
  if (error.code === "note-changed") return refuseChangedSince(receipt, [path], all);
  const { code, message, hint, retryable } = error;
  return new LonghandError(code, `Receipt ${receipt.id} cannot be undone: ${message}`, {
    hint: `Nothing was undone. ${hint}`,
    retryable,
    cause: error,
  });
}

function refuseChangedSince(
  { id, notes }: FullReceipt,
  changed: readonly string[],
  all: readonly FullReceipt[],
): LonghandError {
  // The newer receipt, which changed a note after this one.
  const newer = all.find(
    (other) =>
      other.state === "applied" &&
      other.notes.some((each) =>
        notes.some(({ path, after }) => path === each.path && after === each.before),
      ),
  );
  const hint =
    newer === undefined
      ? "Nothing was undone. Take your changes out of these notes and repeat, or put lines back by hand: longhand consolidate --receipts --json shows what each step changed."
      : `Undo the newer receipt first: longhand consolidate --undo ${newer.id}`;
  return new LonghandError(
    "note-changed",
    `Receipt ${id} cannot be undone: ${changed.join(", ")} changed since then.`,
    { hint },
  );
}
