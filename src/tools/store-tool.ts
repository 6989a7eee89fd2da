import type { Entries, EntryCategory, StoreResult } from "../entries/entries.ts";
import { entryCategories } from "../entries/entry.ts";
import { showHiddenIn } from "../text/visible.ts";
import { defineTool } from "./define-tool.ts";
import { entrySchema } from "./entry-schema.ts";
import { type Quote, quoteNotes } from "./quote-notes.ts";
import type { MemoryTool } from "./tool.ts";

interface StoreInput {
  readonly text: string;
  readonly category?: EntryCategory;
  readonly importance?: number;
}

export interface StoreToolOptions {
  readonly origin: string;
  readonly sessionKey: string | undefined;
  readonly maxInjectedChars: number;
  readonly isTrusted: () => boolean;
}

export function createStoreTool(
  entries: Entries,
  { origin, sessionKey, maxInjectedChars, isTrusted }: StoreToolOptions,
): MemoryTool<StoreResult> {
  return defineTool<StoreInput, StoreResult>({
    name: "memory_store",
    title: "Store a fact",
    description:
      "Store one small fact for later conversations: a preference, a person, a decision, a date, a name. One sentence " +
      "that makes sense on its own, with absolute dates. A fact that is stored already is not stored twice; one that " +
      "is much alike but says something else is named, so that it can be removed with memory_forget if it is out of " +
      "date. For longer notes use memory_add. Never store passwords or keys.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, description: "The fact, in one sentence." },
        category: {
          type: "string",
          enum: entryCategories,
          description: "What kind of fact; guessed when it is left out.",
        },
        importance: { type: "number", minimum: 0, maximum: 1, description: "0 to 1, default 0.5." },
      },
      required: ["text"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        ...entrySchema.properties,
        duplicate: { type: "boolean", description: "It was stored already; this is the entry that says it." },
        similar: { ...entrySchema, description: "Much alike, but says something else." },
        degraded: { type: "array", items: { type: "string" } },
        error: { type: "object" },
      },
      required: [],
      additionalProperties: true,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(input, { signal }) {
      const stored = await entries.store({
        ...input,
        origin,
        ...(sessionKey !== undefined && { sessionKey }),
        ...(signal && { signal }),
      });
      return shorten(showHiddenIn(stored), maxInjectedChars >> 3);
    },
    maxFailureChars: maxInjectedChars,
    renderOutput: (stored) => renderStored(stored, isTrusted()),
  });
}

function renderStored(
  { id, startLine, duplicate, category, text, similar, supersedes, degraded }: StoreResult,
  isTrusted: boolean,
): string {
  const quotes: Quote[] = [
    ...(duplicate ? [{ label: `Stored already, line ${startLine}`, facts: { id }, text }] : []),
    ...(supersedes && !duplicate
      ? [
          {
            label: "Possibly superseded by it. If it does not hold any more, call memory_forget with its id",
            facts: { id: supersedes.id },
            text: supersedes.text,
          },
        ]
      : []),
    ...(similar && !duplicate && similar.id !== supersedes?.id
      ? [
          {
            label: "Much alike. If it does not hold any more, call memory_forget with its id",
            facts: { id: similar.id },
            text: similar.text,
          },
        ]
      : []),
    ...(degraded.length === 0 ? [] : [{ label: "Not compared as usual", text: degraded.join("\n") }]),
  ];
  return [
    ...(duplicate ? [] : [`Stored as ${id} (${category}, line ${startLine} of memory/entries.md).`]),
    ...(quotes.length === 0 ? [] : [quoteNotes(quotes, { isTrusted })]),
  ].join("\n\n");
}

/** The agent knows what it stored: long texts are shown by their beginning. */
function shorten(stored: StoreResult, maxChars: number): StoreResult {
  const cut = (text: string) =>
    text.length <= maxChars ? text : `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")} …`;
  const { similar, supersedes } = stored;
  return {
    ...stored,
    text: cut(stored.text),
    ...(supersedes && { supersedes: { ...supersedes, text: cut(supersedes.text) } }),
    ...(similar && { similar: { ...similar, text: cut(similar.text) } }),
  };
}
