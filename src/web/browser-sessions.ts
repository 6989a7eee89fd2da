import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSameSecret } from "../http/guard.ts";

/** Access to the page: a link is valid for one browser, which gets a cookie in exchange. Nothing is stored on disk. */
interface BrowserSessions {
  /** A new one-time secret for a link. */
  createLink(): string;
  /** Exchanges a valid secret for a `Set-Cookie` header and invalidates it; null for an invalid one. */
  redeem(secret: string): string | null;
  /** Whether a request carries the cookie of an admitted browser. */
  has(headers: IncomingHttpHeaders): boolean;
}

/** More links and browsers than anyone needs; beyond that, the oldest are dropped. */
const maxKept = 64;

/** Browsers scope cookies by host, not by port, so the name distinguishes servers on one machine. */
export function createBrowserSessions({ port }: { port: () => number }): BrowserSessions {
  const links = new Set<string>();
  const sessions = new Set<string>();
  const nameOf = (): string => `longhand_${port()}`;

  return {
    createLink: () => keep(links, randomSecret()),
    redeem(secret) {
      const link = [...links].find((each) => isSameSecret(secret, each));
      if (link === undefined) return null;
      links.delete(link);
      return `${nameOf()}=${keep(sessions, randomSecret())}; Path=/; HttpOnly; SameSite=Strict`;
    },
    has({ cookie = "" }) {
      const given = cookie
        .split(";")
        .map((part) => part.trim().split("="))
        .flatMap(([name, value = ""]) => (name === nameOf() ? [value] : []));
      // Every cookie is compared, so that timing reveals nothing.
      return given.some((value) => [...sessions].filter((each) => isSameSecret(value, each)).length > 0);
    },
  };
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

function keep(secrets: Set<string>, secret: string): string {
  secrets.add(secret);
  const [oldest] = secrets;
  if (secrets.size > maxKept && oldest !== undefined) secrets.delete(oldest);
  return secret;
}
