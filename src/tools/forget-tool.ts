import type { Entries, ForgetEntryResult } from "../entries/entries.ts";
import { type ErrorCode, LonghandError } from "../errors.ts";
import type { ForgetResult } from "../forget/forget.ts";
import type { Memory } from "../memory/memory.ts";
import { compact } from "../text/compact.ts";
import { linesOf } from "../text/lines-of.ts";
import { showHiddenIn, showOnOneLine } from "../text/visible.ts";
import { defineTool } from "./define-tool.ts";
import { entrySchema, fitEntries, quoteEntry } from "./entry-tools.ts";
import { quoteNotes, quoteReasons } from "./quote-notes.ts";
import { annotations, inputOf, isFailure, type MemoryTool, outputOf, type ToolContext } from "./tool.ts";

/** Removes lines of notes. */
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
    inputSchema: inputOf(
      {
        path: { type: "string", minLength: 1, description: "The note, as in a search result." },
        startLine: { type: "integer", minimum: 1, description: "First line to remove, from 1." },
        endLine: { type: "integer", minimum: 1, description: "Last line to remove, inclusive." },
        text: {
          type: "string",
          description: "Those lines exactly as they are, with line breaks between them.",
        },
      },
      ["path", "startLine", "endLine", "text"],
    ),
    outputSchema: forgetOutputSchema,
    annotations: annotations.removes,
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
  const same = stillIn.map(({ path, line }) => `${showOnOneLine(path, 400)}, line ${line}`);
  // Both may contain the names of other notes.
  const quotes = [
    ...quoteReasons("Partly failed", problems),
    ...quoteReasons("The same text is still in", same),
  ];
  return compact([
    compact([...lines, checked !== undefined && `Checked: ${checked}.`]).join("\n"),
    quotes.length > 0 && quoteNotes(quotes, { isTrusted }),
  ]).join("\n\n");
}

/** The lines that were removed. */
const removedLines = {
  path: { type: "string" },
  startLine: { type: "integer" },
  endLine: { type: "integer" },
} as const;
const required = Object.keys(removedLines);

export const forgetOutputSchema = outputOf({
  removed: { type: "array", items: { type: "object", properties: removedLines, required } },
  chunks: { type: "integer", description: "Passages removed from the index." },
  cacheEntries: { type: "integer" },
});

type ForgetOutput = (ForgetEntryResult & { readonly omitted?: number }) | ForgetResult;

interface ForgetEntryToolOptions extends ToolContext {
  /** Removes lines of any note; null if the configuration does not allow that. */
  readonly forget: MemoryTool<ForgetResult> | null;
}

/** Removes stored facts, and lines of notes if that is allowed as well: an agent gets one tool of this name. */
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
    inputSchema: inputOf({
      id: { type: "string", minLength: 1, description: "The id of the fact." },
      query: { type: "string", minLength: 1, description: "What the fact is about, instead of an id." },
      ...forget?.inputSchema.properties,
    }),
    outputSchema: outputOf({
      ...forget?.outputSchema.properties,
      removed: {
        type: "array",
        items: { type: "object", properties: { id: { type: "string" }, ...removedLines }, required },
      },
      candidates: { type: "array", items: entrySchema },
      problems: { type: "array", items: { type: "string" } },
      omitted: { type: "integer" },
    }),
    annotations: annotations.removes,
    async run({ id, query, ...lines }, { signal }) {
      const namesLines = "path" in lines;
      if (forget !== null && namesLines && id === undefined && query === undefined) {
        const answer = await forget.execute(lines, { signal });
        if (isFailure(answer))
          throw new LonghandError(answer.error.code as ErrorCode, answer.error.message, answer.error);
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
    return [...lines, quoteNotes(quoteReasons("Partly failed", problems), { isTrusted })].join("\n\n");
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
