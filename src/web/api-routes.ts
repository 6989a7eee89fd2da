import { errorCodes } from "../errors.ts";
import { refusals } from "../http/refusals.ts";
import { inputOf } from "../tools/tool.ts";
import { type ApiRoute, defineRoute, errorStatus } from "./api-route.ts";
import { consolidationRoutes } from "./routes/consolidation-routes.ts";
import { forgetRoute } from "./routes/forget-route.ts";
import { linkRoutes, noteRoutes } from "./routes/note-routes.ts";
import { searchRoutes } from "./routes/search-routes.ts";
import { sessionRoutes, stateRoutes } from "./routes/state-routes.ts";

const openApiRoute: ApiRoute<"GET", "/api/openapi.json"> = defineRoute({
  method: "GET",
  path: "/api/openapi.json",
  summary: "This API, described for programs",
  input: inputOf({}),
  output: {
    schema: { type: "object" },
    description: "An OpenAPI 3.1 document.",
  },
  run: async ({ version }) => describeApi(apiRoutes, { version }),
});

/** Every route below /api. */
export const apiRoutes = [
  ...searchRoutes,
  ...noteRoutes,
  ...linkRoutes,
  forgetRoute,
  ...consolidationRoutes,
  ...sessionRoutes,
  ...stateRoutes,
  openApiRoute,
];

const errorSchema = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string", enum: [...Object.keys(errorCodes), ...Object.keys(refusals)] },
        message: { type: "string", description: "What could not be done, to what, and why." },
        hint: { type: "string", description: "The next step." },
        retryable: { type: "boolean", description: "The same request may succeed later." },
      },
      required: ["code", "message", "hint", "retryable"],
    },
  },
  required: ["error"],
} as const;

/** The OpenAPI document of the routes. */
export function describeApi(routes: readonly ApiRoute[], { version }: { version: string }): object {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const paths = [...byPath].map(([path, own]) => [
    path,
    Object.fromEntries(own.map((route) => [route.method.toLowerCase(), describeRoute(route)])),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "longhand",
      version,
      description:
        "Search, read and maintain the memory of one agent. Served by `longhand serve` on this machine.",
    },
    security: [{ token: [] }, { page: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description:
            "The text of the file http-token in the state folder; a named agent has its own below http-tokens.",
        },
        page: {
          type: "apiKey",
          in: "cookie",
          name: "longhand_PORT",
          description:
            "Set when a browser opens the link that `longhand serve` prints. Changes require the server's own Origin.",
        },
      },
      schemas: { Error: errorSchema },
    },
  };
}

function describeRoute(route: ApiRoute): object {
  const { method, path, summary, details, input, output, changesNotes } = route;
  const { description, schema, contentType = "application/json" } = output;
  return {
    operationId: nameOf(route),
    summary,
    description: details,
    ...(method === "GET"
      ? { parameters: parametersOf(route) }
      : { requestBody: { required: true, content: { "application/json": { schema: input } } } }),
    responses: {
      200: { description, content: { [contentType]: { schema } } },
      ...(route.isTagged ? { 304: { description: "Unchanged since the `ETag` in `If-None-Match`." } } : {}),
      ...(changesNotes && path === "/api/notes/source"
        ? { [errorStatus["note-changed"]]: describeConflict() }
        : {}),
      default: {
        description: "A failure; the code identifies it.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function describeConflict(): object {
  const { error } = errorSchema.properties;
  const present = { type: ["object", "null"], description: "The current version of the note." };
  const schema = { type: "object", properties: { error, present }, required: ["error", "present"] };
  return {
    description: "The note has changed since it was read.",
    content: { "application/json": { schema } },
  };
}

function parametersOf({ input }: ApiRoute): object[] {
  return Object.entries(input.properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: input.required.includes(name),
    description,
    schema,
  }));
}

/** The operation id, such as `getNotesSource` for GET /api/notes/source. */
function nameOf({ method, path }: ApiRoute): string {
  const words = path.replace("/api/", "").split(/\W+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
