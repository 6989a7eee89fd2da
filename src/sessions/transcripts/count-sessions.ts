import { parseVersion } from "./transcript-state.ts";

export interface SessionCounts {
  readonly files: number;
  readonly turns: number;
  readonly malformedLines: number;
}

/** What is indexed, told by the versions of the documents. Files of no known format do not count. */
export function countSessions(versions: ReadonlyMap<string, { readonly version: string }>): SessionCounts {
  const counts = { files: 0, turns: 0, malformedLines: 0 };
  for (const { version } of versions.values()) {
    const state = parseVersion(version)?.state;
    if (!state?.format) continue;
    counts.files++;
    counts.turns += state.turns;
    counts.malformedLines += state.malformed;
  }
  return counts;
}
