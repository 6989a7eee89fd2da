import type { IncomingMessage } from "node:http";
import { adviceOf } from "../errors.ts";
import { type Listening, listen, type Route } from "../http/listen.ts";
import { plainStylePath, renderPlainPage, sendPlainStyle } from "../http/plain-page.ts";
import { openToken } from "../http/token.ts";
import { type FollowNotesOptions, followNotes } from "../mcp/follow-notes.ts";
import { acceptsMcpMethod, createMcpEndpoint } from "../mcp/http-endpoint.ts";
import type { Memory } from "../memory/memory.ts";
import { isEventful } from "../sync/sync.ts";
import type { WatchEvent } from "../sync/watch.ts";
import { createApi } from "./api.ts";
import type { ApiContext } from "./api-route.ts";
import { apiRoutes } from "./api-routes.ts";
import { createBrowserSessions } from "./browser-sessions.ts";
import { createEventHub } from "./event-hub.ts";
import { createPageRoute, pageFolder } from "./page-files.ts";

export interface WebServerOptions extends Omit<ApiContext, "events" | "closing"> {
  readonly port: number;
  readonly host: string;
  readonly tokenPath: string;
  readonly now: () => Date;
  /** How often a consolidation plan is made for review; 0 means never. */
  readonly planEveryMs?: number;
  /** Called with the number of steps that await review. */
  readonly onPlan?: (steps: number) => void;
  /** Whether agents may write through /mcp. */
  readonly allowsAgentWrites: boolean;
  readonly onProblem: (problem: string) => void;
  /** Called with the progress and the results of background syncs. */
  readonly onWatch?: FollowNotesOptions["onEvent"];
  readonly progress?: FollowNotesOptions["progress"];
  /** The folder of the built page; the packaged one by default. */
  readonly pageDir?: string;
}

export interface WebServer extends AsyncDisposable {
  readonly url: string;
  /** A link that admits one browser, once. */
  createLink(): string;
}

/** The page, the API and MCP for one memory, behind one guard. */
export async function serveWeb(options: WebServerOptions): Promise<WebServer> {
  const { port, host, tokenPath, allowsAgentWrites, onProblem, pageDir = pageFolder(), ...shared } = options;
  const { memory, version, isReadOnly, now } = shared;
  const token = openToken(tokenPath);
  const closing = new AbortController();
  const events = createEventHub({ hello: { agentId: memory.agentId, version, isReadOnly } });
  const mcpListeners = new Set<FollowNotesOptions["onChanged"]>();
  const mcp = createMcpEndpoint({
    memory,
    version,
    now,
    onProblem,
    ...(allowsAgentWrites && !isReadOnly ? {} : { access: "read" }),
    // One watcher serves both.
    follow({ onChanged }) {
      mcpListeners.add(onChanged);
      return { [Symbol.asyncDispose]: async () => void mcpListeners.delete(onChanged) };
    },
  });
  const api = createApi({ ...shared, events, closing: closing.signal }, { onProblem });
  const page = createPageRoute(pageDir);
  let listening: Listening | undefined;
  const sessions = createBrowserSessions({ port: () => listening?.port ?? 0 });

  /**
   * Exchanges the secret of a link for a cookie. The response reveals nothing about the memory, so it needs no cookie.
   */
  const enter: Route = async ({ headers }, response, url) => {
    const cookie = sessions.redeem(url.searchParams.get("once") ?? "");
    response.setHeader("cache-control", "no-store");
    // A browser that already has its cookie may open the link again, from its history or by prefetching.
    if (cookie === null && !sessions.has(headers)) {
      response.writeHead(403, { "content-type": "text/html; charset=utf-8" });
      response.end(renderPlainPage({ title: "This link was already used", paragraphs: usedLink }));
      return;
    }
    // The redirect drops the secret from the address: it stays in no history, and the page never sees it.
    response.writeHead(303, { location: "/", ...(cookie === null ? {} : { "set-cookie": cookie }) });
    response.end();
  };
  const isLink = ({ method }: IncomingMessage, url: URL): boolean =>
    method === "GET" && url.pathname === "/" && url.searchParams.has("once");

  const routeOf = (path: string): Route | null => {
    if (isMcp(path)) return path === "/mcp" ? mcp.route : null;
    if (path === "/api" || path.startsWith("/api/")) return api;
    return async (request, response, url) => {
      const isStyle = path === plainStylePath && request.method === "GET";
      await (isStyle ? sendPlainStyle : isLink(request, url) ? enter : page)(request, response, url);
    };
  };
  listening = await listen({
    port,
    host,
    tokenOf: () => token,
    routeOf,
    accepts: (method, path) => {
      if (isMcp(path)) return path === "/mcp" && acceptsMcpMethod(method);
      // The API decodes paths, so any of its routes may be meant by an encoded one.
      return path.includes("%") || apiRoutes.some((route) => route.path === path && route.method === method);
    },
    // Agents use the token; the page must not.
    hasSession: (headers, path) => !isMcp(path) && sessions.has(headers),
    welcome(request, url) {
      if (isLink(request, url)) return enter;
      if (request.method === "GET" && url.pathname === plainStylePath) return sendPlainStyle;
      return isPerson(request) ? showSignInPage : null;
    },
    onProblem,
  }).catch(async (error: unknown) => {
    await events[Symbol.asyncDispose]();
    await mcp[Symbol.asyncDispose]();
    throw error;
  });

  const following = followNotes(memory, {
    sessionKey: undefined,
    onProblem(message) {
      onProblem(message);
      events.publish({ kind: "warning", data: { message } });
    },
    onChanged(paths, isListChanged) {
      events.publish({ kind: "changed", data: { paths, isListChanged } });
      for (const notifyMcp of mcpListeners) notifyMcp(paths, isListChanged);
    },
    onEvent(event) {
      options.onWatch?.(event);
      publishWatch(event);
    },
    progress(data) {
      options.progress?.(data);
      events.publish({ kind: "progress", data });
    },
  });

  const plans = schedulePlans(memory, {
    everyMs: options.planEveryMs ?? 0,
    onPlan(steps) {
      events.publish({ kind: "plan", data: { steps } });
      options.onPlan?.(steps);
    },
    onProblem: (error) => onProblem(adviceOf(error)),
  });

  function publishWatch(event: WatchEvent): void {
    if (event.kind === "mode") events.publish({ kind: "watch", data: { mode: event.mode } });
    if (event.kind === "synced" && isEventful(event.report)) {
      events.publish({ kind: "synced", data: event.report });
    }
  }

  const { url } = listening;
  // A wildcard address can be bound, but clients cannot connect to it everywhere.
  const openUrl = url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, "http://127.0.0.1");
  return {
    url,
    createLink: () => `${openUrl}/?once=${sessions.createLink()}`,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await plans[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
      await mcp[Symbol.asyncDispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}

const newLink =
  "For a new link, press Enter in the terminal where `longhand serve` is running, or start it again.";
const usedLink = ["A sign-in link works once, in one browser, so that no one can use it after you.", newLink];

const showSignInPage: Route = async (_request, response) => {
  response.writeHead(401, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  const paragraphs = [
    "Open the sign-in link printed by `longhand serve`. It works once and is yours alone.",
    newLink,
  ];
  response.end(renderPlainPage({ title: "Sign in to this memory", paragraphs }));
};

function isMcp(path: string): boolean {
  return path === "/mcp" || path.startsWith("/mcp/");
}

function isPerson({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && (headers.accept?.includes("text/html") ?? false);
}

interface PlanScheduleOptions {
  /** 0 means never. */
  readonly everyMs: number;
  /** Called after each plan, with the number of steps that await review. */
  readonly onPlan: (steps: number) => void;
  readonly onProblem: (error: unknown) => void;
}

/** Makes a plan periodically, and does nothing else: applying one needs a person. */
export function schedulePlans(
  { consolidation }: Pick<Memory, "consolidation">,
  { everyMs, onPlan, onProblem }: PlanScheduleOptions,
): AsyncDisposable {
  const closing = new AbortController();
  let running = Promise.resolve();
  const makePlan = async (): Promise<void> => {
    try {
      onPlan((await consolidation.plan({ signal: closing.signal })).steps.length);
    } catch (error) {
      if (!closing.signal.aborted) onProblem(error);
    }
  };
  const timer = everyMs > 0 ? setInterval(() => (running = running.then(makePlan)), everyMs) : undefined;
  timer?.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}
