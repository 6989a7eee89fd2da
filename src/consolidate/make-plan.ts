import { privateFolder } from "../notes/note-path.ts";
import { shiftDay } from "../text/day.ts";
import { outlineMarkdown } from "../text/markdown.ts";
import { hasRelativeLink, linkTargets } from "../text/note-parts.ts";
import { anchorDates } from "../text/relative-dates.ts";
import { createAnalyzer, tokensOf } from "../text/words/analyze.ts";
import type { Change, Plan } from "./consolidation.ts";
import { type LastingKind, lastingKindOf } from "./lasting.ts";
import {
  archiveFolder,
  createFullPlanning,
  type PlanInput,
  type Planning,
  placeOf,
  type Recalls,
  removal,
  sourceOf,
} from "./planning.ts";
import { anchorRelativeDates, mergeDuplicates, retireSuperseded } from "./rules.ts";
import { isItem, type ReadNote, type Statement } from "./statements.ts";
import { proposeSubmitted } from "./submitted.ts";

/**
 * Proposes how to tidy these notes. A line is part of at most one step; a second one is proposed after the first was
 * applied. The same notes always give the same plan.
 */
export async function makePlan(input: PlanInput, signal?: AbortSignal): Promise<Plan> {
  const planning = await createFullPlanning(input, signal);
  proposeSubmitted(planning, input.submitted ?? []);
  retireSuperseded(planning);
  promoteFacts(planning);
  mergeDuplicates(planning, (said) => lastingKindOf(said) !== null);
  anchorRelativeDates(planning);
  trimLongTerm(planning);
  archiveOldNotes(planning);
  const { longTerm, steps } = planning;
  return {
    steps,
    notes: planning.notes.length,
    skipped: [],
    rejected: planning.rejected(),
    budget:
      longTerm === undefined
        ? null
        : { path: longTerm.note.path, chars: longTerm.note.text.length, maxChars: input.maxLongTermChars },
  };
}

/** Moves lasting facts from daily notes to the long-term memory, or to the note about their topic. */
function promoteFacts(planning: Planning): void {
  const { input, notes, longTerm, isFree, isSettled, propose } = planning;
  const topicOf = createTopicFinder(planning);
  let room = input.maxLongTermChars - (longTerm?.note.text.length ?? 0);
  const repeated = new Map<Statement, readonly Statement[]>();
  for (const group of planning.comparison.same) for (const each of group) repeated.set(each, group);
  for (const statement of notes.flatMap(({ statements }) => statements)) {
    const { note, said } = statement;
    if (!isSettled(note) || !isFree(statement) || hasRelativeLink(said)) continue;
    const group = repeated.get(statement) ?? [statement];
    // Duplicates of curated lines are merged instead; of repeated ones, the newest is promoted.
    if (group.some((each) => each.note.date === null) || group.at(-1) !== statement) continue;
    const kind = lastingKindOf(said);
    if (kind === null || planning.isTemplate(group.length)) continue;
    const gone = group.filter((each) => isSettled(each.note) && isFree(each));
    const line = `- ${anchorDates(said, note.date!)} (${note.date})`;
    const topic = topicOf(statement);
    const fits = line.length + 1 <= room;
    const target = topic ?? (fits ? longTerm : undefined);
    const path = topic?.note.path ?? (fits ? input.longTermPath : overflowPath);
    if (path === input.longTermPath) room -= line.length + 1;
    const why = gone.length > 1 ? ` and is said on ${gone.length} days` : "";
    propose({
      kind: "promote",
      reason: `${placeOf(statement)} states ${described[kind]}${why}.`,
      sources: gone.map(sourceOf),
      changes: [insertion(planning, { target, path, line, kind }), ...gone.map(removal)],
    });
  }
}

/** Where facts go that do not fit into the long-term memory. */
const overflowPath = "memory/facts.md";

const described: Readonly<Record<LastingKind, string>> = {
  decision: "a lasting decision",
  preference: "a lasting preference",
  identity: "a lasting fact about a person",
  identifier: "a lasting name or place of something",
};

/** At the end of the section with facts of this kind, otherwise at the end of the note. */
function insertion(
  { append, input }: Planning,
  {
    target,
    path,
    line,
    kind,
  }: { target: ReadNote | undefined; path: string; line: string; kind: LastingKind },
): Change {
  const title = path === input.longTermPath ? "# Memory" : "# Facts";
  const last = target?.statements.findLast(
    ({ headings, lines }) =>
      headings.length > 0 && sections[kind].test(headings.at(-1)!) && isItem(lines.at(-1)!),
  );
  if (last === undefined) return append(path, [line], title);
  return { path, startLine: last.endLine + 1, before: [], after: [line] };
}

const sections: Readonly<Record<LastingKind, RegExp>> = {
  decision: /decision|entscheidung|décision|decisi[oó]n|决定|決定/iu,
  preference: /preference|vorlieb|préférence|preferencia|偏好|好み/iu,
  identity: /people|team|who|personen|leute|équipe|personnes|equipo|personas|家人|同事|人/iu,
  identifier: /facts|names|addresses|fakten|namen|faits|hechos|datos|事实|事実/iu,
};

/** A shorter name, such as `is.md`, would match everything. */
const minTopicChars = 4;

/** The note whose name occurs in the statement, if any: `billing.md` for statements about billing. */
function createTopicFinder({ notes, input }: Planning): (statement: Statement) => ReadNote | undefined {
  const analyzer = createAnalyzer();
  const topics = notes
    .filter(
      ({ note }) => note.date === null && note.path !== input.longTermPath && note.path.startsWith("memory/"),
    )
    .map((read) => {
      const name = read.note.path.slice(read.note.path.lastIndexOf("/") + 1, -".md".length);
      return { read, words: [...tokensOf(name.replace(/[-_.]/g, " "), analyzer)] };
    })
    .filter(({ words }) => words.length > 0 && words.every((word) => word.length >= minTopicChars));
  return ({ said }) => {
    const tokens = tokensOf(said, analyzer);
    const fitting = topics.filter(({ words }) => words.every((word) => tokens.has(word)));
    return fitting.length === 1 ? fitting[0]!.read : undefined;
  };
}

/**
 * A session begins with the first lines of the long-term memory, and what does not fit is not read. So sections from
 * its end move to private notes of their own, and a line says where.
 */
function trimLongTerm({ input, longTerm, isFree, append, propose }: Planning): void {
  if (longTerm === undefined) return;
  const { note, lines } = longTerm;
  let over = note.text.length - input.maxLongTermChars;
  if (over <= 0) return;
  const { headings } = outlineMarkdown(note.text, 0);
  const sections = headings.filter(({ level }) => level === 2);
  for (const section of sections.toReversed()) {
    if (over <= 0) return;
    const next = headings.find(({ line, level }) => line > section.line && level <= 2);
    const start = section.line + 1;
    const end = next?.line ?? lines.length;
    const body = trimBlank(lines.slice(start, end));
    const first = start + body.skipped + 1;
    const size = body.lines.join("\n").length;
    // Moving a section must save more than the line that says where it went.
    const path = `${privateFolder}${slugOf(section.text)}.md`;
    const pointer = `- See [${section.text}](${path}).`;
    if (size <= pointer.length * 2) continue;
    if (!isFree({ note, startLine: first, endLine: first + body.lines.length - 1 })) continue;
    over -= size - pointer.length;
    propose({
      kind: "trim",
      reason: `${note.path} has ${note.text.length} characters, and a session begins with the first ${input.maxLongTermChars}: the section "${section.text}" moves to ${path}.`,
      sources: [
        {
          path: note.path,
          startLine: first,
          endLine: first + body.lines.length - 1,
          text: body.lines.join("\n"),
        },
      ],
      changes: [
        append(path, body.lines, `# ${section.text}`),
        { path: note.path, startLine: first, before: body.lines, after: [pointer] },
      ],
    });
  }
}

function trimBlank(lines: readonly string[]): { lines: readonly string[]; skipped: number } {
  const isFull = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isFull);
  if (first === -1) return { lines: [], skipped: 0 };
  return { lines: lines.slice(first, lines.findLastIndex(isFull) + 1), skipped: first };
}

function slugOf(heading: string): string {
  const slug = heading
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" || slug === "archive" ? "more" : slug;
}

/**
 * Moves old daily notes to the archive if no note links to them and no search returned them lately. Only those below
 * memory/: the other folders of an adopted vault are its owner's to arrange.
 */
function archiveOldNotes({ input, notes, isSettled, isUntouched, propose }: Planning): void {
  const { today, archiveAfterDays, recalls } = input;
  const limit = shiftDay(today, -archiveAfterDays);
  const linked = new Set(notes.flatMap(({ note }) => linkTargets(note.text)));
  const known = new Set(input.notes.map(({ path }) => path));
  for (const { note, lines } of notes) {
    if (!isSettled(note) || note.date! >= limit || !isUntouched(note.path)) continue;
    if (!note.path.startsWith("memory/")) continue;
    if (lines.every((line) => line.trim() === "") || hasRelativeLink(note.text)) continue;
    const name = note.path.slice(note.path.lastIndexOf("/") + 1);
    const isLinked = [note.path, note.path.slice(0, -".md".length), name, name.slice(0, -".md".length)].some(
      (target) => linked.has(target),
    );
    const recalled = recalls?.of(note.path) ?? null;
    if (isLinked || (recalled !== null && recalled.lastDay >= limit)) continue;
    const movesTo = `${archiveFolder}${note.path.replace(/^memory\//, "")}`;
    if (known.has(movesTo)) continue;
    const unused = describeUse(recalls ?? null, recalled);
    propose({
      kind: "archive",
      reason: `${note.path} is more than ${archiveAfterDays} days old, ${unused}. It stays searchable in the archive.`,
      sources: [{ path: note.path, startLine: 1, endLine: lines.length, text: lines.join("\n") }],
      changes: [{ path: note.path, startLine: 1, before: lines, after: [], movesTo }],
    });
  }
}

function describeUse(recalls: Recalls | null, recalled: ReturnType<Recalls["of"]>): string {
  if (recalled !== null) {
    const times = recalled.count === 1 ? "once" : `${recalled.count} times`;
    return `no note links to it, and it was recalled ${times}, last on ${recalled.lastDay}`;
  }
  if (recalls === null || recalls.since === null) return "and no note links to it";
  return `no note links to it, and no search has recalled it (counted since ${recalls.since})`;
}
