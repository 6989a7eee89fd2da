import { LonghandError } from "../errors.ts";
import type { MemoryStatus } from "../memory/status.ts";
import { nameSome } from "../text/name-some.ts";
import { type Check, type CheckGroup, fail, pass } from "./check.ts";

/** Whether an apply or undo was interrupted and is not in order yet. Left out where nothing was. */
export const checkConsolidation: CheckGroup = async ({ memory, status }) => {
  if (memory === undefined || status === undefined || status instanceof LonghandError) return [];
  if (status.pendingRecoveries.length > 0) return status.pendingRecoveries.map(describePending);
  const [newest] = await memory.consolidation.receipts();
  if (newest?.state !== "interrupted") return [];
  const notes = nameSome(newest.notes.map(({ path }) => path));
  return [
    pass(
      "consolidation",
      `receipt ${newest.id} was interrupted, and a note was edited before it could be rolled back: ${notes}`,
      "No line is lost, but some may be in two notes. `longhand consolidate --receipts --json` shows each line before and after.",
    ),
  ];
};

function describePending({ doing, notes, problem, hint }: MemoryStatus["pendingRecoveries"][number]): Check {
  const what =
    doing === "undo"
      ? "an undo was interrupted and cannot be finished"
      : "an apply was interrupted and cannot be rolled back";
  return fail(
    "consolidation",
    `${what} (${nameSome(notes) || "notes that are not known"}): ${problem}`,
    hint,
  );
}
