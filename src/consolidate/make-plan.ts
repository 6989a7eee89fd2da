import { lastingKindOf } from "./lasting.ts";
import type { Plan } from "./plan.ts";
import { createPlanning, type PlanInput } from "./planning.ts";
import { promoteFacts } from "./promote.ts";
import { anchorRelativeDates, mergeDuplicates, retireSuperseded } from "./rules.ts";
import { proposeSubmitted } from "./submitted.ts";
import { archiveOldNotes, trimLongTerm } from "./whole-notes.ts";

/**
 * What could be put in order in these notes. A line is part of one step at most; what is left for another step is
 * proposed when the first one is done. The same notes give the same plan.
 */
export function makePlan(input: PlanInput): Plan {
  const planning = createPlanning(input);
  proposeSubmitted(planning, input.submitted ?? []);
  retireSuperseded(planning);
  promoteFacts(planning);
  mergeDuplicates(planning, (said) => lastingKindOf(said) !== null);
  anchorRelativeDates(planning);
  trimLongTerm(planning);
  archiveOldNotes(planning);
  const { longTerm, steps } = planning;
  return {
    steps,
    notes: planning.notes.length,
    skipped: [],
    rejected: planning.rejected(),
    budget:
      longTerm === undefined
        ? null
        : { path: longTerm.note.path, chars: longTerm.note.text.length, maxChars: input.maxLongTermChars },
  };
}
