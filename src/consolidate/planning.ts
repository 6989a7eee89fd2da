import { throwIfAborted } from "../errors.ts";
import { shiftDay } from "../text/day.ts";
import { sha256Of } from "../text/hash.ts";
import { outlineMarkdown } from "../text/markdown.ts";
import { createSlices, sliceMs } from "../timing.ts";
import { type Comparison, compareStatements } from "./compare-statements.ts";
import type { Change, PlannedNote, SourceLines, Step, SubmittedStep } from "./consolidation.ts";
import { linesOf } from "./note-set.ts";
import { isItem, type ReadNote, readNote, type Statement } from "./statements.ts";

/** How often searches returned a note. */
export interface Recalls {
  /** The day of the first count; null before it. */
  readonly since: string | null;
  /** Of its most recalled line; null for a note that was never recalled. */
  of(path: string): { readonly count: number; readonly lastDay: string } | null;
}

export interface PlanInput {
  readonly notes: readonly PlannedNote[];
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Daily notes before this day are left alone. */
  readonly since?: string | undefined;
  /** `MEMORY.md`, or the note that replaces it. */
  readonly longTermPath: string;
  /** How much of it a session begins with. */
  readonly maxLongTermChars: number;
  /** Older daily notes are archived, unless a note links to them or they were recalled within this time. */
  readonly archiveAfterDays: number;
  /** Null if recalls are not counted. */
  readonly recalls?: Recalls | null | undefined;
  /** Steps proposed by a model; they take precedence over those of the rules. */
  readonly submitted?: readonly SubmittedStep[] | undefined;
  readonly isRejected?: ((id: string) => boolean) | undefined;
}

/** What the rules share: the notes, and which lines already belong to a step. */
export interface Planning {
  readonly input: PlanInput;
  readonly notes: readonly ReadNote[];
  readonly longTerm: ReadNote | undefined;
  /** How the statements relate. */
  readonly comparison: Comparison;
  /** True for a daily note that is complete and not before `since`. */
  isSettled(note: PlannedNote): boolean;
  /** No step has taken any of these lines. */
  isFree(statement: Pick<Statement, "note" | "startLine" | "endLine">): boolean;
  isUntouched(path: string): boolean;
  /** A line on this many days comes from a template or a habit of the journal: moving it would edit all of them. */
  isTemplate(days: number): boolean;
  /** Appends lines to a note, and creates it if necessary. */
  append(path: string, lines: readonly string[], title: string): Change;
  /** Claims the lines of a step and adds it to the plan unless it was rejected; null if it is already there. */
  propose(step: Omit<Step, "id">): Step | null;
}

interface PlanningResult extends Planning {
  readonly steps: readonly Step[];
  readonly rejected: () => number;
}

/** A planning for steps that a model submits: those need no comparison of all statements. */
export function createSubmittedPlanning(input: PlanInput): PlanningResult {
  const notes = input.notes.filter(isConsidered).map(readNote);
  return createPlanning(input, notes, { same: [], superseded: [] });
}

/** Compares the statements of all notes, and gives way to other work meanwhile. */
export async function createFullPlanning(
  input: PlanInput,
  signal: AbortSignal | undefined,
): Promise<PlanningResult> {
  const slices = createSlices(sliceMs);
  const giveWay = async (): Promise<void> => {
    if (!slices.isOver()) return;
    await slices.next();
    throwIfAborted(signal);
  };
  const notes: ReadNote[] = [];
  for (const note of input.notes.filter(isConsidered)) {
    notes.push(readNote(note));
    await giveWay();
  }
  const statements = notes.flatMap((note) => note.statements);
  return createPlanning(input, notes, await compareStatements(statements, giveWay));
}

function createPlanning(
  input: PlanInput,
  notes: readonly ReadNote[],
  comparison: Comparison,
): PlanningResult {
  const { today, since, longTermPath, isRejected = () => false } = input;
  const taken = new Map<string, Set<number>>();
  const steps: Step[] = [];
  const yesterday = shiftDay(today, -1);
  const appended = new Set<string>();
  const dailyNotes = notes.filter(({ note }) => note.date !== null).length;
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
    isTemplate: (days) => days >= minTemplateDays && days > templateShare * dailyNotes,
    comparison,
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
      // Markdown needs a blank line between blocks, but not between list items.
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

/** Derived from its sources and its effect, wherever the lines are now. */
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

/** Of all daily notes, the share that a line is in if it comes from a template. */
const templateShare = 0.25;
/** A fact may be written down on as many days in any memory. */
const minTemplateDays = 6;

export const archiveFolder = "memory/archive/";

function isConsidered({ path }: PlannedNote): boolean {
  return !path.startsWith(archiveFolder) && path !== privateArchive;
}

/** Archiving must not make lines of private notes readable to others. */
export const privateArchive = "memory/private/archive.md";
