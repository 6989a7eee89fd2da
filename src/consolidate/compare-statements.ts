import { compareFacts, type ReadLine, readLine } from "../facts/compare-facts.ts";
import { dayWritten, isNewer, splitDay, type WrittenLine } from "../facts/is-newer.ts";
import type { Fact } from "../facts/read-fact.ts";
import type { Statement } from "./statements.ts";

export interface SupersededPair {
  readonly older: Statement;
  readonly newer: Statement;
}

/** The statements of all notes, each compared with those that share a word with it. */
export interface Comparison {
  /** Groups of statements that say the same, the newest last; notes without a date count as newest. */
  readonly same: readonly (readonly Statement[])[];
  /** Each superseded line once, with the newest line that contradicts it. */
  readonly superseded: readonly SupersededPair[];
}

interface Read {
  readonly statement: Statement;
  readonly line: ReadLine;
  readonly keys: readonly string[];
  readonly date: string | undefined;
  readonly written: WrittenLine;
}

/** A word in more lines than this says too little about any of them. */
const maxLinesOfWord = 200;

/** Gives way between statements: a vault has thousands, and a server answers others meanwhile. */
export async function compareStatements(
  statements: readonly Statement[],
  giveWay: () => Promise<void>,
): Promise<Comparison> {
  const all: Read[] = [];
  for (const statement of statements) {
    const each = read(statement);
    if (each.line.facts.length > 0) all.push(each);
    await giveWay();
  }
  return { same: groupSame(all), superseded: await findSuperseded(all, giveWay) };
}

function read(statement: Statement): Read {
  const { note, said, headings } = statement;
  // Promoted lines end with the day on which they were said.
  const { said: text, day } = splitDay(said);
  const date = note.date ?? day;
  const { path } = note;
  const line = readLine({ text, path, headings, ...(date === undefined ? {} : { date }) });
  const keys = [...new Set(line.facts.flatMap(({ tokens }) => tokens.map(({ key }) => key)))];
  const written = { path, line: statement.endLine, day: dayWritten(said, date), isNews: line.isNews };
  return { statement, line, keys, date, written };
}

function groupSame(all: readonly Read[]): Statement[][] {
  const byWords = Map.groupBy(all, ({ line }) =>
    line.facts
      .map(({ tokens }) =>
        tokens
          .map(({ key }) => key)
          .sort()
          .join(" "),
      )
      .join("|"),
  );
  return [...byWords].flatMap(([words, alike]) => {
    // Two words alone may recur on any day, but not in a curated note.
    const isShort = words.split(/[ |]/).length < 3;
    if (alike.length < 2 || (isShort && alike.every(({ date }) => date !== undefined))) return [];
    const groups: Read[][] = [];
    for (const each of alike) {
      const group = groups.find(([first]) => isSame(first!, each));
      if (group === undefined) groups.push([each]);
      else group.push(each);
    }
    return groups
      .filter(({ length }) => length > 1)
      .map((group) => group.map(({ statement }) => statement).sort(byAge));
  });
}

function isSame(one: Read, other: Read): boolean {
  // A note without a date describes no event of a certain day.
  const isDated = one.date !== undefined && other.date !== undefined;
  const [left, right] = [one.line, other.line].map(({ date, ...line }) =>
    isDated && date !== undefined ? { ...line, date } : line,
  );
  return [compareFacts(left!, right!), compareFacts(right!, left!)].every(
    ({ kind }) => kind === "same" || kind === "near-duplicate",
  );
}

function byAge(one: Statement, other: Statement): number {
  const [left, right] = [one.note.date ?? "9999", other.note.date ?? "9999"];
  return left < right ? -1 : left > right ? 1 : one.startLine - other.startLine;
}

async function findSuperseded(all: readonly Read[], giveWay: () => Promise<void>): Promise<SupersededPair[]> {
  const withWord = new Map<string, Read[]>();
  for (const each of all) {
    for (const key of each.keys) {
      const known = withWord.get(key);
      if (known === undefined) withWord.set(key, [each]);
      else known.push(each);
    }
  }
  for (const [key, found] of withWord) if (found.length > maxLinesOfWord) withWord.delete(key);
  const pairs: SupersededPair[] = [];
  for (const older of all) {
    const near = new Set<Read>();
    for (const key of older.keys) {
      // Most lines that share a word are not newer, so this is asked before anything is stored.
      for (const each of withWord.get(key) ?? []) if (isNewer(each.written, older.written)) near.add(each);
    }
    const newer = [...near].filter((each) => replaces(each, older));
    const [latest] = newer.toSorted((a, b) => (isNewer(a.written, b.written) ? -1 : 1));
    if (latest !== undefined) pairs.push({ older: older.statement, newer: latest.statement });
    await giveWay();
  }
  return pairs;
}

/**
 * An edit needs more certainty than a mark on a search hit: the newer line describes the change, or a value replaces
 * another where only one is possible.
 */
function replaces(newer: Read, older: Read): boolean {
  if (compareFacts(older.line, newer.line).kind !== "supersedes") return false;
  const isNew = newer.line.isNews;
  return newer.line.facts.some((said) =>
    older.line.facts.some((known) => namesOld(known, said) || exchangesOne(known, said, isNew)),
  );
}

/** "Switched from Slack to Zulip", or "we do not use Slack any more". */
function namesOld(known: Fact, said: Fact): boolean {
  const has = (key: string): boolean => known.tokens.some((token) => token.key === key);
  return said.left.some(has) || (said.denials > known.denials && said.tokens.every(({ key }) => has(key)));
}

function exchangesOne(known: Fact, said: Fact, isNew: boolean): boolean {
  const [gone, come] = [
    known.tokens.filter(({ key }) => !said.tokens.some((other) => other.key === key)),
    said.tokens.filter(({ key }) => !known.tokens.some((other) => other.key === key)),
  ];
  const [before, after] = [gone[0], come[0]];
  if (gone.length !== 1 || come.length !== 1 || before === undefined || after === undefined) return false;
  if (before.kind !== "word" && after.kind !== "word") return true;
  // A word for what or where something is, but not for what it is used for: that may be many things.
  return isNew && singleValue.test(before.link) && singleValue.test(after.link);
}

const singleValue =
  /(?:^| )(?:is|are|in|at|on|to|ist|sind|im|auf|bei|nach|est|sont|a|sur|es|son|en|esta)(?: |$)|是|在|到/u;
