import type { ForgetResult } from "../forget/forget.ts";
import type { Memory } from "../memory/memory.ts";
import { defineTool } from "./define-tool.ts";
import type { MemoryTool } from "./tool.ts";

interface ForgetInput {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

export function createForgetTool(
  memory: Memory,
  { sessionKey }: { sessionKey: string | undefined },
): MemoryTool<ForgetResult> {
  return defineTool<ForgetInput, ForgetResult>({
    name: "memory_forget",
    title: "Remove from memory",
    description:
      "Remove lines from a note for good, with every trace of them in the search index. Only when the user asks for it. " +
      "First read the lines with memory_get, then give their numbers and their exact text: if the note does not say " +
      "that any more, nothing is removed and you are told. It cannot be undone.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "The note, as in a search result." },
        startLine: { type: "integer", minimum: 1, description: "First line to remove, from 1." },
        endLine: { type: "integer", minimum: 1, description: "Last line to remove, inclusive." },
        text: {
          type: "string",
          description: "Those lines exactly as they stand, with line breaks between them.",
        },
      },
      required: ["path", "startLine", "endLine", "text"],
      additionalProperties: false,
    },
    outputSchema: forgetOutputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: async (input, { signal }) =>
      await memory.forget({
        ...input,
        ...(sessionKey === undefined ? {} : { sessionKey }),
        ...(signal ? { signal } : {}),
      }),
    renderOutput: ({ removed, receipt }) => {
      if (removed.length === 0) return "Nothing was removed: these lines do not exist.";
      const same = receipt?.stillIn.map(({ path, line }) => `${path}, line ${line}`) ?? [];
      return [
        ...removed.map(({ path, startLine, endLine }) => `Removed ${path}, lines ${startLine}-${endLine}.`),
        ...(receipt ? [`Checked: ${[receipt.checked, ...receipt.problems].join("; ")}.`] : []),
        ...(same.length > 0 ? [`The same still stands in: ${same.join("; ")}.`] : []),
      ].join("\n");
    },
  });
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
    chunks: { type: "integer", description: "Passages that left the index." },
    cacheEntries: { type: "integer" },
    error: { type: "object" },
  },
  required: [],
  additionalProperties: true,
} as const;
