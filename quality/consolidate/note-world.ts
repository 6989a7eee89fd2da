import { applySteps } from "../../src/consolidate/apply-steps.ts";
import type { ApplyResult, Step } from "../../src/consolidate/consolidation.ts";
import { createConsolidation, type OwnedConsolidation } from "../../src/consolidate/create-consolidation.ts";
import { type NoteSet, type NotesAccess, readNotes } from "../../src/consolidate/note-set.ts";
import type { FullReceipt, ReceiptFiles } from "../../src/consolidate/receipt-files.ts";
import { LonghandError } from "../../src/errors.ts";
import { createDailyPattern, defaultDailyPattern } from "../../src/notes/daily-pattern.ts";
import { sha256 } from "../../src/text/hash.ts";
import { partsOfOneProcess } from "../../test/support/consolidation-parts.ts";

/** Thrown where a process is killed: nothing after it happens. */
export class Killed extends Error {}

/** Notes and receipts in memory, with the promises of those on disk: every write happens whole or not at all. */
export interface NoteWorld {
  readonly notes: Map<string, Buffer>;
  /** A process that works on them. It is killed before its write of this number, counted from 0. */
  open(options?: { killAt?: number }): OwnedConsolidation;
  /** The same for steps that are planned already. */
  apply(steps: readonly Step[], seen: NoteSet, options?: { killAt?: number }): Promise<ApplyResult>;
  look(): Promise<NoteSet>;
  /** How many writes the last process has done. */
  writes(): number;
  /** Called before each write, as another program may do something just then. */
  meanwhile: (() => void) | null;
}

export function createNoteWorld(initial: ReadonlyMap<string, Buffer>, today: string): NoteWorld {
  const notes = new Map(initial);
  const [pending, done] = [new Map<string, FullReceipt>(), new Map<string, FullReceipt>()];
  let rejected: readonly string[] = [];
  let submitted: readonly unknown[] = [];
  let count = 0;
  let limit = Number.POSITIVE_INFINITY;
  const daily = createDailyPattern(defaultDailyPattern);

  const world: NoteWorld = {
    notes,
    open,
    apply(steps, seen, options) {
      open(options);
      return applySteps({ notes: access, files, now }, steps, seen, undefined);
    },
    look: () => readNotes(access),
    writes: () => count,
    meanwhile: null,
  };
  const now = () => new Date(`${today}T12:00:00Z`);
  function beforeWrite(): void {
    if (count >= limit) throw new Killed();
    world.meanwhile?.();
    count++;
  }

  const access: NotesAccess = {
    daily,
    scan: async () =>
      ({ entries: [...notes.keys()].sort().map((path) => ({ path })) }) as unknown as Awaited<
        ReturnType<NotesAccess["scan"]>
      >,
    async readExact(path) {
      const bytes = notes.get(path);
      return bytes === undefined ? null : { bytes, hash: sha256(bytes), mode: 0o644 };
    },
    async exchange({ path, before, after }) {
      beforeWrite();
      const bytes = notes.get(path);
      const hash = bytes === undefined ? null : sha256(bytes);
      if (hash !== before) {
        throw new LonghandError("note-changed", `${path} was left as it is.`, { hint: "Look again." });
      }
      if (after === null) notes.delete(path);
      else notes.set(path, after);
      return { path, before: before ?? "", after: after === null ? null : sha256(after) };
    },
    removeEmptyFolders: async () => {},
  };

  const copy = (receipt: FullReceipt): FullReceipt => JSON.parse(JSON.stringify(receipt)) as FullReceipt;
  const files: ReceiptFiles = {
    list: () => [...done.values()].reverse(),
    unreadable: () => [],
    unreadableReceipts: () => [],
    pending: () => [...pending.values()],
    hasPending: () => pending.size > 0,
    nextId: () => `r-${done.size + pending.size + 1}`,
    begin(receipt) {
      beforeWrite();
      pending.set(receipt.id, copy(receipt));
    },
    // Two writes on disk, in this order.
    end(id, receipt) {
      if (receipt !== null) {
        beforeWrite();
        done.set(id, copy(receipt));
      }
      beforeWrite();
      pending.delete(id);
    },
    rewrite: (receipt) => void (pending.has(receipt.id) ? pending : done).set(receipt.id, copy(receipt)),
    readRejected: () => rejected,
    writeRejected: (ids) => {
      rejected = ids;
    },
    readSubmitted: () => submitted,
    writeSubmitted: (steps) => {
      submitted = steps;
    },
  };

  function open({ killAt = Number.POSITIVE_INFINITY } = {}): OwnedConsolidation {
    count = 0;
    limit = killAt;
    return createConsolidation({
      notes: access,
      files,
      today: () => today,
      now,
      ...partsOfOneProcess,
    });
  }
  return world;
}
