import { randomUUID } from "node:crypto";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Route } from "../http/listen.ts";
import { answerUnread, readBody } from "../http/request-body.ts";
import { type FollowNotesOptions, followNotes } from "./follow-notes.ts";
import { createMemoryServer, type MemoryServerOptions } from "./memory-server.ts";
import { withPlainError } from "./plain-error.ts";
import { createSubscriptions, type Subscriptions, uriOfNote } from "./subscriptions.ts";

export interface McpEndpointOptions extends Omit<MemoryServerOptions, "subscriptions"> {
  /** Reports changed notes, if another part of the same process already watches them. */
  readonly follow?: (options: FollowNotesOptions) => AsyncDisposable;
}

export interface McpEndpoint extends AsyncDisposable {
  readonly route: Route;
}

/** The largest argument of a call is an entry of 64 KiB, escaped. */
const maxRequestBodySize = 1024 * 1024;
/** More sessions than the clients of any machine open; beyond that, the least recently used is closed. */
const maxSessions = 256;

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly subscriptions: Subscriptions;
}

/**
 * One memory over streamable HTTP. Clients of the newer protocol send everything with each request and get a server
 * object per request; those of the older one open a session with a server object of its own, so that no response can
 * reach another client.
 */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  /** Ordered by last use. */
  const sessions = new Map<string, Session>();
  const onerror = (error: Error): void => options.onProblem(error.message);
  const modern = createMcpHandler(() => createMemoryServer(options), {
    legacy: "reject",
    maxRequestBodySize,
    onerror,
  });
  const { follow = (wanted) => followNotes(options.memory, wanted) } = options;
  const following = follow({
    sessionKey: options.sessionKey,
    onProblem: options.onProblem,
    onChanged(paths, isListChanged) {
      for (const path of paths) {
        modern.notify.resourceUpdated(uriOfNote(path));
        for (const { server, subscriptions } of sessions.values()) {
          const uri = subscriptions.addressOf(path);
          if (uri !== null) server.sendResourceUpdated({ uri }).catch(onerror);
        }
      }
      if (!isListChanged) return;
      modern.notify.resourcesChanged();
      for (const { server } of sessions.values()) server.sendResourceListChanged().catch(onerror);
    },
  });

  async function answerOlder(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : sessions.get(id);
    if (known && id !== null) {
      sessions.delete(id);
      sessions.set(id, known);
      return await known.transport.handleRequest(request);
    }
    if (id !== null) return refuse(404, "This session has ended. Open a new one with initialize.");
    if (request.method !== "POST") return refuse(400, "A session is opened with initialize.");
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => null);
    const messages = Array.isArray(body) ? body : [body];
    const { transport } = await openSession(messages.some(isInitializeRequest));
    return await transport.handleRequest(request, { parsedBody: body });
  }

  /** Without a session (a single call of an old client) the server object serves one request. */
  async function openSession(isKept: boolean): Promise<Session> {
    const subscriptions = createSubscriptions();
    const server = createMemoryServer({ ...options, subscriptions });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: isKept ? randomUUID : undefined,
      maxRequestBodySize,
      onsessioninitialized: (id) => void keep(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const send = transport.send.bind(transport);
    transport.send = (message, given) => send(withPlainError(message), given);
    const session = { server, transport, subscriptions };
    await server.connect(transport);
    return session;
  }

  function keep(id: string, session: Session): void {
    sessions.set(id, session);
    const [oldest] = sessions;
    if (sessions.size <= maxSessions || !oldest) return;
    sessions.delete(oldest[0]);
    oldest[1].server.close().catch(onerror);
  }

  const handle = toNodeHandler(
    {
      fetch: async (request, given) =>
        (await isLegacyRequest(request)) ? await answerOlder(request) : await modern.fetch(request, given),
    },
    { maxRequestBodySize, onerror },
  );
  return {
    async route(request, response) {
      if (!acceptsMcpMethod(request.method ?? "")) {
        const headers = { allow: methods.join(", "), "content-type": "application/json" };
        return await answerUnread(request, response, { status: 405, headers, text: refusalOf(notAllowed) });
      }
      // The SDK would refuse a large body, too, but close the connection while the client is sending.
      const body = await readBody(request, maxRequestBodySize);
      if (body === "too-large") {
        response.writeHead(413, { "content-type": "application/json" });
        response.end(refusalOf(tooLarge));
        return;
      }
      const { method, url, headers } = request;
      const read = {
        // Its types claim that these can be undefined, which never happens on a server.
        method: method!,
        url: url!,
        headers,
        async *[Symbol.asyncIterator]() {
          yield body;
        },
      };
      await handle(read, response);
    },
    async [Symbol.asyncDispose]() {
      await following[Symbol.asyncDispose]();
      await modern.close();
      const open = [...sessions.values()];
      sessions.clear();
      for (const { server } of open) await server.close();
    },
  };
}

const methods = ["POST", "GET", "DELETE"];

export function acceptsMcpMethod(method: string): boolean {
  return methods.includes(method);
}

const notAllowed = "Send MCP messages with POST; GET listens and DELETE ends a session.";
const tooLarge = `A message may have ${maxRequestBodySize} bytes at most.`;

function refuse(status: number, message: string): Response {
  return new Response(refusalOf(message), { status, headers: { "content-type": "application/json" } });
}

/** The JSON of a refusal outside of a session. */
export function refusalOf(message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
}
