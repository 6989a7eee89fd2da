import type { Step, StepKind } from "../../src/consolidate/consolidation.ts";
import { normaliseEntryLine } from "../../src/text/entry-line.ts";
import type { GeneratedMonth, PlantedLine } from "./generate-month.ts";
import { createNoteWorld, Killed, type NoteWorld } from "./note-world.ts";

export interface MonthScore {
  readonly seed: number;
  /** Steps by kind: proposed, and those that are right. */
  readonly steps: Readonly<Record<string, { proposed: number; right: number }>>;
  readonly wrong: readonly string[];
  /** Planted facts by kind, and those that a step concerns. */
  readonly planted: Readonly<Record<string, { planted: number; found: number }>>;
  /** Lines that are nowhere afterwards. */
  readonly lost: readonly string[];
  /** Notes that are not as they were, to the last byte, after an undo or after a kill. */
  readonly notRestored: readonly string[];
  readonly kills: number;
}

/** Plans, applies, undoes, and kills the process before each of its writes. */
export async function scoreMonth(
  month: GeneratedMonth,
  { withKills }: { withKills: boolean },
): Promise<MonthScore> {
  const world = createNoteWorld(month.notes, month.today);
  const { steps } = await world.open().plan();
  const seen = await world.look();
  const byLine = new Map(month.lines.map((line) => [`${line.path}\n${line.text}`, line]));
  const counts: Record<string, { proposed: number; right: number }> = {};
  const wrong: string[] = [];
  for (const step of steps) {
    counts[step.kind] ??= { proposed: 0, right: 0 };
    counts[step.kind]!.proposed++;
    if (isRight(step, month, byLine)) counts[step.kind]!.right++;
    else
      wrong.push(
        `${step.kind}: ${step.reason}\n${step.sources.map(({ text }) => `    ${text.slice(0, 120)}`).join("\n")}`,
      );
  }
  const applied = await world.apply(steps, seen);
  const writes = world.writes();
  const lost = findLost(month, world, steps);
  const notRestored: string[] = [];
  if (applied.refused.length > 0) notRestored.push(`refused: ${applied.refused[0]!.reason}`);
  const after = new Map(world.notes);
  if (applied.receipt !== null) await world.open().undo();
  compare(month.notes, world, "undo", notRestored);
  let kills = 0;
  for (let killAt = 0; withKills && killAt < writes; killAt++) {
    const killed = createNoteWorld(month.notes, month.today);
    await killed.apply(steps, seen, { killAt }).catch(ignoreKill);
    await killed.open().recover();
    const isDone = isEqual(after, killed.notes);
    if (!isDone) compare(month.notes, killed, `kill at ${killAt}`, notRestored);
    kills++;
    // The same on the way back.
    const undone = createNoteWorld(month.notes, month.today);
    await undone.apply(steps, seen);
    await undone.open({ killAt }).undo().catch(ignoreKill);
    await undone.open().recover();
    if (!isEqual(after, undone.notes)) compare(month.notes, undone, `undo killed at ${killAt}`, notRestored);
    kills++;
  }
  return {
    seed: month.seed,
    steps: counts,
    wrong,
    planted: countFound(month, steps),
    lost,
    notRestored,
    kills,
  };
}

function ignoreKill(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

function isEqual(left: ReadonlyMap<string, Buffer>, right: ReadonlyMap<string, Buffer>): boolean {
  return left.size === right.size && [...left].every(([path, bytes]) => right.get(path)?.equals(bytes));
}

function compare(
  expected: ReadonlyMap<string, Buffer>,
  { notes }: NoteWorld,
  when: string,
  found: string[],
): void {
  for (const path of new Set([...expected.keys(), ...notes.keys()])) {
    const [one, other] = [expected.get(path), notes.get(path)];
    if (one === undefined || other === undefined || !one.equals(other)) found.push(`${when}: ${path}`);
  }
}

function isRight(step: Step, month: GeneratedMonth, byLine: ReadonlyMap<string, PlantedLine>): boolean {
  const planted = step.sources.map(({ path, text }) => byLine.get(`${path}\n${text}`));
  switch (step.kind) {
    case "trim":
      return step.sources[0]!.path === "MEMORY.md" && month.notes.get("MEMORY.md")!.length > 4000;
    case "archive": {
      const { path } = step.sources[0]!;
      const holds = month.lines.some((line) => line.path === path && line.kind === "lasting");
      return !month.linked.has(path) && !holds && daysBetween(path.slice(7, 17), month.today) > 180;
    }
    case "anchor":
      return step.changes.every(({ path, before, after }) => {
        const line = byLine.get(`${path}\n${before[0]}`);
        return (
          line?.anchored !== undefined && normaliseEntryLine(after[0]!) === normaliseEntryLine(line.anchored)
        );
      });
    case "supersede": {
      const [older, newer] = planted;
      return older?.fact !== undefined && older.fact === newer?.fact && older.version! < newer.version!;
    }
    case "promote":
      return planted.every(
        (line) =>
          line?.fact === planted[0]?.fact &&
          (line?.kind === "lasting" || (line?.kind === "changing" && line.version === 1)),
      );
    case "merge": {
      const isSameText =
        new Set(step.sources.map(({ path, text }) => `${path}\n${normaliseEntryLine(text)}`)).size === 1;
      return (
        isSameText ||
        planted.every(
          (line) =>
            line?.fact !== undefined &&
            line.fact === planted[0]?.fact &&
            line.version === planted[0]?.version,
        )
      );
    }
  }
}

/** Every line of the input is in a note, in the archive, or named by a step that keeps another line that says the same. */
function findLost({ notes }: GeneratedMonth, world: NoteWorld, steps: readonly Step[]): string[] {
  const present = [...world.notes.values()].map((bytes) => bytes.toString()).join("\n");
  const said = new Set(present.split("\n").map(plain));
  const merged = new Set(
    steps
      .filter(
        ({ kind, sources }) =>
          (kind === "merge" || kind === "promote") &&
          sources.some(({ text }) => hasLine(said, present, text)),
      )
      .flatMap(({ sources }) => sources.flatMap(({ text }) => text.split("\n").map(plain))),
  );
  return [...notes].flatMap(([path, bytes]) =>
    bytes
      .toString()
      .split("\n")
      .filter((line) => line.trim() !== "" && !hasLine(said, present, line) && !merged.has(plain(line)))
      .map((line) => `${path}: ${line}`),
  );
}

/** As it was, or within a line that got a date, a mark or a place behind it. */
function hasLine(said: ReadonlySet<string>, present: string, line: string): boolean {
  const wanted = plain(line);
  return said.has(wanted) || present.includes(wanted.replace(/[.。]$/, ""));
}

function plain(line: string): string {
  return normaliseEntryLine(
    line
      .replace(/^\ufeff|\r$/g, "")
      .replace(/ \(\d{4}-\d{2}-\d{2}\)|（\d{4}-\d{2}-\d{2}）/g, "")
      .replaceAll("~~", ""),
  );
}

function countFound({ lines, today }: GeneratedMonth, steps: readonly Step[]): MonthScore["planted"] {
  const touched = (kinds: readonly StepKind[]) =>
    new Set(
      steps
        .filter(({ kind }) => kinds.includes(kind))
        .flatMap(({ sources }) => sources.map(({ path, text }) => `${path}\n${text}`)),
    );
  const count = (wanted: readonly PlantedLine[], kinds: readonly StepKind[]) => {
    const found = touched(kinds);
    return {
      planted: wanted.length,
      found: wanted.filter(({ path, text }) => found.has(`${path}\n${text}`)).length,
    };
  };
  const settled = lines.filter(
    ({ path }) => path === "MEMORY.md" || daysBetween(path.slice(7, 17), today) > 1,
  );
  return {
    lasting: count(
      settled.filter(({ kind }) => kind === "lasting"),
      ["promote", "merge"],
    ),
    changed: count(
      settled.filter(({ kind, version }) => kind === "changing" && version === 0),
      ["supersede"],
    ),
    relative: count(
      settled.filter(({ kind }) => kind === "relative"),
      ["anchor"],
    ),
  };
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
