import type { Change, Step } from "../consolidate/consolidation.ts";
import { countOf } from "../text/count-of.ts";
import { showHidden, showOnOneLine } from "../text/visible.ts";
import type { Paint, View } from "./output.ts";
import { wrapLine } from "./text-width.ts";

/** More lines would scroll the first ones off a terminal. */
const maxShownSteps = 20;

export function renderSteps(steps: readonly Step[], view: View): string {
  return steps
    .slice(0, countShown(steps, view))
    .map((step) => renderStep(step, view.paint))
    .join("\n\n")
    .split("\n")
    .flatMap((line) => wrapLine(line, view.width))
    .join("\n");
}

export function countShown(steps: readonly Step[], { terminal }: View): number {
  return terminal ? Math.min(maxShownSteps, steps.length) : steps.length;
}

export function renderTitle({ id, kind, reason, by }: Step, paint: Paint): string {
  const whose = by === undefined ? "" : ` ${paint("dim", "(proposed by a model)")}`;
  return `${paint("cyan", id)} ${paint("bold", kind)}  ${showOnOneLine(reason)}${whose}`;
}

function renderStep(step: Step, paint: Paint): string {
  const rests = step.kind === "merge" || step.kind === "supersede" ? renderKept(step, paint) : [];
  return [
    renderTitle(step, paint),
    ...rests,
    ...step.changes.flatMap((change) => renderChange(change, paint)),
  ].join("\n");
}

/** The line that is kept is part of the evidence. */
function renderKept({ sources, changes }: Step, paint: Paint): string[] {
  return sources
    .filter(
      ({ path, startLine }) => !changes.some((each) => each.path === path && each.startLine === startLine),
    )
    .flatMap(({ path, endLine, text }) => [
      `  ${paint("dim", `${showOnOneLine(path)}:${endLine}`)}`,
      ...text.split("\n").map((line) => `    ${paint("dim", `  ${showHidden(line)}`)}`),
    ]);
}

/** The first lines of a whole note or a long section are enough to recognise it. */
const maxShownLines = 6;

function renderChange({ path, startLine, before, after, movesTo }: Change, paint: Paint): string[] {
  const to = movesTo === undefined ? "" : ` → ${showOnOneLine(movesTo)}`;
  const limit = (lines: readonly string[], render: (line: string) => string): string[] => {
    const more = lines.length - maxShownLines;
    const shown = lines.slice(0, maxShownLines).map((line) => `    ${render(showHidden(line))}`);
    return more > 0 ? [...shown, `    ${paint("dim", `… ${countOf(more, "more line")}`)}`] : shown;
  };
  return [
    `  ${paint("dim", `${showOnOneLine(path)}:${startLine}${to}`)}`,
    ...limit(before, (line) => paint("red", `- ${line}`)),
    ...limit(after, (line) => paint("green", `+ ${line}`)),
  ];
}
