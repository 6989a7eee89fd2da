import type { AnswerExplanation, HitExplanation, WhyNot } from "../search/search.ts";
import { countOf } from "../text/count-of.ts";
import { drawBar, formatDuration } from "../text/figures.ts";
import { showOnOneLine } from "../text/visible.ts";
import type { View } from "./output.ts";
import { displayWidth, padEnd, wrapLine } from "./text-width.ts";

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
  return [
    paint("bold", "Words of the query"),
    ...(rows.length > 0 ? rows : ["  none that can be searched for"]),
    `${paint("bold", "Candidates")}  ${candidates.keyword} by keyword, ${candidates.vector} semantic, ` +
      `${candidates.aboveFloor} above the floor`,
    ...(embedder === undefined
      ? []
      : [
          `${paint("bold", "Embedder")}  separation ${embedder.separation?.toFixed(2) ?? "not known yet"}, ` +
            `strength ${embedder.strength.toFixed(1)}`,
        ]),
    // Two columns for the gap after the label; longer lines wrap below the first time.
    ...wrapLine(times.join(" · "), (width ?? Number.POSITIVE_INFINITY) - timeLabel.length - 2).map(
      (line, index) => `${index === 0 ? paint("bold", timeLabel) : " ".repeat(timeLabel.length)}  ${line}`,
    ),
  ].join("\n");
}

/** Labels for the keys that programs read. */
const stageNames: Readonly<Record<string, string>> = { terms: "words", meaning: "embedding" };

/** Less than this share of the query is not worth a line. */
const leastSimilar = 0.005;

/** How one hit got its score, as lines below its title. */
export function renderHitExplanation(
  { terms, text, vector, similarWords = 0, decay, floor }: HitExplanation,
  { paint }: View,
): string[] {
  const largest = Math.max(...terms.map(({ contribution }) => contribution), Number.MIN_VALUE);
  const names = terms.map(({ term }) => showOnOneLine(term));
  const hasSimilar = similarWords >= leastSimilar;
  const column = Math.max(hasSimilar ? 13 : 8, ...names.map(displayWidth));
  const part = (name: string, value: number | null) =>
    value === null
      ? `  ${padEnd(name, column)}  ${paint("dim", "not used")}`
      : `  ${padEnd(name, column)}  ${paint("green", drawBar(value, barCells))} ${value.toFixed(3)}`;
  return [
    part("keyword", text),
    ...terms.map(({ contribution, occurrences, weight }, index) => {
      const bar = paint("blue", drawBar(contribution / largest, barCells));
      const name = paint("dim", padEnd(names[index] ?? "", column));
      return `  ${name}  ${bar} ${contribution.toFixed(3)}  ${paint("dim", `${describeOccurrences(occurrences, contribution)}, weight ${weight.toFixed(2)}`)}`;
    }),
    part("semantic", vector),
    ...(hasSimilar ? [part("similar words", similarWords)] : []),
    `  ${padEnd("floor", column)}  ${" ".repeat(barCells)} ${floor.toFixed(3)}`,
    ...(decay === 1 ? [] : [`  ${padEnd("decay", column)}  ${" ".repeat(barCells)} ×${decay.toFixed(3)}`]),
  ];
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
