import { textPattern } from "../text/text-pattern.ts";
import { rolePredicates, singleValued } from "./change-patterns.ts";
import { alignTokens, type FactToken, isOneBlock } from "./fact-tokens.ts";
import type { Fact } from "./read-fact.ts";
import {
  addingVerbs,
  appointments,
  genericVerbs,
  isRegion,
  measures,
  prices,
  recurring,
  schedules,
  series,
  units,
} from "./word-tables.ts";

interface Change {
  readonly about: string;
  readonly before?: string;
  readonly after?: string;
}

interface ChangeOptions {
  /** The lines are under the same headings. */
  readonly isUnderSame: boolean;
  /** They are in notes of two days. */
  readonly isDiary: boolean;
}

/** What a newer sentence changes about an older one; null if it is not certain that it changes anything. */
export function findChange(older: Fact, newer: Fact, options: ChangeOptions): Change | null {
  if ([older, newer].some(({ isQuestion, isPlanned, isPast }) => isQuestion || isPlanned || isPast))
    return null;
  if (newer.isAdded || older.isAdded || older.scopes !== newer.scopes) return null;
  if (older.persons !== newer.persons && older.persons !== "" && newer.persons !== "") return null;
  return findEnd(older, newer) ?? findNewValue(older, newer, options) ?? findMove(older, newer);
}

/** "We no longer use Slack": the same words, denied. */
function findEnd(older: Fact, newer: Fact): Change | null {
  if (older.denials === newer.denials || older.limits !== newer.limits) return null;
  const known = new Set(older.tokens.map(({ key }) => key));
  const said = newer.tokens.filter(({ key }) => known.has(key));
  if (said.length < 2 || said.length !== newer.tokens.length) return null;
  const missing = older.tokens.length - said.length;
  if (missing > (newer.isNews ? 1 : 0)) return null;
  return { about: wordsOf(said) };
}

/** "The standup starts at 9:30" and "… at 10:00": the same words except for one value. */
function findNewValue(older: Fact, newer: Fact, { isUnderSame, isDiary }: ChangeOptions): Change | null {
  if (older.denials !== newer.denials || older.limits !== newer.limits) return null;
  const { shared, left, right } = alignTokens(older.tokens, newer.tokens);
  if (left.length === 0 || right.length === 0 || shared.length === 0) return null;
  const words = shared.filter(({ kind, text }) => kind === "word" && !genericVerbs(text).test(text));
  const [before, after] = [left.map(({ token }) => token), right.map(({ token }) => token)];
  const change = { about: wordsOf(shared), before: wordsOf(before), after: wordsOf(after) };
  if (!isUnderSame && !newer.isNews && words.length < 2) return null;
  if (!isOneBlock(left) || !isOneBlock(right)) {
    const isPairOfValues = left.length === 2 && right.length === 2 && sameKinds(before, after);
    return newer.isNews && isPairOfValues && before.every(({ kind }) => kind !== "word") && words.length > 0
      ? change
      : null;
  }
  const place = placeOf(older, left[0]!.at, left.length);
  if (sameKinds(before, after) && before.some(({ kind }) => kind !== "word")) {
    return isValueChange({ older, newer, before, after, words, place, isDiary }) ? change : null;
  }
  if ([...before, ...after].some(({ kind }) => kind !== "word")) return null;
  if (before.length > 3 || after.length > 3 || words.length === 0) return null;
  return isNameChange({ older, newer, before, after, shared, words, place }) ? change : null;
}

/** "We moved the standup to 10:15", "we switched from Slack to Zulip": a sentence that describes the change. */
function findMove(older: Fact, newer: Fact): Change | null {
  if (!newer.namesChange || older.denials > 0 || newer.denials > 0) return null;
  const known = new Set(older.tokens.map(({ key }) => key));
  const shared = newer.tokens.filter(({ key, kind }) => known.has(key) && kind === "word");
  const values = (tokens: readonly FactToken[]) => tokens.filter(({ kind }) => kind !== "word");
  const gone = newer.tokens.find(({ key }) => newer.left.includes(key) && known.has(key));
  const subject = shared.filter((token) => token !== gone && !genericVerbs(token.text).test(token.text));
  if (subject.length === 0) return null;
  if (gone !== undefined) {
    const [next] = newer.tokens.slice(newer.tokens.indexOf(gone) + 1).filter(({ key }) => !known.has(key));
    return { about: wordsOf(subject), before: gone.text, ...(next && { after: next.text }) };
  }
  const [before, after] = [values(older.tokens), values(newer.tokens)];
  if (before.length !== 1 || after.length !== 1 || before[0]!.kind !== after[0]!.kind) return null;
  if (before[0]!.key === after[0]!.key || before[0]!.kind === "number") return null;
  const unknown = newer.tokens.filter((token) => token.kind === "word" && !known.has(token.key));
  const rest = older.tokens.filter(
    ({ kind, key }) => kind === "word" && !subject.some((each) => each.key === key),
  );
  if (unknown.length > 0 || rest.length > 1) return null;
  return { about: wordsOf(subject), before: before[0]!.text, after: after[0]!.text };
}

interface Candidate {
  readonly older: Fact;
  readonly newer: Fact;
  readonly before: readonly FactToken[];
  readonly after: readonly FactToken[];
  readonly words: readonly FactToken[];
  readonly place: Place;
}

function isValueChange({
  older,
  newer,
  before,
  after,
  words,
  place,
  isDiary,
}: Candidate & Pick<ChangeOptions, "isDiary">): boolean {
  const value = before.find(({ kind }) => kind !== "word")!;
  const other = after.find(({ kind }) => kind !== "word")!;
  if (before.length !== 1 || words.length === 0) return false;
  if (value.kind === "address") return newer.isNews || isAssigned(value);
  // An appointment on another day is another appointment, unless the line says that it was moved.
  if (!newer.isNews && times.has(value.kind) && isAppointment(words)) return false;
  const { previous, next, isFirst } = place;
  const isBareNumber = value.kind === "number" && value.link === "" && previous !== undefined;
  const isMeasured =
    measures(previous?.text ?? "").test(previous?.text ?? "") ||
    units(next?.text ?? "").test(next?.text ?? "");
  // "Room 12 is blue": the number identifies the room.
  if (isBareNumber && next !== undefined && !isMeasured) return false;
  if (value.kind === "number" && previous !== undefined && series(previous.text).test(previous.text))
    return false;
  if (newer.isNews) return true;
  if (isFirst) return false;
  // A diary records a weight or an amount every day.
  if (isKeyed(value) && (isDiary || !isKey(words))) return false;
  switch (value.kind) {
    case "weekday":
    case "month":
    case "date":
      // In notes of two days, "Monday" may be two Mondays.
      return isAssigned(value) && isAssigned(other);
    case "version":
      return isAssigned(value);
    case "time":
      return isAssigned(value) || words.some(({ text }) => schedules(text).test(text));
    case "money":
      return prices(older.text).test(older.text);
    default:
      return isAssigned(value) || isMeasured || (next === undefined && words.length >= 2);
  }
}

function isNameChange({
  older,
  newer,
  before,
  after,
  words,
  shared,
  place,
}: Candidate & { readonly shared: readonly FactToken[] }): boolean {
  if (shared.some(({ text }) => addingVerbs(text).test(text))) return false;
  // "The lead of team red is Anna": if the verb is within what differs, subject and value are on both sides of it.
  if ([before, after].some((tokens) => tokens.slice(1).some(isAssigned))) return false;
  // "Anna lives in Berlin", "Anna works in Berlin now": person and place are equal, and what differs is not a value.
  if ([before, after].some((tokens) => isPredicate(tokens, place.next))) return false;
  if (place.isFirst) {
    const isHeld = rolePredicates(older.text).test(older.text) && rolePredicates(newer.text).test(newer.text);
    return isHeld && words.length >= 2;
  }
  // A value that both lines name belongs to two different attributes.
  if (shared.some(({ kind }) => kind !== "word")) return false;
  const [first, other] = [before[0]!, after[0]!];
  if (isKeyed(first) || isKeyed(other)) {
    return isKeyed(first) && isKeyed(other) && place.after === 0 && isKey(words) && isBare(before, after);
  }
  if (place.after > 1 || isOtherAttribute(first, other)) return false;
  // Someone who lives in Germany may well live in Berlin.
  if (isRegion(wordsOf(before)) !== isRegion(wordsOf(after))) return false;
  if (!newer.isNews && !singleValued(older.text).test(older.text)) return false;
  return newer.isNews || words.length >= 2;
}

/** "Works at Acme" and "works in Berlin" are employer and place. But a thing in a drawer may move onto a shelf. */
function isOtherAttribute(left: FactToken, right: FactToken): boolean {
  const [a, b] = [left, right].map(prepositionOf);
  return a !== undefined && b !== undefined && a !== b && !(isAssigned(left) && isAssigned(right));
}

const prepositions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    in: "in im en dans à au aux",
    at: "at for bei beim fur chez para pour",
    on: "on auf sur sobre",
    with: "with mit avec con",
    to: "to zu zum zur",
    from: "from von vom aus",
  }).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);

function prepositionOf({ link, text }: FactToken): string | undefined {
  // Without its accent the French "à" looks like an English article, and the German "an" like another.
  const plain = link.replace(/^a$/, "à").replace(/^an (?=d(?:er|em|en)$)|^am$/, "auf ");
  return [...plain.split(" "), text].map((word) => prepositions.get(word)).find((kind) => kind !== undefined);
}

function isPredicate(tokens: readonly FactToken[], next: FactToken | undefined): boolean {
  const text = `${wordsOf(tokens)} ${next?.link ?? ""}`;
  return singleValued(text).test(text);
}

/** An event that takes place once. What "starts" at a time or has a "slot" is regular. */
function isAppointment(words: readonly FactToken[]): boolean {
  return (
    words.some(({ text }) => appointments.test(text)) &&
    !words.some(({ text }) => recurring.test(text) || schedules(text).test(text))
  );
}

const times: ReadonlySet<FactToken["kind"]> = new Set(["weekday", "month", "date", "time"]);

interface Place {
  readonly previous: FactToken | undefined;
  readonly next: FactToken | undefined;
  readonly isFirst: boolean;
  /** The number of words after it. */
  readonly after: number;
}

function placeOf({ tokens }: Fact, at: number, length: number): Place {
  return {
    previous: tokens[at - 1],
    next: tokens[at + length],
    isFirst: at === 0,
    after: tokens.length - at - length,
  };
}

/** "Port: 8080", "the port is 8080". */
function isAssigned({ link }: FactToken): boolean {
  return isKeyed({ link }) || link.split(" ").some((word) => copulas.has(word));
}

const longWord = textPattern(String.raw`^(?:[a-z]{10,}|\p{sc=Han}{3,})$`);

/** A colon may also follow a speaker, so one short word is not enough for a key. */
function isKey(words: readonly FactToken[]): boolean {
  return words.length > 1 || longWord(words[0]!.text).test(words[0]!.text);
}

/** A value, not a sentence. */
function isBare(...sides: readonly (readonly FactToken[])[]): boolean {
  return sides.every((tokens) => tokens.slice(1).every(({ link }) => link === ""));
}

function isKeyed({ link }: Pick<FactToken, "link">): boolean {
  return /[:：=]/u.test(link);
}

const copulas = new Set("is are be ist sind liegt est sont es son esta estan 是 在 为".split(" "));

function sameKinds(left: readonly FactToken[], right: readonly FactToken[]): boolean {
  return left.length === right.length && left.every(({ kind }, at) => kind === right[at]!.kind);
}

function wordsOf(tokens: readonly FactToken[]): string {
  return tokens.map(({ text }) => text).join(" ");
}
