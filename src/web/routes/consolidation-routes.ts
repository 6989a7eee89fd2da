import type { ApplyResult, UndoResult } from "../../consolidate/consolidation.ts";
import { LonghandError } from "../../errors.ts";
import { inputOf } from "../../tools/tool.ts";
import { type ApiContext, defineRoute } from "../api-route.ts";
import { integer, listOf, orNull, shape, text } from "../output-schemas.ts";

/** JSON Schemas of the output of `longhand consolidate`. */
const textOrNull = orNull("string");

const step = shape({
  id: { ...text, description: "Derived from the content of the step." },
  kind: { type: "string", enum: ["merge", "supersede", "promote", "anchor", "trim", "archive"] },
  reason: text,
  sources: {
    ...listOf(shape({ path: text, startLine: integer, endLine: integer, text })),
    description: "The lines that it is based on, as they appear in the notes.",
  },
  changes: listOf(
    shape({
      path: text,
      startLine: {
        ...integer,
        description: "First line of `before`; if that is empty, the line before which `after` is inserted.",
      },
      before: { ...listOf(text), description: "The lines that are removed." },
      after: { ...listOf(text), description: "The lines that replace them." },
      "title?": { ...text, description: "First line of a note that is created for this." },
      "movesTo?": { ...text, description: "The new path, if the whole note is moved." },
    }),
  ),
  "by?": { type: "string", enum: ["model"], description: "A model proposed it." },
});

const planSchema = shape({
  steps: listOf(step),
  notes: { ...integer, description: "The number of notes read." },
  skipped: listOf(shape({ path: text, reason: text })),
  rejected: { ...integer, description: "The number of steps left out because they were rejected." },
  budget: {
    ...shape({ path: text, chars: integer, maxChars: integer }),
    type: ["object", "null"],
    description: "How much of the long-term memory a session begins with.",
  },
});

const appliedSchema = shape({
  receipt: textOrNull,
  applied: listOf(step),
  refused: listOf(shape({ id: text, reason: text })),
});

const rejectedSchema = shape({ rejected: listOf(text) });

const undoneSchema = shape({ receipt: text, restored: listOf(text), removed: listOf(text) });

const receiptsSchema = shape({
  receipts: listOf(
    shape({
      id: text,
      at: text,
      state: { type: "string", enum: ["applied", "undone", "interrupted", "purged"] },
      steps: listOf(step),
      notes: listOf(shape({ path: text, before: textOrNull, after: textOrNull })),
    }),
  ),
});

const since = {
  type: "string",
  description: "Leave daily notes before this day alone, YYYY-MM-DD.",
} as const;
const ids = (description: string) => ({ type: "array", items: { type: "string" }, description }) as const;

export const consolidationRoutes = [
  defineRoute({
    method: "GET",
    path: "/api/consolidation",
    summary: "Plan a consolidation of the notes",
    details:
      "A plan for review; nothing is changed. The id of a step follows from its content, so a step that is still " +
      "possible keeps its id when other notes change.",
    input: inputOf({ since }),
    output: {
      schema: planSchema,
      description: "The plan, as `longhand consolidate --json` prints it.",
    },
    run: ({ memory }, input, { signal }) => memory.consolidation.plan({ ...input, signal }),
  }),
  defineRoute({
    method: "POST",
    path: "/api/consolidation/apply",
    summary: "Apply steps of the plan",
    details:
      "Steps by their ids, or all of them with `all`. Steps whose notes have changed are refused and named; the others " +
      "are applied together, and `receipt` undoes them.",
    input: inputOf({
      ids: ids("Steps of the plan."),
      all: { type: "boolean", description: "Apply the whole current plan." },
      since,
    }),
    output: {
      schema: appliedSchema,
      description:
        "`{receipt, applied: [step], refused: [{id, reason}]}`; `receipt` is null when nothing was changed.",
    },
    changesNotes: true,
    async run(context, { ids, all = false, ...input }) {
      if ((ids === undefined) !== all) throw refuse("it needs either ids or all");
      const steps = ids ?? ("all" as const);
      const result = await context.memory.consolidation.apply({ ...input, steps });
      publishChanges(context, pathsOf(result));
      return result;
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/consolidation/reject",
    summary: "Reject steps, so that they are not proposed again",
    input: inputOf({ ids: ids("Steps of the plan.") }, ["ids"]),
    output: { schema: rejectedSchema, description: "`{rejected}`: the steps that were in the plan." },
    changesNotes: true,
    run: async ({ memory }, input) => ({ rejected: await memory.consolidation.reject(input.ids) }),
  }),
  defineRoute({
    method: "POST",
    path: "/api/consolidation/undo",
    summary: "Undo what was applied",
    details:
      "Restores every note of a receipt byte for byte. If one has changed since, nothing is restored and the code " +
      "is `note-changed`.",
    input: inputOf({
      receipt: { type: "string", description: "Which receipt; by default the newest that was not undone." },
    }),
    output: {
      schema: undoneSchema,
      description:
        "`{receipt, restored, removed}`: the notes by their paths; those that the apply had made are removed.",
    },
    changesNotes: true,
    async run(context, input) {
      const result: UndoResult = await context.memory.consolidation.undo(input);
      publishChanges(context, [...result.restored, ...result.removed]);
      return result;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/consolidation/receipts",
    summary: "List what was applied",
    input: inputOf({}),
    output: {
      schema: receiptsSchema,
      description:
        "`{receipts: [{id, at, state, steps, notes: [{path, before, after}]}]}`, newest first; `state` is applied, " +
        "undone, interrupted or purged.",
    },
    run: async ({ memory }) => ({ receipts: await memory.consolidation.receipts() }),
  }),
];

function pathsOf({ applied }: ApplyResult): string[] {
  const paths = applied.flatMap(({ changes }) =>
    changes.flatMap(({ path, movesTo }) => (movesTo === undefined ? [path] : [path, movesTo])),
  );
  return [...new Set(paths)];
}

function publishChanges({ events }: ApiContext, paths: readonly string[]): void {
  if (paths.length > 0) events.publish({ kind: "changed", data: { paths, isListChanged: true } });
}

function refuse(why: string): LonghandError {
  return new LonghandError("request-invalid", `POST /api/consolidation/apply was not run: ${why}.`, {
    hint: 'Send {"ids": […]} or {"all": true}.',
  });
}
