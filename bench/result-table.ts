import { formatBar, formatFigure, formatValue } from "./format.ts";
import type { Verdict } from "./judge.ts";
import { describeUnrest } from "./rest.ts";
import { type BenchResult, quickTolerance, type ResultRow } from "./result.ts";

const marks: Readonly<Record<Verdict, string>> = {
  met: "✓",
  missed: "✗",
  tolerated: "~",
  told: " ",
  unmeasured: "✗",
};

/** For a terminal: a line for each limit, and the reference below it. */
export function resultTable(result: BenchResult): string {
  const { rows, mode, durationMs, machine, loadBefore, rest, failures } = result;
  const unrest = rest && describeUnrest(rest);
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
  const judged = rows.length - count("told");
  const tolerance =
    `~ is missed by less than ${quickTolerance}×, which a quick run lets pass: its sizes are small and times few. ` +
    "Some bars are lower than those of the full run.";
  return [
    ...rows.flatMap(showRow),
    "",
    ...failures.map(({ part, message }) => `✗ ${part} could not be measured: ${message}`),
    ...(mode === "quick" ? [tolerance] : []),
    `${count("met")} of ${judged} bars met, ${count("missed") + count("unmeasured")} missed` +
      `${mode === "quick" ? `, ${count("tolerated")} tolerated` : ""}; ${(durationMs / 1000).toFixed(0)} s`,
    `${machine.processor}, ${machine.cores} cores, Node ${machine.node}, SQLite ${machine.sqlite}, ` +
      `load ${loadBefore.toFixed(1)} when it began`,
    ...(unrest ? [`Times say little: ${unrest}.`] : []),
  ].join("\n");
}

function showRow(row: ResultRow): string[] {
  const { figure, unit, reference, verdict, what } = row;
  const bar = formatBar(row).padEnd(11);
  const head = `${marks[verdict]} ${what.padEnd(62)} ${formatValue(row).padStart(9)}  ${bar}`;
  if (!figure) return [head];
  const ours = row.judged === "ours" ? [] : [formatFigure(figure.ours, unit)];
  const theirs =
    figure.reference === undefined ? [] : [`${formatFigure(figure.reference, unit)} for ${reference}`];
  const below = [[...ours, ...theirs].join(" against "), figure.detail ?? ""].filter(Boolean).join("; ");
  return [head.trimEnd(), ...(below ? [`    ${below}`] : [])];
}
