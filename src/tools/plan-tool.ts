import type { SubmitResult } from "../consolidate/consolidation.ts";
import type { Memory } from "../memory/memory.ts";
import { defineTool } from "./define-tool.ts";
import { quoteNotes } from "./quote-notes.ts";
import { annotations, inputOf, type MemoryTool, outputOf, type ToolContext } from "./tool.ts";

/** An agent may propose a consolidation of the notes; a person decides. */
export function createPlanTool(
  memory: Memory,
  { maxInjectedChars, isTrusted }: ToolContext,
): MemoryTool<SubmitResult> {
  return defineTool({
    name: "memory_plan",
    title: "Propose a consolidation",
    description:
      "Submit steps that would put the notes in order, for the user to review; nothing is changed. Read the lines with " +
      "memory_get first. A step that names a line which is not there, or says what its sources do not say, is refused.",
    inputSchema: inputOf(
      {
        steps: {
          type: "array",
          description: "The steps.",
          items: {
            type: "object",
            properties: {
              kind: {
                type: "string",
                enum: ["merge", "supersede", "promote", "anchor", "archive"],
                description:
                  "merge: lines that say the same; supersede: the older line, then the newer one; promote: a lasting " +
                  "fact of a daily note; anchor: a relative date; archive: lines that are not needed.",
              },
              sources: {
                type: "array",
                description: "Every line that it is based on.",
                items: {
                  type: "object",
                  properties: {
                    path: { type: "string" },
                    line: { type: "integer", minimum: 1 },
                    text: { type: "string", description: "The line exactly as written." },
                  },
                  required: ["path", "line", "text"],
                },
              },
              text: { type: "string", description: "The new line of a merge, promote or anchor." },
              to: { type: "string", description: "The note that a promote writes to; MEMORY.md by default." },
              reason: { type: "string", description: "Why, in a sentence." },
            },
            required: ["kind", "sources", "reason"],
          },
        },
      },
      ["steps"],
    ),
    outputSchema: planOutputSchema,
    annotations: annotations.adds,
    run: async ({ steps }) => await memory.consolidation.submit(steps),
    maxFailureChars: maxInjectedChars,
    renderOutput: ({ accepted, refused }) =>
      renderResult({ accepted, refused }, { maxInjectedChars, isTrusted: isTrusted() }),
  });
}

/** A reason may quote a line of a note. */
function renderResult(
  { accepted, refused }: SubmitResult,
  { maxInjectedChars, isTrusted }: { maxInjectedChars: number; isTrusted: boolean },
): string {
  const counts = `${accepted.length} of ${accepted.length + refused.length} steps wait for review; nothing was changed. The user sees them with: longhand consolidate`;
  if (refused.length === 0) return counts;
  const reasons = refused.map(({ index, reason }) => `step ${index + 1}: ${reason}`).join("\n");
  const text = reasons.slice(0, Math.max(200, maxInjectedChars - counts.length - 400));
  return `${counts}\n\n${quoteNotes([{ label: "Refused", text }], { isTrusted })}`;
}

const planOutputSchema = outputOf({
  accepted: { type: "array", items: { type: "string" }, description: "Ids of steps that wait for review." },
  refused: {
    type: "array",
    items: {
      type: "object",
      properties: { index: { type: "integer" }, reason: { type: "string" } },
      required: ["index", "reason"],
    },
  },
});
