import { LonghandError } from "../errors.ts";
import { isGroupSession } from "../text/session-key.ts";

export interface Location {
  readonly path: string;
  readonly from?: number;
  /** Last line, inclusive; absent when only a start was given. */
  readonly to?: number;
}

/**
 * Reads `PATH`, `PATH:FROM`, `PATH:FROM-TO` and the citations of hits, `PATH#L5` and `PATH#L5-L7`. A citation of one
 * line means that line; `PATH:5` means from there on, as an editor would open it.
 */
export function parseLocation(text: string): Location {
  const citation = /^(.*)#L(\d+)(?:-L?(\d+))?$/s.exec(text);
  const range = citation ?? /^(.*):(\d+)(?:-(\d+))?$/s.exec(text);
  if (range === null) return { path: text };
  const path = range[1] ?? "";
  const from = readLine(range[2] ?? "", text);
  if (range[3] !== undefined) {
    const to = readLine(range[3], text);
    if (to >= from) return { path, from, to };
    throw refuse(text, `line ${to} comes before line ${from}`);
  }
  return citation === null ? { path, from } : { path, from, to: from };
}

function readLine(digits: string, text: string): number {
  const line = Number(digits);
  if (line >= 1 && Number.isSafeInteger(line)) return line;
  throw refuse(text, line === 0 ? "lines are counted from 1" : "that line number is too large");
}

function refuse(text: string, reason: string): LonghandError {
  return new LonghandError("usage", `${JSON.stringify(text)} does not name lines of a note: ${reason}.`, {
    hint: "Write PATH, PATH:FROM, PATH:FROM-TO, or a citation such as PATH#L5-L7.",
  });
}

/** `path#L5` or `path#L5-L7`, which every interface accepts as a location. */
export function cite(path: string, startLine: number, endLine: number): string {
  return startLine === endLine ? `${path}#L${startLine}` : `${path}#L${startLine}-L${endLine}`;
}

/** `auto` omits citations in shared sessions: a path on somebody's disk means nothing to the others. */
export function showsCitations(citations: "auto" | "on" | "off", sessionKey: string | undefined): boolean {
  if (citations !== "auto") return citations === "on";
  return sessionKey === undefined || !isGroupSession(sessionKey);
}
