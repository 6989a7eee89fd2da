import { normaliseEntryLine } from "../text/entry-line.ts";
import { createNeedleSearch } from "./needle-search.ts";
import type { PurgeReport } from "./store.ts";

export interface SearchedChunk {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly text: string;
}

/** That a shorter line stands elsewhere, too, says nothing. */
const leastLineChars = 12;
const mostNamedLines = 100;

/** Looks in chunks for lines that hold one of the texts' lines, also within a longer sentence or after a speaker's name. */
export function createLineSearch(texts: readonly string[]) {
  const lines = texts.flatMap((text) => text.split("\n").map(normaliseEntryLine));
  const wanted = [...new Set(lines)].filter((line) => line.length >= leastLineChars);
  const found = new Map<string, { path: string; line: number }>();
  const { find } = createNeedleSearch(wanted);
  const holdsAny = (text: string): boolean => {
    const hits = new Set<number>();
    const bytes = Buffer.from(text);
    find(bytes, bytes.length, hits);
    return hits.size > 0;
  };
  return {
    isPointless: wanted.length === 0,
    /** False when enough were found. */
    visit: ({ path, text, start_line, end_line }: SearchedChunk): boolean => {
      const own = text.split("\n").map(normaliseEntryLine);
      // Most chunks hold none of them, which one look tells.
      if (!holdsAny(own.join("\n"))) return true;
      for (const [index, line] of own.entries()) {
        if (!holdsAny(line)) continue;
        const at = Math.min(start_line + index, end_line);
        found.set(`${path}:${at}`, { path, line: at });
      }
      return found.size < mostNamedLines;
    },
    found: (): PurgeReport["stillIn"] => [...found.values()].slice(0, mostNamedLines),
  };
}
