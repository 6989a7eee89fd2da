import type { Memory } from "../memory/memory.ts";
import type { AddResult } from "../memory/note-requests.ts";
import { compact } from "../text/compact.ts";
import { isUserPath } from "../text/layer-path.ts";
import { linesOf } from "../text/lines-of.ts";
import { isSharedSession } from "../text/session-key.ts";
import { showOnOneLine } from "../text/visible.ts";
import { defineTool } from "./define-tool.ts";
import { annotations, inputOf, type MemoryTool, outputOf } from "./tool.ts";

interface AddToolOptions {
  readonly origin: string;
  readonly sessionKey: string | undefined;
  /** If given, the tool writes with it, to today's note, and offers nothing else. */
  readonly addToToday?: Memory["add"] | undefined;
}

export function createAddTool(
  memory: Memory,
  { origin, sessionKey, addToToday }: AddToolOptions,
): MemoryTool<AddResult> {
  const todayOnly = addToToday !== undefined;
  const add: Memory["add"] = addToToday ?? ((...entry) => memory.add(...entry));
  // In sessions that others can read, the long-term note is neither shown nor written to, so it is not offered either.
  const isShared = isSharedSession(sessionKey);
  const hasUserLayer = memory.userDir !== null && !isShared && !todayOnly;
  return defineTool({
    name: "memory_add",
    title: "Write to memory",
    description:
      "Write down what later conversations need: decisions and reasons, preferences, names, dates, identifiers, open " +
      "tasks. Use whole sentences that make sense on their own, with absolute dates. " +
      `${todayOnly ? "Appends to today's note. " : ""}Never write passwords or keys.`,
    inputSchema: inputOf(
      {
        text: { type: "string", minLength: 1, description: "What to remember, in Markdown." },
        ...(todayOnly
          ? {}
          : {
              to: {
                type: "string",
                description: `daily (default: today's note), ${isShared ? "" : "long-term (MEMORY.md: what stays true), "}or e.g. memory/projects.md.`,
              },
            }),
        ...(hasUserLayer && {
          scope: {
            type: "string",
            enum: ["project", "user"] as const,
            description: "user: for all projects.",
          },
        }),
      },
      ["text"],
    ),
    outputSchema: addOutputSchema,
    annotations: annotations.adds,
    run: async ({ text, to, scope }, { signal }) =>
      await add(text, { origin, scope, to, sessionKey, signal }),
    maxFailureChars: memory.limits.maxInjectedChars,
    renderOutput: ({ path, startLine, endLine, duplicate, nearDuplicate, supersedes, indexed }) => {
      const where = `${showOnOneLine(path, 400)}, ${linesOf({ startLine, endLine })}`;
      if (nearDuplicate)
        return `Already in memory in other words: ${where}. Nothing was written. If yours differs, say how.`;
      if (duplicate) return `Already in memory: ${where}. Nothing was written.`;
      return compact([
        `Written to ${where}.`,
        supersedes &&
          `${showOnOneLine(supersedes.path, 400)}, line ${supersedes.line} says something else and may be out of date.`,
        memory.workspace.isDefault && !isShared && !isUserPath(path) && describeDefault(memory.workspace.dir),
        !indexed && "The search index follows later.",
      ]).join(" ");
    },
  });
}

/** A caller that expects the text in the project has to learn that it is elsewhere. */
function describeDefault(dir: string): string {
  return `It is in the default memory, ${showOnOneLine(dir, 400)}, because no folder here has one (longhand init makes one).`;
}

export const addOutputSchema = outputOf({
  path: { type: "string" },
  startLine: { type: "integer" },
  endLine: { type: "integer" },
  duplicate: { type: "boolean", description: "It was there already." },
  nearDuplicate: { type: "boolean", description: "In other words." },
  supersedes: { type: "object", description: "An older line that says otherwise: path, line." },
  indexed: { type: "boolean", description: "It can be searched already." },
  indexProblem: { type: "string", description: "Why it cannot be searched yet." },
});
