import { type ApiRoute, defineRoute, inputOf } from "../api-route.ts";
import { sessionsSchema, shownSessionSchema } from "../output-schemas.ts";

interface ShowInput {
  readonly id: string;
  readonly from?: number;
  readonly to?: number;
  readonly lines?: number;
}

export const sessionRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: "GET",
    path: "/api/sessions",
    summary: "List transcripts of conversations",
    input: inputOf({}),
    output: {
      schema: sessionsSchema,
      description:
        "`{sessions: [{id, title?, path, file, format, turns, malformed, date?, sizeBytes, scope, isImported, isIndexed}], " +
        "isIndexing}`. `title` is the beginning of the first user message, secrets masked.",
    },
    async run({ memory, isIndexingSessions }) {
      return { sessions: await memory.sessions.list({ titles: true }), isIndexing: isIndexingSessions };
    },
  }),
  defineRoute<ShowInput>({
    method: "GET",
    path: "/api/sessions/show",
    summary: "Read a transcript, secrets masked",
    details: "A line number is that of the original, as hits cite it. Go on with `nextFrom`.",
    input: inputOf(
      {
        id: { type: "string", minLength: 1, description: "An id, a file name, or the path of a hit." },
        from: { type: "integer", minimum: 1, description: "First line of the original (default 1)." },
        to: { type: "integer", minimum: 1, description: "Last line of the original." },
        lines: {
          type: "integer",
          minimum: 1,
          maximum: 10_000,
          description: "At most this many turns (default 40).",
        },
      },
      ["id"],
    ),
    output: {
      schema: shownSessionSchema,
      description:
        "`{id, title?, path, file, format, date?, turns: [{line, text}], nextFrom?}`, one turn a line.",
    },
    run: ({ memory }, { lines, ...request }) =>
      memory.sessions.show({ ...request, ...(lines === undefined ? {} : { maxTurns: lines }) }),
  }),
];
