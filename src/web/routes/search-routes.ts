import { setImmediate as nextTurn } from "node:timers/promises";
import { throwIfAborted } from "../../errors.ts";
import { createMatcher, type Range } from "../../search/query-matches.ts";
import type { SearchAnswer, SearchHit } from "../../search/search.ts";
import { getInputSchema, getOutputSchema } from "../../tools/get-tool.ts";
import { searchInputSchema, searchOutputSchema } from "../../tools/search-tool.ts";
import { type InputOf, inputOf } from "../../tools/tool.ts";
import { type ApiCall, type ApiContext, defineRoute } from "../api-route.ts";

const shared = searchInputSchema(6).properties;

const searchInput = inputOf(
  {
    ...shared,
    maxResults: { ...shared.maxResults, maximum: 200 },
    path: {
      type: "string",
      description: "Only notes whose path matches this glob, such as memory/projects/**.",
    },
    linksTo: { type: "string", description: "Only notes that link to the note at this path." },
    scope: {
      type: "string",
      enum: ["project", "user"],
      description: "Only the project's memory, or only the user's.",
    },
    explain: { type: "boolean", description: "Explain how each score was computed." },
    marks: {
      type: "boolean",
      description:
        "For display: whole snippets, with the offsets of query words in each as `marks: [[start, end]]`.",
    },
    whyNot: { type: "string", description: "PATH:LINE; report the stage at which that line was dropped." },
  },
  ["query"],
);

const { results } = searchOutputSchema.properties;

/** The result of the tool, plus the fields that only this server adds. */
const searchOutput = {
  ...searchOutputSchema,
  properties: {
    ...searchOutputSchema.properties,
    results: {
      ...results,
      items: {
        ...results.items,
        properties: {
          ...results.items.properties,
          explain: { type: "object", description: "How the score was computed; with `explain`." },
          marks: {
            type: "array",
            description: "Start and end offsets of the query words in the snippet; with `marks`.",
            items: { type: "array", items: { type: "integer" } },
          },
        },
      },
    },
    explain: { type: "object", description: "Words, candidates and times; with `explain`." },
    whyNot: { type: "object", description: "Where that line was dropped; with `whyNot`." },
  },
};

/** A person reads hits on a screen, so the size limit for prompts does not apply. */
const maxShownChars = 12_000;

/** With `marks`, each hit also has the offsets of the query's words in its snippet. */
export interface MarkedAnswer extends Omit<SearchAnswer, "results"> {
  readonly results: readonly (SearchHit & { readonly marks?: readonly Range[] })[];
}

const search = {
  input: searchInput,
  output: {
    description: "The hits, best first, and what limited the answer; as `longhand search --json` prints it.",
    schema: searchOutput,
  },
  async run(
    { memory, events }: ApiContext,
    { query, marks, ...options }: InputOf<typeof searchInput>,
    { signal }: Pick<ApiCall, "signal">,
  ): Promise<MarkedAnswer> {
    // While a user types, each search cancels the one before. Yielding lets the cancellation arrive first.
    await nextTurn();
    throwIfAborted(signal);
    const progress = (data: object): void => events.publish({ kind: "progress", data });
    if (!marks) return await memory.search(query, { ...options, signal, progress });
    const answer = await memory.search(query, {
      ...options,
      maxInjectedChars: maxShownChars,
      signal,
      progress,
    });
    const matches = createMatcher(query);
    return { ...answer, results: answer.results.map((hit) => ({ ...hit, marks: matches(hit.snippet) })) };
  },
} as const;

export const searchRoutes = [
  defineRoute({
    method: "GET",
    path: "/api/search",
    summary: "Search the memory",
    details: "When the request is cancelled, the search stops.",
    ...search,
  }),
  defineRoute({
    method: "POST",
    path: "/api/search",
    summary: "Search, with the query in the body",
    details: "A query in the body does not end up in browser history or logs of URLs.",
    ...search,
  }),
  defineRoute({
    method: "GET",
    path: "/api/get",
    summary: "Read lines of a note",
    details:
      "At most 120 lines and 12,000 characters unless `lines` says otherwise; continue with `nextFrom`.",
    input: getInputSchema,
    output: {
      description: "The lines, as `longhand get --json` prints them; no text when there is no such note.",
      schema: getOutputSchema,
    },
    run: ({ memory }, { path, ...lines }, { signal }) => memory.readFile({ relPath: path, ...lines, signal }),
  }),
];
