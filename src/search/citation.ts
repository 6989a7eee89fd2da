import { isGroupSession } from "../text/session-key.ts";

/** `path#L5`, or `path#L5-L7`: a name for lines that every surface takes back. */
export function cite(path: string, startLine: number, endLine: number): string {
  return startLine === endLine ? `${path}#L${startLine}` : `${path}#L${startLine}-L${endLine}`;
}

/** `auto` leaves citations out where many listen: a path on somebody's disk means nothing to them. */
export function showsCitations(citations: "auto" | "on" | "off", sessionKey: string | undefined): boolean {
  if (citations !== "auto") return citations === "on";
  return sessionKey === undefined || !isGroupSession(sessionKey);
}
