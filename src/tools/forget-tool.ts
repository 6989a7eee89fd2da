import type { ForgetResult } from "../forget/forget.ts";
import type { Memory } from "../memory/memory.ts";
import { linesOf } from "../text/lines-of.ts";
import { showOnOneLine } from "../text/visible.ts";
import { defineTool } from "./define-tool.ts";
import { type Quote, quoteNotes } from "./quote-notes.ts";
import type { MemoryTool, ToolContext } from "./tool.ts";

export function createForgetTool(
  memory: Memory,
  { sessionKey, maxInjectedChars, isTrusted }: ToolContext,
): MemoryTool<ForgetResult> {
  return defineTool({
    name: "memory_forget",
    title: "Remove from memory",
    description:
      "Remove lines from a note for good, with every trace of them in the search index. Only when the user asks for it. " +
      "First read the lines with memory_get, then give their numbers and their exact text: if the note does not say " +
      "that any more, nothing is removed, and the answer says so. It cannot be undone.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "The note, as in a search result." },
        startLine: { type: "integer", minimum: 1, description: "First line to remove, from 1." },
        endLine: { type: "integer", minimum: 1, description: "Last line to remove, inclusive." },
        text: {
          type: "string",
          description: "Those lines exactly as they are, with line breaks between them.",
        },
      },
      required: ["path", "startLine", "endLine", "text"],
      additionalProperties: false,
    },
    outputSchema: forgetOutputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (input, { signal }) => await memory.forget({ ...input, sessionKey, signal }),
    maxFailureChars: maxInjectedChars,
    renderOutput: (result) => renderReceipt(result, isTrusted()),
  });
}

function renderReceipt({ removed, receipt }: ForgetResult, isTrusted: boolean): string {
  if (removed.length === 0) return "Nothing was removed: these lines do not exist.";
  const lines = removed.map(
    ({ path, ...range }) => `Removed ${showOnOneLine(path, 400)}, ${linesOf(range)}.`,
  );
  const { checked, problems = [], stillIn = [] } = receipt ?? {};
  // Both may contain the names of other notes.
  const quotes: Quote[] = [
    ...(problems.length === 0 ? [] : [{ label: "Partly failed", text: problems.join("\n") }]),
    ...(stillIn.length === 0
      ? []
      : [
          {
            label: "The same text is still in",
            text: stillIn.map(({ path, line }) => `${showOnOneLine(path, 400)}, line ${line}`).join("\n"),
          },
        ]),
  ];
  return [
    [...lines, ...(checked === undefined ? [] : [`Checked: ${checked}.`])].join("\n"),
    ...(quotes.length === 0 ? [] : [quoteNotes(quotes, { isTrusted })]),
  ].join("\n\n");
}

export const forgetOutputSchema = {
  type: "object",
  properties: {
    removed: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          startLine: { type: "integer" },
          endLine: { type: "integer" },
        },
        required: ["path", "startLine", "endLine"],
      },
    },
    chunks: { type: "integer", description: "Passages removed from the index." },
    cacheEntries: { type: "integer" },
    error: { type: "object" },
  },
  required: [],
  additionalProperties: true,
} as const;
