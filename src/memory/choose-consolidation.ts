import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { Consolidation } from "../consolidate/consolidation.ts";
import type { OwnedConsolidation } from "../consolidate/create-consolidation.ts";
import type { Recalls } from "../consolidate/planning.ts";
import type { PendingRecovery } from "../consolidate/undo-receipt.ts";
import { LonghandError, messageOf } from "../errors.ts";
import type { Notes } from "../notes/notes.ts";
import { lockPathOf, tryFileLock, withFileLock } from "../stores/lock.ts";

interface ConsolidationContext {
  readonly notes: Notes;
  readonly dayOf: (moment: Date) => string;
  readonly now: () => Date;
  readonly readRecalls: () => Promise<Recalls | null>;
  /** Masks likely secrets before a model sees the text. */
  readonly mask: (text: string) => Promise<string>;
}

/** The consolidation of one memory, loaded on first use. */
export interface ChosenConsolidation {
  readonly consolidation: Consolidation;
  /** Rolls back or completes what a killed process left. Returns what failed, which the next process tries again. */
  recover(): Promise<readonly PendingRecovery[]>;
  /** Removes forgotten text from receipts; null on success, otherwise the reason. */
  purge: (forgotten: Parameters<OwnedConsolidation["purge"]>[0]) => Promise<string | null>;
}

/** How long an apply waits for another one, and a forget for either. */
const waitMs = 30_000;

export function chooseConsolidation(
  settings: Settings,
  { notes, dayOf, now, readRecalls, mask }: ConsolidationContext,
): ChosenConsolidation {
  const folder = join(settings.stateDir, "agents", settings.agentId, "consolidation");
  let loaded: Promise<OwnedConsolidation> | undefined;
  const load = (): Promise<OwnedConsolidation> => {
    loaded ??= open();
    return loaded;
  };

  async function open(): Promise<OwnedConsolidation> {
    const [{ createConsolidation }, { createReceiptFiles }, { startLimits }] = await Promise.all([
      import("../consolidate/create-consolidation.ts"),
      import("../consolidate/receipt-files.ts"),
      import("./start-session.ts"),
    ]);
    const lockPath = lockPathOf(settings.stateDir, "consolidation", folder);
    return createConsolidation({
      notes,
      files: createReceiptFiles(folder),
      today: () => dayOf(now()),
      now,
      readRecalls,
      mask,
      maxLongTermChars: startLimits.maxNoteChars,
      archiveAfterDays: settings.consolidation.archiveAfterDays,
      alone: (work) => withFileLock(lockPath, { timeoutMs: waitMs }, work),
      tryAlone: () => tryFileLock(lockPath),
    });
  }

  return {
    consolidation: {
      plan: async (request) => (await load()).plan(request),
      apply: async (request) => (await load()).apply(request),
      reject: async (ids) => (await load()).reject(ids),
      undo: async (request) => (await load()).undo(request),
      receipts: async () => (await load()).receipts(),
      submit: async (steps) => (await load()).submit(steps),
      propose: async (generate, request) => (await load()).propose(generate, request),
    },
    async recover() {
      try {
        return hasRecords(join(folder, "pending")) ? await (await load()).recover() : [];
      } catch (error) {
        return [describeFailure(folder, error)];
      }
    },
    async purge(forgotten) {
      if (!existsSync(folder)) return null;
      try {
        await (await load()).purge(forgotten);
        return null;
      } catch (error) {
        return `Receipts in ${folder} may still hold the text. ${messageOf(error)}`;
      }
    },
  };
}

/** What is under way cannot even be looked at. */
function describeFailure(folder: string, error: unknown): PendingRecovery {
  const hint =
    error instanceof LonghandError ? error.hint : `Make ${folder} and its files readable and writable.`;
  return { receipt: "", doing: null, notes: [], problem: messageOf(error), hint };
}

/** Here, because the files of consolidation are loaded only where something is pending. */
function hasRecords(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".json"));
}
