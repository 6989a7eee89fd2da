import { shape } from "./output-schemas.ts";

/** JSON Schemas of what `longhand consolidate` gives. */
const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const listOf = (items: object): object => ({ type: "array", items });

const step = shape({
  id: { ...text, description: "Follows from the content of the step." },
  kind: { type: "string", enum: ["merge", "supersede", "promote", "anchor", "trim", "archive"] },
  reason: text,
  sources: {
    ...listOf(shape({ path: text, startLine: integer, endLine: integer, text })),
    description: "The lines that it rests on, as they stand there.",
  },
  changes: listOf(
    shape({
      path: text,
      startLine: {
        ...integer,
        description: "First line of `before`; the line in front of which `after` is put where that is empty.",
      },
      before: { ...listOf(text), description: "Lines that go." },
      after: { ...listOf(text), description: "Lines that come in their place." },
      "title?": { ...text, description: "First line of a note that is made for this." },
      "movesTo?": { ...text, description: "The whole note moves there." },
    }),
  ),
  "by?": { type: "string", enum: ["model"], description: "A model proposed it." },
});

export const planSchema = shape({
  steps: listOf(step),
  notes: { ...integer, description: "Notes that were looked at." },
  skipped: listOf(shape({ path: text, reason: text })),
  rejected: { ...integer, description: "Steps that are left out because they were rejected." },
  budget: {
    ...shape({ path: text, chars: integer, maxChars: integer }),
    type: ["object", "null"],
    description: "How much of the long-term memory a session begins with.",
  },
});

export const appliedSchema = shape({
  receipt: textOrNull,
  applied: listOf(step),
  refused: listOf(shape({ id: text, reason: text })),
});

export const rejectedSchema = shape({ rejected: listOf(text) });

export const undoneSchema = shape({ receipt: text, restored: listOf(text) });

export const receiptsSchema = shape({
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
