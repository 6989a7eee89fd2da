import { sha256Of } from "../text/hash.ts";
import { outlineMarkdown } from "../text/markdown.ts";
import { once } from "../text/once.ts";
import { type Comparison, compareStatements } from "./compare-statements.ts";
import { linesOf } from "./compose.ts";
import type { SubmittedStep } from "./consolidation.ts";
import type { Change, PlannedNote, SourceLines, Step } from "./plan.ts";
import { isItem, type ReadNote, readNote, type Statement } from "./statements.ts";

/** How often searches returned a note. */
export interface Recalls {
  /** The day of the first count; null before it. */
  readonly since: string | null;
  /** By its most recalled line; null for a note that was never recalled. */
  of(path: string): { readonly count: number; readonly lastDay: string } | null;
}

export interface PlanInput {
  readonly notes: readonly PlannedNote[];
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Daily notes before this day are left alone. */
  readonly since?: string | undefined;
  /** `MEMORY.md`, or what stands in its place. */
  readonly longTermPath: string;
  /** How much of it a session begins with. */
  readonly maxLongTermChars: number;
  /** Older daily notes go to the archive, unless a note links to them or they were recalled in this time. */
  readonly archiveAfterDays: number;
  /** Null where recalls are not counted. */
  readonly recalls?: Recalls | null | undefined;
  /** What a model has proposed; it goes before what the rules find. */
  readonly submitted?: readonly SubmittedStep[] | undefined;
  readonly isRejected?: ((id: string) => boolean) | undefined;
}

/** What the rules of a plan share: the notes, and which lines a step has taken already. */
export interface Planning {
  readonly input: PlanInput;
  readonly notes: readonly ReadNote[];
  readonly longTerm: ReadNote | undefined;
  /** What the statements say of each other. */
  comparison(): Comparison;
  /** True for a daily note that is not written to any more and not before `since`. */
  isSettled(note: PlannedNote): boolean;
  /** No step has taken any of these lines. */
  isFree(statement: Pick<Statement, "note" | "startLine" | "endLine">): boolean;
  isUntouched(path: string): boolean;
  /** Lines at the end of a note, which is made when it is missing. */
  append(path: string, lines: readonly string[], title: string): Change;
  /** Takes the lines of a step, which is in the plan unless it was rejected; null when it is there already. */
  propose(step: Omit<Step, "id">): Step | null;
}

export interface PlanningResult extends Planning {
  readonly steps: readonly Step[];
  readonly rejected: () => number;
}

export function createPlanning(input: PlanInput): PlanningResult {
  const { today, since, longTermPath, isRejected = () => false } = input;
  const notes = input.notes.filter(({ path }) => !isArchived(path)).map(readNote);
  const taken = new Map<string, Set<number>>();
  const steps: Step[] = [];
  const yesterday = dayBefore(today);
  const appended = new Set<string>();
  let rejected = 0;

  function take({ path, startLine, before, movesTo }: Change): void {
    const lines = taken.get(path) ?? new Set();
    for (const offset of before.keys()) lines.add(startLine + offset);
    taken.set(path, lines.add(0));
    if (movesTo !== undefined) taken.set(movesTo, new Set([0]));
  }

  return {
    input,
    notes,
    comparison: once(() => compareStatements(notes.flatMap(({ statements }) => statements))),
    longTerm: notes.find(({ note }) => note.path === longTermPath),
    steps,
    rejected: () => rejected,
    // A session begins with the notes of today and yesterday, and they are still being written.
    isSettled: ({ date }) => date !== null && date < yesterday && (since === undefined || date >= since),
    isFree({ note, startLine, endLine }) {
      const lines = taken.get(note.path);
      if (lines === undefined) return true;
      for (let line = startLine; line <= endLine; line++) if (lines.has(line)) return false;
      return true;
    },
    isUntouched: (path) => !taken.has(path),
    append(path, lines, title) {
      const note = input.notes.find((each) => each.path === path);
      const text = note?.text ?? "";
      const known = linesOf(text);
      const last = known.at(-1) ?? "";
      const { fenceToClose } = outlineMarkdown(text, 0);
      const closing = fenceToClose === null ? [] : [fenceToClose];
      // Markdown wants a blank line between blocks, but not between the items of a list.
      const isApart = last.trim() === "" || isItem(last) || /^\s/.test(last) || appended.has(path);
      appended.add(path);
      const after = [...closing, ...(isApart && closing.length === 0 ? [] : [""]), ...lines];
      const change = { path, startLine: known.length + 1, before: [], after };
      return note === undefined ? { ...change, title } : change;
    },
    propose(proposal) {
      const step = withId(proposal);
      if (steps.some(({ id }) => id === step.id)) return null;
      for (const change of step.changes) take(change);
      if (isRejected(step.id)) rejected++;
      else steps.push(step);
      return step;
    },
  };
}

/** By what it rests on and what it does, wherever the lines stand by now. */
function withId(step: Omit<Step, "id">): Step {
  const sources = step.sources.flatMap(({ path, text }) => [path, text]);
  const results = step.changes.flatMap(({ path, after, movesTo = "" }) => [path, ...after, movesTo]);
  const id = sha256Of([step.kind, ...sources, ...results].map((part) => `${part}\n`)).slice(0, 10);
  const { kind, ...rest } = step;
  return { id, kind, ...rest };
}

export function sourceOf({ note, startLine, endLine, lines }: Statement): SourceLines {
  return { path: note.path, startLine, endLine, text: lines.join("\n") };
}

export function removal({ note, startLine, lines }: Statement): Change {
  return { path: note.path, startLine, before: lines, after: [] };
}

/** `memory/x.md:3`, as people and tools name lines. */
export function placeOf({ note, endLine }: Pick<Statement, "note" | "endLine">): string {
  return `${note.path}:${endLine}`;
}

export const archiveFolder = "memory/archive/";

function isArchived(path: string): boolean {
  return path.startsWith(archiveFolder) || path === privateArchive;
}

/** Lines of private notes must not become readable to others by being archived. */
export const privateArchive = "memory/private/archive.md";

export function dayBefore(day: string, count = 1): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - count);
  return date.toISOString().slice(0, 10);
}
