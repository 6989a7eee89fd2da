import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { sha256 } from "../text/hash.ts";
import type { RefusalCode } from "./refusals.ts";

/** The parts of a request that the guard checks. */
interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

interface GuardOptions {
  readonly token: string;
  /** Host names that this server may be called by, such as `127.0.0.1:4756` or `localhost:4756`. */
  readonly hosts: readonly string[];
  /** Whether the request carries the cookie of an admitted browser. */
  readonly hasSession?: (headers: IncomingHttpHeaders) => boolean;
}

/**
 * Runs before every route of every server; null admits the request.
 *
 * Any web page can send requests to a port on this machine. Its browser then sends a foreign Origin or Sec-Fetch-Site;
 * with DNS rebinding to 127.0.0.1 it sends a foreign Host; and no page knows the token, which only its owner can read.
 * Each check would suffice in most cases; together they leave no gap between browsers of different age.
 *
 * A browser sends cookies automatically, so a cookie proves less than a token: a request that changes something must
 * also prove that it comes from our own page, with headers that every browser sends except with GET and HEAD.
 */
export function guardRequest(
  { method, headers }: GuardedRequest,
  { token, hosts, hasSession }: GuardOptions,
): RefusalCode | null {
  const { origin, host = "" } = headers;
  if (!hosts.includes(host.toLowerCase())) return "wrong-address";
  if (origin !== undefined && !hosts.some((name) => origin.toLowerCase() === `http://${name}`)) {
    return "other-origin";
  }
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return "other-site";
  if (!isToken(headers.authorization, token)) {
    // A wrong token is refused, whatever other credentials there are.
    if (headers.authorization !== undefined || !hasSession?.(headers)) return "unauthorized";
    const isOwn = site === "same-origin" || origin?.toLowerCase() === `http://${host.toLowerCase()}`;
    if (!isReading(method) && !isOwn) return "origin-unknown";
  }
  const carriesBody = !isReading(method) && method !== "DELETE" && method !== "OPTIONS";
  return carriesBody && mediaType(headers["content-type"]) !== "application/json" ? "not-json" : null;
}

/** Compares hashes, so that the time reveals neither the length nor the first difference. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(secret)));
}

function isToken(authorization: string | undefined, token: string): boolean {
  return isSameSecret(/^Bearer ([^\s]+)$/i.exec(authorization ?? "")?.[1] ?? "", token);
}

function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(";")[0]?.trim().toLowerCase();
}
