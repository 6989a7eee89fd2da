import type { Range } from "../search/query-matches.ts";
import type { AnswerExplanation, HitExplanation, SearchAnswer, SearchHit, WhyNot } from "../search/search.ts";
import { compact } from "../text/compact.ts";
import { countOf } from "../text/count-of.ts";
import { drawBar, formatDuration } from "../text/figures.ts";
import { placeOf } from "../text/lines-of.ts";
import { readableMarkdown } from "../text/note-parts.ts";
import { showHidden, showOnOneLine } from "../text/visible.ts";
import type { View } from "./output.ts";
import { displayWidth, padEnd, wrapLine } from "./text-width.ts";

interface HitStyle {
  /** Offsets of the query's words in a text. */
  readonly matches: (text: string) => readonly Range[];
  /** The `file://…` URL of a hit, or null if it has none. */
  readonly fileUrl: (path: string) => string | null;
}

/** Formats hits for people; through a pipe, the same text without anything that depends on the terminal. */
export function renderHits({ results }: SearchAnswer, view: View, style: HitStyle): string {
  const blocks = results.map((hit) => {
    const details = hit.explain === undefined ? [] : renderHitExplanation(hit.explain, view);
    return [renderTitle(hit, view, style), ...details, ...renderSnippet(hit, view, style)].join("\n");
  });
  return blocks.join("\n\n");
}

function renderTitle(hit: SearchHit, { paint, link, terminal, width }: View, style: HitStyle): string {
  const place = showOnOneLine(placeOf(hit));
  const url = style.fileUrl(hit.path);
  const shown = paint(["cyan", "bold"], place);
  const score = hit.score.toFixed(2);
  const names = namesOf(hit).map((text) => showOnOneLine(text));
  const parts = compact([
    url === null ? shown : link(shown, url),
    terminal ? `${paint("green", drawBar(hit.score, 5))} ${score}` : score,
    hit.date !== undefined && paint("yellow", hit.date),
    paint("dim", names.join(terminal ? " › " : " > ")),
    hit.origin !== undefined && paint("dim", `from: ${showOnOneLine(hit.origin)}`),
    paint("yellow", describeSuperseded(hit)),
    paint("red", (hit.flags ?? []).map((flag) => `[${flag}]`).join(" ")),
  ]);
  return flow(parts, width);
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

/** The title of a daily note is often its date, which is already shown. */
function namesOf({ title, headings, date }: SearchHit): readonly string[] {
  if (title !== undefined) return [title];
  return headings[0] === date ? headings.slice(1) : headings;
}

function describeSuperseded({ supersededBy, startLine, endLine }: SearchHit): string {
  if (supersededBy === undefined) return "";
  const { path, line, oldLine } = supersededBy;
  const which = startLine === endLine ? "" : `line ${oldLine} `;
  return `${which}possibly superseded by ${showOnOneLine(path)}:${line}`;
}

function renderSnippet(hit: SearchHit, { paint, width }: View, { matches }: HitStyle): string[] {
  // Empty lines separate hits, so a hit itself may not contain one.
  const lines = showHidden(hit.source === "memory" ? readableMarkdown(hit.snippet) : hit.snippet)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const wrapped = lines.flatMap((line) => wrapLine(line, Math.max(20, width - 2)));
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

const barCells = 12;
const timeLabel = "Time";

/** How the query was understood: its words with their weights, the number of chunks searched, and the time taken. */
export function renderAnswerExplanation(
  { tokens, candidates, embedder, timings }: AnswerExplanation,
  { paint, width }: View,
): string {
  const heaviest = Math.max(...tokens.map(({ weight }) => weight), Number.MIN_VALUE);
  const names = tokens.map(({ token }) => showOnOneLine(token));
  const column = Math.max(0, ...names.map(displayWidth));
  const rows = tokens.map(({ weight, chunks, note }, index) => {
    const bar = paint("green", drawBar(weight / heaviest, barCells));
    const name = paint("bold", padEnd(names[index] ?? "", column));
    const remark = note === undefined ? "" : paint("dim", ` · ${note}`);
    return `  ${name}  ${bar} ${weight.toFixed(2).padStart(5)}  in ${countOf(chunks, "chunk")}${remark}`;
  });
  const times = Object.entries(timings).map(
    ([stage, durationMs]) => `${stageNames[stage] ?? stage} ${formatDuration(durationMs)}`,
  );
  return compact([
    paint("bold", "Words of the query"),
    ...(rows.length > 0 ? rows : ["  none that can be searched for"]),
    `${paint("bold", "Candidates")}  ${candidates.keyword} by keyword, ${candidates.vector} semantic, ` +
      `${candidates.aboveFloor} above the floor`,
    embedder &&
      `${paint("bold", "Embedder")}  separation ${embedder.separation?.toFixed(2) ?? "not known yet"}, ` +
        `strength ${embedder.strength.toFixed(1)}`,
    // Two columns for the gap after the label; longer lines wrap below the first time.
    ...wrapLine(times.join(" · "), width - timeLabel.length - 2).map(
      (line, index) => `${index === 0 ? paint("bold", timeLabel) : " ".repeat(timeLabel.length)}  ${line}`,
    ),
  ]).join("\n");
}

/** Labels for the keys that programs read. */
const stageNames: Readonly<Record<string, string>> = { terms: "words", meaning: "embedding" };

/** Less than this share of the query is not worth a line. */
const minSimilar = 0.005;

/** How one hit got its score, as lines below its title. */
export function renderHitExplanation(
  { terms, text, vector, similarWords = 0, decay, floor }: HitExplanation,
  { paint }: View,
): string[] {
  const largest = Math.max(...terms.map(({ contribution }) => contribution), Number.MIN_VALUE);
  const names = terms.map(({ term }) => showOnOneLine(term));
  const hasSimilar = similarWords >= minSimilar;
  const column = Math.max(hasSimilar ? 13 : 8, ...names.map(displayWidth));
  const part = (name: string, value: number | null) =>
    value === null
      ? `  ${padEnd(name, column)}  ${paint("dim", "not used")}`
      : `  ${padEnd(name, column)}  ${paint("green", drawBar(value, barCells))} ${value.toFixed(3)}`;
  return compact([
    part("keyword", text),
    ...terms.map(({ contribution, occurrences, weight }, index) => {
      const bar = paint("blue", drawBar(contribution / largest, barCells));
      const name = paint("dim", padEnd(names[index] ?? "", column));
      return `  ${name}  ${bar} ${contribution.toFixed(3)}  ${paint("dim", `${describeOccurrences(occurrences, contribution)}, weight ${weight.toFixed(2)}`)}`;
    }),
    part("semantic", vector),
    hasSimilar && part("similar words", similarWords),
    `  ${padEnd("floor", column)}  ${" ".repeat(barCells)} ${floor.toFixed(3)}`,
    decay !== 1 && `  ${padEnd("decay", column)}  ${" ".repeat(barCells)} ×${decay.toFixed(3)}`,
  ]);
}

export function renderWhyNot({ path, line, stage, reason }: WhyNot, { paint }: View): string {
  const place = paint(["cyan", "bold"], `${showOnOneLine(path)}:${line}`);
  return `${place}  ${paint("yellow", stage)}\n  ${showOnOneLine(reason)}`;
}

/** A word in the headings, the path or the rest of the chunk counts as well. */
function describeOccurrences(occurrences: number, contribution: number): string {
  if (occurrences > 0) return `×${occurrences}`;
  return contribution > 0 ? "outside the passage" : "not found";
}
