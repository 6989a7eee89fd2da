import type { SkippedEntry, SkipReason } from "../sources/source.ts";
import type { SyncReport } from "../sync/sync.ts";
import { countOf, formatCount } from "../text/count-of.ts";
import { showOnOneLine } from "../text/visible.ts";
import type { Paint } from "./output.ts";

/**
 * Files that look like notes and are not indexed. Files excluded by `.longhandignore` or by a setting are left out, as
 * requested.
 */
export function renderSkipped({ skipped, skippedCount }: SyncReport, paint: Paint): string {
  const unasked = skipped.filter(({ reason }) => reason !== "excluded");
  if (unasked.length === 0) return "";
  // A report lists excluded files last.
  const total = unasked.length < skipped.length ? unasked.length : skippedCount;
  return [
    paint("yellow", `Skipped ${countOf(total, "file")}:`),
    ...nameFirst(unasked, describe, { total, rest: "`longhand status --json` lists all" }),
  ].join("\n");
}

function describe({ path, reason, detail }: SkippedEntry): string {
  return `${showOnOneLine(path)}: ${skipReasons[reason]}${detail === undefined ? "" : ` (${showOnOneLine(detail)})`}`;
}

export const skipReasons: Readonly<Record<SkipReason, string>> = {
  symlink: "a symbolic link, which is not followed",
  "too-large": "too large",
  binary: "not text",
  excluded: "excluded",
  unreadable: "not readable",
  "not-a-file": "not a file",
  "invalid-path": "a name that is not supported",
  duplicate: "a duplicate",
  missing: "missing",
};

const maxNamed = 10;

/** One indented line each, and the number of further ones. */
export function nameFirst<T>(
  entries: readonly T[],
  name: (entry: T) => string,
  { total = entries.length, rest = "--json lists all" }: { total?: number; rest?: string } = {},
): string[] {
  const more = total - Math.min(entries.length, maxNamed);
  return [
    ...entries.slice(0, maxNamed).map((entry) => `  ${name(entry)}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more (${rest})`] : []),
  ];
}
