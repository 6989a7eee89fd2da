import { LonghandError } from "../errors.ts";
import type { ChunkFilter } from "../stores/store.ts";
import { isDay } from "../text/day.ts";
import { findGlobProblem } from "../text/glob.ts";
import { isSharedSession } from "../text/session-key.ts";
import type { SearchOptions } from "./search.ts";

/** `sources` are the valid names. */
export function readFilter(
  { source, since, until, path, paths, sessionKey }: SearchOptions,
  sources: readonly string[] = ["memory", "sessions"],
): ChunkFilter {
  const period = {
    ...(since === undefined ? {} : { since: readDay("since", since) }),
    ...(until === undefined ? {} : { until: readDay("until", until) }),
  };
  const problem = findPeriodProblem(period);
  if (problem !== null) throw refusePeriod(problem);
  return {
    ...(source === undefined ? {} : { source: readSource(source, sources) }),
    ...period,
    ...(path === undefined ? {} : { pathGlob: readGlob(path) }),
    ...(paths === undefined ? {} : { paths }),
    ...(isSharedSession(sessionKey) ? { sharedOnly: true } : {}),
  };
}

interface Period {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Why no day can be in a period; the days are `YYYY-MM-DD`. */
export function findPeriodProblem({ since, until }: Period): string | null {
  if (since === undefined || until === undefined || since <= until) return null;
  return `${since} comes after ${until}, so no note could match`;
}

/** Why a glob cannot match a path of this memory. */
export function findPathProblem(pattern: string): string | null {
  const isOutside = /^(?:\/|[a-z]:)|(?:^|\/)\.\.(?:\/|$)/i.test(pattern);
  return isOutside ? "it is outside this memory" : findGlobProblem(pattern);
}

/** A glob as paths of notes are written: `./memory/**` is `memory/**`. */
export function relativeGlob(pattern: string): string {
  return pattern.replace(/^(?:\.\/+)+(?=.)/, "");
}

/** What to write instead, for the command line, too. */
export const pathHint =
  "Write a glob relative to the workspace, as hits show paths, such as memory/**; put a backslash before a literal [ or {.";

function readGlob(pattern: string): string {
  const problem = typeof pattern === "string" ? findPathProblem(pattern) : "it is not text";
  if (problem === null) return relativeGlob(pattern);
  throw new LonghandError(
    "query-invalid",
    `Could not search the path ${JSON.stringify(pattern)}: ${problem}.`,
    { hint: pathHint },
  );
}

function refusePeriod(problem: string): LonghandError {
  return new LonghandError("query-invalid", `Could not search since and until: ${problem}.`, {
    hint: "Swap the two dates.",
  });
}

function readSource(source: string, sources: readonly string[]): string {
  if (sources.includes(source)) return source;
  throw new LonghandError(
    "query-invalid",
    `Could not search the source "${source}": there is none of that name.`,
    { hint: `Use ${sources.join(" or ")}, or leave the source out to search all.` },
  );
}

function readDay(name: string, day: string): string {
  if (isDay(day)) return day;
  throw new LonghandError(
    "query-invalid",
    `Could not search ${name} "${day}": it is not a day of the calendar.`,
    { hint: "Write it as YYYY-MM-DD, for example 2026-11-15." },
  );
}
