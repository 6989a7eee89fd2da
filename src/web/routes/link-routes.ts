import { type ApiRoute, defineRoute, inputOf } from "../api-route.ts";
import { noteLinksSchema, tagsSchema, usageSchema } from "../output-schemas.ts";

export const linkRoutes: readonly ApiRoute[] = [
  defineRoute<{ readonly path: string }>({
    method: "GET",
    path: "/api/links",
    summary: "Show where a note leads, and which notes lead to it",
    details:
      "Links are wikilinks and Markdown links to notes. A note that does not exist can have backlinks.",
    input: inputOf({ path: { type: "string", minLength: 1, description: "The note's path." } }, ["path"]),
    output: {
      schema: noteLinksSchema,
      description: "As `longhand links --json` prints it.",
    },
    run: ({ memory }, { path }, { signal }) => memory.links(path, { signal }),
  }),
  defineRoute({
    method: "GET",
    path: "/api/tags",
    summary: "List the tags",
    input: inputOf({}),
    output: { schema: tagsSchema, description: "`{tags: [{tag, notes}]}` in alphabetical order." },
    isTagged: true,
    run: async ({ memory }, _input, { signal }) => ({ tags: await memory.tags({ signal }) }),
  }),
  defineRoute<{ readonly path?: string }>({
    method: "GET",
    path: "/api/usage",
    summary: "Show which lines of notes are recalled, and which never were",
    input: inputOf({ path: { type: "string", description: "Only this note." } }),
    output: { schema: usageSchema, description: "As `longhand usage --json` prints it." },
    run: ({ memory }, input, { signal }) => memory.usage({ ...input, signal }),
  }),
];
