import { createHash } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface ModelServer {
  readonly url: string;
  /** Every request, as `HEAD /a.gguf` or `GET /a.gguf bytes=10-`. */
  readonly requests: string[];
  /** Its behaviour from now on. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export interface Behaviour {
  /** Cuts the connection after this many bytes of each answer. */
  readonly cutAfterBytes?: number;
  readonly ignoresRanges?: boolean;
  readonly redirectTo?: string;
  /** Like the hub: describes the content in a redirect to another path. */
  readonly isHub?: boolean;
  readonly hash?: string;
  readonly announcedBytes?: number;
  /** Sends this many bytes in total, whatever the hub says: truncated, or padded with zeros. */
  readonly sentBytes?: number;
  readonly etag?: string | null;
  /** The response to HEAD, as if the file changed right after it. */
  readonly etagBefore?: string;
  readonly status?: number;
  readonly content?: Uint8Array;
  /** Accepts the request and stays silent. */
  readonly isSilent?: boolean;
  readonly refusesHead?: boolean;
  /** Sends the body in chunks without its length. */
  readonly isChunked?: boolean;
}

/** A server on loopback that has one file at every path, with all faults that a download can meet. */
export async function openModelServer(t: TestContext, content: Uint8Array): Promise<ModelServer> {
  let behaviour: Behaviour = {};
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const { range } = request.headers;
    requests.push([request.method, request.url, range].filter(Boolean).join(" "));
    respond(request, response, { content, ...behaviour });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.after(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave(next) {
      behaviour = next;
    },
    close,
  };
}

function respond(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  behaviour: Behaviour & { content: Uint8Array },
): void {
  const { content, status, isSilent, redirectTo, isHub } = behaviour;
  const { etag = '"one"', etagBefore } = behaviour;
  if (isSilent) return;
  if (status !== undefined) return void response.writeHead(status).end("<html>An error page</html>");
  if (request.method === "HEAD" && behaviour.refusesHead) return void response.writeHead(405).end();
  if (redirectTo !== undefined) return void response.writeHead(302, { location: redirectTo }).end();
  if (isHub && !request.url!.startsWith("/content")) {
    const hash = behaviour.hash ?? createHash("sha256").update(content).digest("hex");
    const linked = { "x-linked-etag": `"${hash}"`, "x-linked-size": content.length };
    return void response.writeHead(302, { location: `/content${request.url}`, ...linked }).end();
  }
  const [, from] = (!behaviour.ignoresRanges && /^bytes=(\d+)-$/.exec(request.headers.range ?? "")) || [];
  const isSame = !("if-range" in request.headers) || request.headers["if-range"] === etag;
  const start = from !== undefined && isSame ? Number(from) : 0;
  const sent = new Uint8Array(behaviour.sentBytes ?? content.length);
  sent.set(content.subarray(0, sent.length));
  const body = sent.subarray(start);
  const announced = behaviour.announcedBytes ?? body.length;
  response.writeHead(start > 0 ? 206 : 200, {
    ...(behaviour.isChunked ? {} : { "content-length": announced }),
    ...(etag === null ? {} : { etag: request.method === "HEAD" ? (etagBefore ?? etag) : etag }),
    ...(start > 0 ? { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` } : {}),
  });
  if (request.method === "HEAD") return void response.end();
  const { cutAfterBytes } = behaviour;
  if (cutAfterBytes === undefined) return void response.end(body);
  // Cut only after everything was flushed, so that a test can rely on how much arrived.
  response.write(body.subarray(0, cutAfterBytes), () => setImmediate(() => response.destroy()));
}
