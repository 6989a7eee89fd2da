import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSameSecret } from "../http/guard.ts";

/** Who may use the page: a link is good for one browser, which gets a cookie for it. Nothing is written anywhere. */
export interface BrowserSessions {
  /** A new one-time secret, for an address that is opened once. */
  createLink(): string;
  /** The `Set-Cookie` for a secret that is good, else null. It is not good again. */
  redeem(secret: string): string | null;
  /** Whether a request carries the cookie of a browser that was let in. */
  has(headers: IncomingHttpHeaders): boolean;
}

/** More links than anybody leaves unused, and more browsers than anybody has; the oldest make room. */
const maxKept = 64;

/** Browsers keep cookies by host and not by port, so the name tells servers on one machine apart. */
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
      // Every one is compared, so that the time it takes reveals nothing.
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
