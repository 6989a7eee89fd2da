import { countDenials, unitsOf } from "../extract/coverage.ts";
import { anchorDates } from "../text/relative-dates.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import { stopWordsOf } from "../text/words/stop-words.ts";
import type { Change, Step, SubmitResult, SubmittedStep } from "./consolidation.ts";
import {
  createSubmittedPlanning,
  type PlanInput,
  type Planning,
  placeOf,
  removal,
  sourceOf,
} from "./planning.ts";
import { archiveLine, supersedeChanges } from "./rules.ts";
import { markerOf, type Statement } from "./statements.ts";

const kinds = ["merge", "supersede", "promote", "anchor", "archive"] as const;

/** Steps read from a file, as far as they can be parsed. */
export function readSubmitted(value: unknown): SubmittedStep[] {
  return Array.isArray(value) ? value.filter((step) => findShapeProblem(step) === null) : [];
}

/** Why a value is not a step; null if it is one. */
function findShapeProblem(value: unknown): string | null {
  const { kind, sources, text, to, reason } = (value ?? {}) as Partial<SubmittedStep>;
  if (!kinds.some((each) => each === kind)) return `kind must be one of ${kinds.join(", ")}`;
  if (!Array.isArray(sources) || sources.length === 0) return "sources must name the lines that it rests on";
  const isSource = (each: unknown): boolean => {
    const { path, line, text: quoted } = (each ?? {}) as SubmittedStep["sources"][number];
    return typeof path === "string" && Number.isSafeInteger(line) && typeof quoted === "string";
  };
  if (!sources.every(isSource)) return "each of its sources needs path, line and text";
  if (typeof reason !== "string" || reason.trim() === "") return "reason must say why";
  if (text !== undefined && (typeof text !== "string" || /[\n\r]/.test(text))) return "text must be one line";
  if (to !== undefined && typeof to !== "string") return "to must be the path of a note";
  return null;
}

/** Which of these steps are valid for the current notes, and why the others are not. */
export function checkSubmitted(
  input: PlanInput,
  steps: readonly unknown[],
): { accepted: { id: string; step: SubmittedStep }[]; refused: SubmitResult["refused"] } {
  const planning = createSubmittedPlanning({ ...input, since: undefined });
  const accepted: { id: string; step: SubmittedStep }[] = [];
  const refused: { index: number; reason: string }[] = [];
  for (const [index, step] of steps.entries()) {
    const problem = findShapeProblem(step);
    const made = problem ?? makeStep(planning, step as SubmittedStep);
    const proposed = typeof made === "string" ? made : planning.propose(made);
    if (typeof proposed === "string") refused.push({ index, reason: proposed });
    else if (proposed === null) refused.push({ index, reason: "the same step is there already" });
    else accepted.push({ id: proposed.id, step: step as SubmittedStep });
  }
  return { accepted, refused };
}

/** Adds submitted steps to a plan, except those whose lines have changed or whose notes are too old. */
export function proposeSubmitted(planning: Planning, steps: readonly SubmittedStep[]): void {
  const { input, notes } = planning;
  const old = notes.filter(({ note }) => note.date !== null && note.date < (input.since ?? ""));
  const isOld = ({ path }: Change): boolean => old.some(({ note }) => note.path === path);
  for (const step of steps) {
    const made = makeStep(planning, step);
    if (typeof made !== "string" && !made.changes.some(isOld)) planning.propose(made);
  }
}

/** The step that a submission describes, or why it is not valid. */
function makeStep(planning: Planning, step: SubmittedStep): Omit<Step, "id"> | string {
  const sources: Statement[] = [];
  for (const source of step.sources) {
    const found = findStatement(planning, source);
    if (typeof found === "string") return found;
    if (!planning.isFree(found)) return `${placeOf(found)} is part of another step`;
    if (sources.includes(found)) return `${placeOf(found)} is named twice`;
    sources.push(found);
  }
  const changes = makeChanges(planning, step, sources);
  if (typeof changes === "string") return changes;
  const reason = step.reason.replace(/\s+/g, " ").trim().slice(0, 300);
  return { kind: step.kind, reason, sources: sources.map(sourceOf), changes, by: "model" };
}

function findStatement(
  { notes }: Planning,
  { path, line, text }: SubmittedStep["sources"][number],
): Statement | string {
  const read = notes.find(({ note }) => note.path === path);
  if (read === undefined) return `there is no note ${JSON.stringify(path.slice(0, 200))} that may be changed`;
  const isSame = ({ lines, said }: Statement): boolean =>
    lines.at(-1)!.trim() === text.trim() || said === text.trim();
  const fitting = read.statements.filter(isSame);
  const nearest = fitting.toSorted((a, b) => Math.abs(a.endLine - line) - Math.abs(b.endLine - line))[0];
  return nearest ?? `${path}:${line} does not say ${JSON.stringify(text.slice(0, 80))} in a line of its own`;
}

function makeChanges(
  planning: Planning,
  step: SubmittedStep,
  sources: readonly Statement[],
): Change[] | string {
  const { kind, text = "", to } = step;
  const [first] = sources;
  switch (kind) {
    case "supersede":
      return sources.length === 2
        ? supersedeChanges(planning, { older: first!, newer: sources[1]! })
        : "a supersede needs two sources: the older line, then the newer one";
    case "archive":
      return sources.flatMap((source) => [archiveLine(planning, source, "archived"), removal(source)]);
    case "anchor": {
      if (sources.length !== 1) return "an anchor has one source";
      const expected = anchorDates(first!.said, first!.note.date ?? "");
      const said = first!.note.date === null ? null : expected;
      if (said === null || text.trim().replace(/^[-*+] /, "") !== said || said === first!.said) {
        return `the line with its dates would be ${JSON.stringify(said ?? first!.said)}`;
      }
      const line = first!.lines.at(-1)!;
      const anchored = anchorDates(line, first!.note.date!);
      return [{ path: first!.note.path, startLine: first!.endLine, before: [line], after: [anchored] }];
    }
    case "merge": {
      if (sources.length < 2) return "a merge needs two sources or more";
      const problem = findUngrounded(text, sources);
      if (problem !== null) return problem;
      const kept = sources.findLast(({ note }) => note.date === null) ?? sources.at(-1)!;
      return sources.flatMap((source) => [
        ...(isCovered(source.said, text) ? [] : [archiveLine(planning, source, "merged")]),
        source === kept ? rewritten(source, text) : removal(source),
      ]);
    }
    case "promote": {
      const said = text.trim() === "" ? sources.at(-1)!.said : text.trim().replace(/^[-*+] /, "");
      const problem = findUngrounded(said, sources);
      if (problem !== null) return problem;
      const path = to ?? planning.input.longTermPath;
      const isNote =
        path === planning.input.longTermPath || planning.notes.some(({ note }) => note.path === path);
      if (!isNote) return `there is no note ${JSON.stringify(path.slice(0, 200))} that may be changed`;
      const day = sources.at(-1)!.note.date;
      const line = `- ${said}${day === null || said.includes(day) ? "" : ` (${day})`}`;
      const covered = sources.filter((source) => isCovered(source.said, said));
      return [planning.append(path, [line], "# Memory"), ...covered.map(removal)];
    }
  }
}

/** The line with new text after the same bullet. */
function rewritten({ note, startLine, lines }: Statement, text: string): Change {
  const marker = markerOf(lines.at(-1)!);
  const said = text.trim().replace(/^[-*+] /, "");
  return { path: note.path, startLine, before: lines, after: [...lines.slice(0, -1), marker + said] };
}

/** Every word of a new line must occur in its sources, except for function words. Null if so. */
function findUngrounded(text: string, sources: readonly Statement[]): string | null {
  if (text.trim() === "") return "text must be the new line";
  const known = new Set(sources.flatMap(({ said, note }) => stemsOf(`${said} ${note.date ?? ""}`)));
  const units = unitsOf(text);
  const joining = stopWordsOf(units);
  // "Not" is no mere function word: it reverses the sentence.
  const isJoining = (unit: string): boolean => joining.has(unit) && countDenials([unit]) === 0;
  const unknown = units.find((unit) => !known.has(stemOf(unit)) && !isJoining(unit));
  return unknown === undefined ? null : `${JSON.stringify(unknown)} is in none of its sources`;
}

/** Whether the new text still says everything that the line said. */
function isCovered(said: string, text: string): boolean {
  const kept = new Set(stemsOf(text));
  return stemsOf(said).every((stem) => kept.has(stem));
}

function stemsOf(text: string): string[] {
  return unitsOf(text).map(stemOf);
}

function stemOf(unit: string): string {
  return /\d/.test(unit) ? unit : stemWord(unit);
}
