import type { Entries, ForgetEntryResult } from "../entries/entries.ts";
import { LonghandError } from "../errors.ts";
import type { ForgetResult } from "../forget/forget.ts";
import { showHiddenIn } from "../text/visible.ts";
import { defineTool } from "./define-tool.ts";
import { entrySchema, fitEntries, quoteEntry } from "./entry-tools.ts";
import { quoteNotes } from "./quote-notes.ts";
import { isFailure, type MemoryTool, type ToolContext } from "./tool.ts";

type ForgetOutput = (ForgetEntryResult & { readonly omitted?: number }) | ForgetResult;

interface ForgetEntryToolOptions extends ToolContext {
  /** Removes lines of any note; null if the configuration does not allow that. */
  readonly forget: MemoryTool<ForgetResult> | null;
}

export function createForgetEntryTool(
  entries: Entries,
  { sessionKey, maxInjectedChars, forget, isTrusted }: ForgetEntryToolOptions,
): MemoryTool<ForgetOutput> {
  return defineTool({
    name: "memory_forget",
    title: "Remove a fact",
    description:
      "Remove a stored fact for good, with every trace of it in the search index: by the id that memory_recall gave, or " +
      "by a question. A question that fits several facts, or none with certainty, removes nothing and lists them: call again " +
      "with an id. Only when the user asks for it, or a fact was replaced by another. It cannot be undone." +
      (forget === null
        ? ""
        : " Lines of other notes are removed by path, startLine, endLine and their exact text, as memory_get shows them."),
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string", minLength: 1, description: "The id of the fact." },
        query: { type: "string", minLength: 1, description: "What the fact is about, instead of an id." },
        ...forget?.inputSchema.properties,
      },
      required: [],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        ...forget?.outputSchema.properties,
        removed: {
          type: "array",
          items: {
            type: "object",
            properties: {
              id: { type: "string" },
              path: { type: "string" },
              startLine: { type: "integer" },
              endLine: { type: "integer" },
            },
            required: ["path", "startLine", "endLine"],
          },
        },
        candidates: { type: "array", items: entrySchema },
        problems: { type: "array", items: { type: "string" } },
        omitted: { type: "integer" },
        error: { type: "object" },
      },
      required: [],
      additionalProperties: true,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run({ id, query, ...lines }, { signal }) {
      const namesLines = "path" in lines;
      if (forget !== null && namesLines && id === undefined && query === undefined) {
        const answer = await forget.execute(lines, { signal });
        if (isFailure(answer)) throw asError(answer.error);
        return answer;
      }
      if ((id === undefined) === (query === undefined) || namesLines) throw refuseInput();
      const request = id === undefined ? { query: query! } : { id };
      const result = await entries.forget({ ...request, sessionKey, signal });
      return fit(showHiddenIn(result), maxInjectedChars, isTrusted());
    },
    maxFailureChars: maxInjectedChars,
    renderOutput: (output) =>
      "candidates" in output ? renderForget(output, isTrusted()) : forget!.render(output),
  });
}

function fit(result: ForgetEntryResult, maxChars: number, isTrusted: boolean): ForgetOutput {
  return fitEntries(result.candidates, maxChars, (candidates, omitted) => {
    const value = { ...result, candidates, ...(omitted > 0 && { omitted }) };
    return { value, text: renderForget(value, isTrusted) };
  });
}

function renderForget({ removed, candidates, problems }: ForgetEntryResult, isTrusted: boolean): string {
  if (removed.length > 0) {
    const lines = removed.map(({ startLine }) => `Removed line ${startLine} of memory/entries.md.`);
    if (problems.length === 0) return lines.join("\n");
    const left = { label: "Partly failed", text: problems.join("\n") };
    return [...lines, quoteNotes([left], { isTrusted })].join("\n\n");
  }
  if (candidates.length === 0) return "No stored fact fits; nothing was removed.";
  return [
    "Nothing was removed. If one of these is meant, call memory_forget with its id.",
    quoteNotes(candidates.map(quoteEntry), { isTrusted }),
  ].join("\n\n");
}

function refuseInput(): LonghandError {
  return new LonghandError("tool-input-invalid", "memory_forget was not run: it needs either id or query.", {
    hint: "Call it with the id of a fact as memory_recall shows it, or with a query.",
  });
}

function asError({
  code,
  message,
  hint,
  retryable,
}: {
  code: string;
  message: string;
  hint: string;
  retryable: boolean;
}) {
  return new LonghandError(code as LonghandError["code"], message, { hint, retryable });
}
