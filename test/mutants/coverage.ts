import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** Whether the code at a place in a file has run. */
export type HasRun = (url: string, at: number) => boolean;

/**
 * What processes with `NODE_V8_COVERAGE=folder` ran. Removing types keeps every place. A process that was killed, or
 * may write only small files, leaves nothing to read.
 */
export function readCoverage(folder: string, isWanted: (url: string) => boolean): HasRun {
  const scripts = new Map<string, Range[][]>();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of readScripts(join(folder, name))) {
      if (!isWanted(url)) continue;
      const ranges = functions.flatMap((each) => each.ranges);
      scripts.set(url, [...(scripts.get(url) ?? []), ranges]);
    }
  }
  return (url, at) => (scripts.get(url) ?? []).some((ranges) => (innermost(ranges, at)?.count ?? 0) > 0);
}

function readScripts(file: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { result: readonly Script[] }).result;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function innermost(ranges: readonly Range[], at: number): Range | undefined {
  let found: Range | undefined;
  for (const range of ranges) {
    if (range.startOffset > at || range.endOffset <= at) continue;
    if (!found || range.endOffset - range.startOffset < found.endOffset - found.startOffset) found = range;
  }
  return found;
}
