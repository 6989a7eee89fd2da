import type { Range } from "../search/query-matches.ts";
import type { SearchAnswer, SearchHit } from "../search/search.ts";
import { drawBar } from "../text/figures.ts";
import { readableMarkdown } from "../text/note-parts.ts";
import { showHidden, showOnOneLine } from "../text/visible.ts";
import type { View } from "./output.ts";
import { renderHitExplanation } from "./render-explanation.ts";
import { displayWidth, wrapLine } from "./text-width.ts";

export interface HitStyle {
  /** Offsets of the query's words in a text. */
  readonly matches: (text: string) => readonly Range[];
  /** The `file://…` URL of a hit, or null if it has none. */
  readonly fileUrl: (path: string) => string | null;
}

/** Formats hits for people; through a pipe, the same text without anything that depends on the terminal. */
export function renderHits({ results }: SearchAnswer, view: View, look: HitStyle): string {
  const blocks = results.map((hit) => {
    const details = hit.explain === undefined ? [] : renderHitExplanation(hit.explain, view);
    return [renderTitle(hit, view, look), ...details, ...renderSnippet(hit, view, look)].join("\n");
  });
  return blocks.join("\n\n");
}

function renderTitle(hit: SearchHit, { paint, link, terminal, width }: View, look: HitStyle): string {
  const lines = hit.endLine > hit.startLine ? `${hit.startLine}-${hit.endLine}` : `${hit.startLine}`;
  const place = `${showOnOneLine(hit.path)}:${lines}`;
  const url = look.fileUrl(hit.path);
  const shown = paint(["cyan", "bold"], place);
  const score = hit.score.toFixed(2);
  const parts = [
    url === null ? shown : link(shown, url),
    terminal ? `${paint("green", drawBar(hit.score, 5))} ${score}` : score,
    hit.date === undefined ? "" : paint("yellow", hit.date),
    paint(
      "dim",
      namesOf(hit)
        .map((text) => showOnOneLine(text))
        .join(terminal ? " › " : " > "),
    ),
    hit.origin === undefined ? "" : paint("dim", `from: ${showOnOneLine(hit.origin)}`),
    paint("yellow", describeSuperseded(hit)),
    paint("red", (hit.flags ?? []).map((flag) => `[${flag}]`).join(" ")),
  ];
  return flow(
    parts.filter((part) => part !== ""),
    width ?? Number.POSITIVE_INFINITY,
  );
}

/** Moves to the next line if the line would be too wide: a terminal would break it within a word. */
function flow(parts: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}  ${part}`;
    if (lines.length > 0 && displayWidth(longer) > width) lines.push(`    ${part}`);
    else lines[Math.max(0, lines.length - 1)] = longer;
  }
  return lines.join("\n");
}

function namesOf(hit: SearchHit): readonly string[] {
  return hit.title === undefined ? shownHeadings(hit) : [hit.title];
}

function describeSuperseded({ supersededBy, startLine, endLine }: SearchHit): string {
  if (supersededBy === undefined) return "";
  const { path, line, oldLine } = supersededBy;
  const which = startLine === endLine ? "" : `line ${oldLine} `;
  return `${which}possibly superseded by ${showOnOneLine(path)}:${line}`;
}

/** The title of a daily note is often its date, which is already shown. */
function shownHeadings({ headings, date }: SearchHit): readonly string[] {
  return headings[0] === date ? headings.slice(1) : headings;
}

function renderSnippet(hit: SearchHit, { paint, width }: View, { matches }: HitStyle): string[] {
  // Empty lines separate hits, so a hit itself may not contain one.
  const lines = showHidden(hit.source === "memory" ? readableMarkdown(hit.snippet) : hit.snippet)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const wrapped = width === null ? lines : lines.flatMap((line) => wrapLine(line, Math.max(20, width - 2)));
  return wrapped.map((line) =>
    `  ${markRanges(line, matches(line), (part) => paint(["bold", "underline"], part))}`.trimEnd(),
  );
}

/** Applies `mark` to the ranges of the text. Ranges may overlap and come in any order. */
export function markRanges(text: string, ranges: readonly Range[], mark: (part: string) => string): string {
  let marked = "";
  let end = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(from, end);
    if (start >= to) continue;
    marked += text.slice(end, start) + mark(text.slice(start, to));
    end = to;
  }
  return marked + text.slice(end);
}
