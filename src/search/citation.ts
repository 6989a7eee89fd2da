import { isGroupSession } from "../text/session-key.ts";

/** `path#L5` or `path#L5-L7`, which every interface accepts as a location. */
export function cite(path: string, startLine: number, endLine: number): string {
  return startLine === endLine ? `${path}#L${startLine}` : `${path}#L${startLine}-L${endLine}`;
}

/** `auto` omits citations in shared sessions: a path on somebody's disk means nothing to the others. */
export function showsCitations(citations: "auto" | "on" | "off", sessionKey: string | undefined): boolean {
  if (citations !== "auto") return citations === "on";
  return sessionKey === undefined || !isGroupSession(sessionKey);
}
