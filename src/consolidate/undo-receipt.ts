import { LonghandError } from "../errors.ts";
import { removeMadeFolders, restore } from "./apply-steps.ts";
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
  const states = await Promise.all(receipt.notes.map((note) => stateOf(notes, note)));
  const changed = receipt.notes.filter((_, at) => states[at] !== "after").map(({ path }) => path);
  if (changed.length > 0) throw refuseChangedSince(receipt, changed, all);
  files.begin({ ...receipt, doing: "undo" });
  await restore(notes, receipt.notes.toReversed());
  await removeMadeFolders(notes, receipt.notes);
  files.end(receipt.id, undone(receipt));
  const [made, others] = [true, false].map((isMade) =>
    receipt.notes.filter(({ before }) => (before === null) === isMade).map(({ path }) => path),
  );
  return { receipt: receipt.id, restored: others!, removed: made! };
}

/**
 * Ends what killed processes have begun: an undo is finished, an apply is taken back unless all of it was written. Where
 * a note was changed since, nothing is touched, because a line could be lost that way; the receipt keeps the bytes. The
 * caller holds the lock.
 */
export async function recoverPending(notes: NotesAccess, files: ReceiptFiles): Promise<void> {
  for (const { doing, ...receipt } of files.pending()) {
    const states = await Promise.all(receipt.notes.map((note) => stateOf(notes, note)));
    if (states.includes("other")) {
      files.end(receipt.id, { ...receipt, state: "interrupted" });
      continue;
    }
    if (doing !== "undo" && states.every((state) => state === "after")) {
      files.end(receipt.id, receipt);
      continue;
    }
    const written = receipt.notes.filter((_, at) => states[at] === "after");
    await restore(notes, written.toReversed());
    await removeMadeFolders(notes, receipt.notes);
    files.end(receipt.id, doing === "undo" ? undone(receipt) : null);
  }
}

/** Without the bytes, which nothing needs any more. */
function undone({ notes, ...receipt }: FullReceipt): FullReceipt {
  return { ...receipt, state: "undone", notes: notes.map(withoutBytes) };
}

export function withoutBytes({ path, before, after }: NoteRecord): NoteRecord {
  return { path, before, after };
}

async function stateOf(
  notes: NotesAccess,
  { path, before, after }: NoteRecord,
): Promise<"before" | "after" | "other"> {
  try {
    const hash = (await notes.readExact(path))?.hash ?? null;
    return hash === after ? "after" : hash === before ? "before" : "other";
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return "other";
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

function refuseChangedSince(
  { id, notes }: FullReceipt,
  changed: readonly string[],
  all: readonly FullReceipt[],
): LonghandError {
  // The one that found a note as this one left it.
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
