import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { LonghandError, messageOf, systemErrorCode } from "../errors.ts";
import { guardRequest } from "./guard.ts";
import { renderPlainPage } from "./plain-page.ts";
import { type RefusalCode, refusalBody, refusals } from "./refusals.ts";
import { answerUnread } from "./request-body.ts";

/** Handles a request that passed the guard. */
export type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

interface ListenOptions {
  /** 0 picks any free port. */
  readonly port: number;
  readonly host: string;
  /** The token that gives access to a path. */
  readonly tokenOf: (path: string) => string;
  /** The route for a path, or null. Called only for requests that passed the guard. */
  readonly routeOf: (path: string) => Route | null;
  /** Whether the cookie of a request gives access to this path. By default, only the token does. */
  readonly hasSession?: (headers: IncomingHttpHeaders, path: string) => boolean;
  /** Responds to a request for our own host that has neither token nor cookie; null refuses it. */
  readonly welcome?: (request: IncomingMessage, url: URL) => Route | null;
  /** False for a method that the route of a path refuses: then the type of a body is beside the point. */
  readonly accepts?: (method: string, path: string) => boolean;
  readonly onProblem: (problem: string) => void;
}

export interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** Timeouts for the headers and for the whole request of a slow client. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 60_000;

/** Starts a server that answers nothing before the guard has admitted the request. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { tokenOf, routeOf, hasSession, welcome, onProblem, accepts = () => true } = options;
  // As written in a URL, or as a socket expects it.
  const host = options.host.trim().replace(/^\[(.*)\]$/, "$1");
  if (host === "") throw refuseAddress(options, new Error("it is empty"));
  let hosts: readonly string[] = [];
  const create = () =>
    createServer(
      { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs },
      (request, response) => {
        answer(request, response).catch((error: unknown) => {
          onProblem(`${request.method} failed: ${messageOf(error)}`);
          if (response.headersSent) response.destroy();
          else void refuse(request, response, "failed");
        });
      },
    );
  const server = create();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    const { method = "GET", headers } = request;
    // A request target in absolute form (`GET http://…`) asks a proxy for something elsewhere.
    const url = request.url?.startsWith("/") ? URL.parse(request.url, `http://${hosts[0]}`) : null;
    const refusal = guardRequest(
      { method, headers },
      {
        token: tokenOf(url?.pathname ?? "/"),
        hosts,
        ...(hasSession && url && { hasSession: (given) => hasSession(given, url.pathname) }),
      },
    );
    const isBesidePoint = refusal === "not-json" && url !== null && !accepts(method, url.pathname);
    if (refusal && !isBesidePoint) {
      const welcoming = refusal === "unauthorized" && url ? welcome?.(request, url) : null;
      return welcoming && url
        ? await welcoming(request, response, url)
        : await refuse(request, response, refusal);
    }
    const route = url && routeOf(url.pathname);
    if (!route) return await refuse(request, response, "not-found");
    await route(request, response, url);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(refuseAddress(options, error)));
    server.listen({ port: options.port, host, exclusive: true }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const named = host.includes(":") ? `[${host}]` : host;
  hosts = addressesOf(host, port);
  const twin = host === "127.0.0.1" ? await listenOnTwin(create(), port, onProblem) : null;
  return {
    port,
    url: `http://${named}:${port}`,
    async [Symbol.asyncDispose]() {
      for (const each of twin ? [server, twin] : [server]) {
        each.close();
        each.closeAllConnections();
      }
    },
  };
}

/**
 * `localhost` may also resolve to `::1`, where another user of the machine could listen and impersonate us. Null if
 * there is no IPv6, or the port is in use.
 */
async function listenOnTwin(
  server: Server,
  port: number,
  onProblem: ListenOptions["onProblem"],
): Promise<Server | null> {
  const failure = await new Promise<Error | null>((resolve) => {
    server.once("error", resolve);
    server.listen({ port, host: "::1", exclusive: true, ipv6Only: true }, () => resolve(null));
  });
  if (failure === null) return server;
  if (systemErrorCode(failure) === "EADDRINUSE") {
    onProblem(
      `another program listens on [::1], port ${port}: call this server by 127.0.0.1, not by localhost`,
    );
  }
  return null;
}

/** JSON for programs, a page for browsers. */
async function refuse(request: IncomingMessage, response: ServerResponse, code: RefusalCode): Promise<void> {
  const { status, message, hint } = refusals[code];
  const isPerson = request.headers.accept?.includes("text/html") ?? false;
  await answerUnread(request, response, {
    status,
    headers: {
      "content-type": isPerson ? "text/html; charset=utf-8" : "application/json",
      "cache-control": "no-store",
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    },
    text: isPerson ? renderPlainPage({ title: message, paragraphs: [hint] }) : refusalBody(code),
  });
}

function refuseAddress({ host, port }: ListenOptions, error: Error): LonghandError {
  const code = systemErrorCode(error) ?? error.message;
  return new LonghandError(
    "address-unusable",
    `The server could not listen on ${host}, port ${port}: ${code}.`,
    {
      hint:
        code === "EADDRINUSE"
          ? "Choose another port with --port, or 0 for any."
          : "Choose another --host or --port.",
      cause: error,
    },
  );
}

/**
 * The names under which a server may be called, as in `Host`. On all interfaces, these are every address of the machine
 * and its own name: with DNS rebinding, a page still sends its own name.
 */
export function addressesOf(host: string, port: number): string[] {
  const isAll = host === "0.0.0.0" || host === "::";
  const others = isAll
    ? [
        hostname(),
        ...Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
      ]
    : [];
  const names = [host, "127.0.0.1", "localhost", "::1", ...others].map((name) => nameOf(name).toLowerCase());
  // Browsers and libraries omit the default port.
  const ports = port === 80 ? ["", ":80"] : [`:${port}`];
  return [...new Set(names.flatMap((name) => ports.map((end) => name + end)))];
}

function nameOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/**
 * On every response: nothing can be embedded elsewhere, no referrer is sent to others, and scripts, styles, images and
 * connections come only from this server. There are no CORS headers, on purpose.
 */
const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};
