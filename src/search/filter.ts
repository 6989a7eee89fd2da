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
  return {
    ...(source === undefined ? {} : { source: readSource(source, sources) }),
    ...(since === undefined ? {} : { since: readDay("since", since) }),
    ...(until === undefined ? {} : { until: readDay("until", until) }),
    ...(path === undefined ? {} : { pathGlob: readGlob(path) }),
    ...(paths === undefined ? {} : { paths }),
    ...(isSharedSession(sessionKey) ? { sharedOnly: true } : {}),
  };
}

function readGlob(pattern: string): string {
  const problem = typeof pattern === "string" ? findGlobProblem(pattern) : "it is not text";
  if (problem === null) return pattern;
  throw new LonghandError(
    "query-invalid",
    `Could not search the path ${JSON.stringify(pattern)}: ${problem}.`,
    {
      hint: "Write a glob such as memory/**; put a backslash before a literal [ or {.",
    },
  );
}

function readSource(source: string, sources: readonly string[]): string {
  if (sources.includes(source)) return source;
  throw new LonghandError(
    "query-invalid",
    `Could not search the source "${source}": there is none of that name.`,
    {
      hint: `Use ${sources.join(" or ")}, or leave the source out to search all.`,
    },
  );
}

function readDay(name: string, day: string): string {
  if (isDay(day)) return day;
  throw new LonghandError(
    "query-invalid",
    `Could not search ${name} "${day}": it is not a day of the calendar.`,
    {
      hint: "Write it as YYYY-MM-DD, for example 2026-11-15.",
    },
  );
}
