import { hasRelativeLink } from "../text/link-targets.ts";
import { anchorDates } from "../text/relative-dates.ts";
import { createAnalyser } from "../text/words/analyse.ts";
import { type LastingKind, lastingKindOf } from "./lasting.ts";
import type { Change } from "./plan.ts";
import { type Planning, placeOf, removal, sourceOf } from "./planning.ts";
import { isItem, type ReadNote, type Statement } from "./statements.ts";

/** Facts that last move from daily notes to where a session begins, or to the note about their topic. */
export function promoteFacts(planning: Planning): void {
  const { input, notes, longTerm, isFree, isSettled, propose } = planning;
  const topicOf = createTopicFinder(planning);
  let room = input.maxLongTermChars - (longTerm?.note.text.length ?? 0);
  const repeated = new Map<Statement, readonly Statement[]>();
  for (const group of planning.comparison().same) for (const each of group) repeated.set(each, group);
  for (const statement of notes.flatMap(({ statements }) => statements)) {
    const { note, said } = statement;
    if (!isSettled(note) || !isFree(statement) || hasRelativeLink(said)) continue;
    const group = repeated.get(statement) ?? [statement];
    // What is curated already is a matter of merging; what a newer day repeats is promoted from there.
    if (group.some((each) => each.note.date === null) || group.at(-1) !== statement) continue;
    const kind = lastingKindOf(said);
    if (kind === null) continue;
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
      reason: `${placeOf(statement)} states ${described[kind]} that lasts${why}.`,
      sources: gone.map(sourceOf),
      changes: [insertion(planning, { target, path, line, kind }), ...gone.map(removal)],
    });
  }
}

/** Where facts go for which the long-term memory has no room. */
const overflowPath = "memory/facts.md";

const described: Readonly<Record<LastingKind, string>> = {
  decision: "a decision",
  preference: "a preference",
  identity: "who somebody is",
  identifier: "what something is called, or where it is,",
};

/** At the end of the section that such facts stand in, else at the end of the note. */
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

/** A name such as `is.md` would fit everything. */
const minTopicChars = 4;

/** The note whose name the statement speaks of, when there is one: `billing.md` for what is said of billing. */
function createTopicFinder({ notes, input }: Planning): (statement: Statement) => ReadNote | undefined {
  const analyser = createAnalyser();
  const tokensOf = (text: string): Set<string> => {
    const found = new Set<string>();
    const add = (token: string): void => void found.add(token);
    analyser.scan(text, add, add);
    return found;
  };
  const topics = notes
    .filter(
      ({ note }) => note.date === null && note.path !== input.longTermPath && note.path.startsWith("memory/"),
    )
    .map((read) => {
      const name = read.note.path.slice(read.note.path.lastIndexOf("/") + 1, -".md".length);
      return { read, words: [...tokensOf(name.replace(/[-_.]/g, " "))] };
    })
    .filter(({ words }) => words.length > 0 && words.every((word) => word.length >= minTopicChars));
  return ({ said }) => {
    const tokens = tokensOf(said);
    const fitting = topics.filter(({ words }) => words.every((word) => tokens.has(word)));
    return fitting.length === 1 ? fitting[0]!.read : undefined;
  };
}
