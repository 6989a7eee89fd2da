import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { sha256 } from "../text/hash.ts";

/** What the guard looks at. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

export interface GuardOptions {
  readonly token: string;
  /** `127.0.0.1:4756`, `localhost:4756`: names under which this server may be called. */
  readonly hosts: readonly string[];
}

export interface Refusal {
  readonly status: 401 | 403 | 415;
  readonly message: string;
}

/**
 * Stands before every route of every server that we open; null lets the request in.
 *
 * A web page anywhere can send requests to a port on this machine. Its browser then tells another Origin or Sec-Fetch-Site;
 * a name that was re-bound to 127.0.0.1 tells another Host; and none of them knows the token, which is readable by its
 * owner alone. Each check would do in most cases; together they leave no gap between browsers of different age.
 */
export function guardRequest(
  { method, headers }: GuardedRequest,
  { token, hosts }: GuardOptions,
): Refusal | null {
  if (!hosts.includes(headers.host?.toLowerCase() ?? "")) {
    return { status: 403, message: "This server answers only under its own address." };
  }
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin.toLowerCase() === `http://${host}`)) {
    return { status: 403, message: "Pages of other origins may not call this server." };
  }
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    return { status: 403, message: "Pages of other sites may not call this server." };
  }
  if (!isToken(headers.authorization, token)) {
    return {
      status: 401,
      message:
        "A token is needed: send `Authorization: Bearer …` with the text of the file http-token in the state folder.",
    };
  }
  const carriesBody = method !== "GET" && method !== "HEAD" && method !== "DELETE" && method !== "OPTIONS";
  if (carriesBody && mediaType(headers["content-type"]) !== "application/json") {
    return { status: 415, message: "The body must be JSON: send `Content-Type: application/json`." };
  }
  return null;
}

/** Over hashes, so that neither the length nor the first difference shows in the time it takes. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer ([^\s]+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}

function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(";")[0]?.trim().toLowerCase();
}
