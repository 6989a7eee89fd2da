import { type ApiRoute, defineRoute, inputOf } from "./api-route.ts";
import { describeApi } from "./openapi.ts";
import { consolidationRoutes } from "./routes/consolidation-routes.ts";
import { forgetRoute } from "./routes/forget-route.ts";
import { linkRoutes } from "./routes/link-routes.ts";
import { noteRoutes } from "./routes/note-routes.ts";
import { searchRoutes } from "./routes/search-routes.ts";
import { sessionRoutes } from "./routes/session-routes.ts";
import { stateRoutes } from "./routes/state-routes.ts";

const openApiRoute: ApiRoute = defineRoute({
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
export const apiRoutes: readonly ApiRoute[] = [
  ...searchRoutes,
  ...noteRoutes,
  ...linkRoutes,
  forgetRoute,
  ...consolidationRoutes,
  ...sessionRoutes,
  ...stateRoutes,
  openApiRoute,
];
