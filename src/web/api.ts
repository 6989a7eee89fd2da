import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import type { Route } from "../http/listen.ts";
import { type RefusalCode, refusalBody, refusals } from "../http/refusals.ts";
import { readBody } from "../http/request-body.ts";
import { sha256 } from "../text/hash.ts";
import { readInput } from "../tools/define-tool.ts";
import { type ApiContext, type ApiRoute, errorStatus } from "./api-route.ts";
import { apiRoutes } from "./api-routes.ts";

/** A client that reads nothing for this long is disconnected. */
const slowReaderMs = 30_000;

type Bindings = { Bindings: HttpBindings };

/** The API as one route of the server, behind the guard. */
export function createApi(
  context: ApiContext,
  { onProblem, routes = apiRoutes }: { onProblem: (problem: string) => void; routes?: readonly ApiRoute[] },
): Route {
  const app = new Hono<Bindings>();
  for (const route of routes) app.on(route.method, route.path, (c) => answer(route, c));
  app.notFound(({ req }) => {
    const methods = routes.filter(({ path }) => path === req.path).map(({ method }) => method);
    return methods.length === 0 ? refuse("not-found") : refuseMethod(methods);
  });
  app.onError((error) => fail(error));

  async function answer(route: ApiRoute, c: Context<Bindings>): Promise<Response> {
    // A HEAD would do all the work for nothing, and an event stream would never end.
    if (c.req.method === "HEAD") return refuseMethod([route.method]);
    const { signal } = c.req.raw;
    const body = route.method === "GET" ? null : await readBody(c.env.incoming, maxBytes);
    if (body === "too-large") return refuse("too-large");
    const given = body === null ? readQuery(c.req.url, route) : parseBody(body, route);
    const input = readInput(`${route.method} ${route.path}`, given, route.input, "request-invalid");
    if (route.changesNotes && context.isReadOnly && input["preview"] !== true) throw refuseChange(route);
    const result = await route.run(context, input, { signal, response: c.env.outgoing });
    if (route.output.contentType === "text/event-stream") return RESPONSE_ALREADY_SENT;
    c.env.outgoing.setTimeout(slowReaderMs, () => c.env.outgoing.destroy());
    if (result instanceof Response) return result;
    const text = JSON.stringify(result);
    return route.isTagged ? tagged(text, c.req.header("if-none-match")) : json(text, 200);
  }

  function fail(error: unknown): Response {
    if (error instanceof LonghandError) return json(JSON.stringify({ error }), errorStatus[error.code]);
    // The message may contain anything, so it only goes to the log. A client that disconnected is not an error.
    if (systemErrorCode(error) !== "ECONNRESET") onProblem(messageOf(error));
    return refuse("failed");
  }

  const listener = getRequestListener(app.fetch as never, {
    overrideGlobalObjects: false,
    errorHandler: (error) => fail(error),
  });
  return async (request, response) => {
    response.setHeader("cache-control", "no-store");
    await listener(request, response);
  };
}

function json(body: string, status: number): Response {
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

function refuse(code: RefusalCode): Response {
  return json(refusalBody(code), refusals[code].status);
}

function refuseMethod(methods: readonly string[]): Response {
  const response = refuse("method-not-allowed");
  response.headers.set("allow", methods.join(", "));
  return response;
}

function tagged(body: string, known: string | undefined): Response {
  const etag = `"${sha256(body).slice(0, 32)}"`;
  if (known === etag) return new Response(null, { status: 304, headers: { etag } });
  const response = json(body, 200);
  response.headers.set("etag", etag);
  return response;
}

/** An empty parameter counts as absent. A repeated one is ambiguous. */
function readQuery(url: string, route: ApiRoute): Record<string, string> {
  const { searchParams } = new URL(url);
  const twice = [...searchParams.keys()].find((name) => searchParams.getAll(name).length > 1);
  if (twice !== undefined) {
    throw refuseInput(route, `${JSON.stringify(twice.slice(0, 64))} appears more than once`, "Send it once.");
  }
  return Object.fromEntries([...searchParams].filter(([, value]) => value !== ""));
}

function parseBody(body: Buffer, route: ApiRoute): unknown {
  try {
    // Invalid UTF-8 is refused; otherwise a note would be written with replacement characters.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw refuseInput(route, "its body is not valid JSON", "Send a JSON object in UTF-8.");
  }
}

function refuseInput({ method, path }: ApiRoute, why: string, hint: string): LonghandError {
  return new LonghandError("request-invalid", `${method} ${path} was not run: ${why}.`, { hint });
}

function refuseChange({ method, path }: ApiRoute): LonghandError {
  return new LonghandError("read-only", `${method} ${path} was not run: this server only reads.`, {
    hint: "Start `longhand serve` without --read-only to change notes.",
  });
}

const maxBytes = 1024 * 1024;
