import type { Entries, RecallAnswer } from "../entries/entries.ts";
import { showHiddenIn } from "../text/visible.ts";
import { defineTool } from "./define-tool.ts";
import { entrySchema, fitEntries, quoteEntry } from "./entry-schema.ts";
import { quoteNotes } from "./quote-notes.ts";
import type { MemoryTool } from "./tool.ts";

interface RecallInput {
  readonly query: string;
  readonly limit?: number;
}

/** An answer of `recall`, cut to what an agent takes in. */
export interface RecallToolOutput extends RecallAnswer {
  readonly omitted?: number;
}

export interface RecallToolOptions {
  readonly sessionKey: string | undefined;
  readonly maxInjectedChars: number;
  readonly isTrusted: () => boolean;
}

export function createRecallTool(
  entries: Entries,
  { sessionKey, maxInjectedChars, isTrusted }: RecallToolOptions,
): MemoryTool<RecallToolOutput> {
  return defineTool<RecallInput, RecallToolOutput>({
    name: "memory_recall",
    title: "Recall facts",
    description:
      "Recall small facts that were stored with memory_store: preferences, people, decisions, dates and names of this " +
      "user. Narrower than memory_search, which looks through all notes. Ask in plain words. Returns each " +
      "fact with its id, category, importance, date and a score from 0 to 1.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, description: "What to recall: a question or keywords." },
        limit: { type: "integer", minimum: 1, maximum: 50, description: "At most this many facts." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        results: { type: "array", items: entrySchema },
        degraded: { type: "array", items: { type: "string" } },
        omitted: { type: "integer", description: "Facts that were left out because they were too long." },
        error: { type: "object" },
      },
      required: [],
      additionalProperties: true,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ query, limit }, { signal }) {
      const answer = await entries.recall(query, {
        ...(limit !== undefined && { limit }),
        ...(sessionKey !== undefined && { sessionKey }),
        ...(signal && { signal }),
      });
      return fitRecall(answer, maxInjectedChars, isTrusted());
    },
    maxFailureChars: maxInjectedChars,
    renderOutput: (answer) => renderRecall(answer, isTrusted()),
  });
}

/** Leaves out the weakest until the answer fits, as text and as JSON. */
export function fitRecall(answer: RecallAnswer, maxChars: number, isTrusted: boolean): RecallToolOutput {
  const { results, degraded } = showHiddenIn(answer);
  return fitEntries(results, maxChars, (kept, omitted) => {
    const value = {
      results: kept,
      degraded: kept.length === 0 ? [] : degraded.map((reason) => reason.slice(0, 300)),
      ...(omitted > 0 && { omitted }),
    };
    return { value, text: renderRecall(value, isTrusted) };
  });
}

export function renderRecall({ results, degraded, omitted }: RecallToolOutput, isTrusted: boolean): string {
  const remarks = omitted ? [`${omitted} more left out for length; ask for fewer or more exactly.`] : [];
  const reasons = degraded.length === 0 ? [] : [{ label: "Weaker than usual", text: degraded.join("\n") }];
  const quotes = [...results.map(quoteEntry), ...reasons];
  return [
    ...(results.length === 0 ? ["No stored fact fits. memory_search looks through all notes."] : []),
    ...(quotes.length === 0 ? [] : [quoteNotes(quotes, { isTrusted })]),
    ...remarks,
  ].join("\n\n");
}
