import { textPattern } from "../text/text-pattern.ts";
import { type Fact, foldHeading } from "./read-fact.ts";

/** What a line is about, as far as its place tells. */
export interface LineContext {
  readonly facts: readonly Fact[];
  /** What its note is about, by the name of the file; empty if that says nothing. */
  readonly subject: string;
  /** The headings above it that say something, outermost first. */
  readonly context: readonly string[];
  /** Of its headings and of its facts. */
  readonly scopes: string;
}

export function contextOf(headings: readonly string[]): string[] {
  return headings.map(foldHeading).filter((heading) => heading !== "" && !isGeneric(heading));
}

/**
 * Whether two lines may be about the same thing. Lines under different headings are not, unless one of them names the
 * other's heading; neither are lines of notes about different things.
 */
export function sharesContext(older: LineContext, newer: LineContext): boolean {
  if (older.scopes !== newer.scopes || !sharesSubject(older, newer)) return false;
  if (older.context.length === 0 || newer.context.length === 0) return true;
  if (hasOtherParent(older.context, newer.context) || hasOtherParent(newer.context, older.context))
    return false;
  const [left, right] = [older.context.at(-1)!, newer.context.at(-1)!];
  return (
    newer.context.includes(left) ||
    older.context.includes(right) ||
    newer.facts.some(({ text }) => text.includes(left)) ||
    older.facts.some(({ text }) => text.includes(right))
  );
}

/**
 * "Lives in Oslo" in the note about Anna says nothing about Bo, and nothing about whoever the daily notes are about,
 * unless one of the two lines names her.
 */
function sharesSubject(older: LineContext, newer: LineContext): boolean {
  if (older.subject === newer.subject) return true;
  return [older, newer].every(({ subject }) => subject === "" || [older, newer].some(names(subject)));
}

function names(subject: string): (line: LineContext) => boolean {
  return ({ facts, context }) =>
    [...facts.map(({ text }) => text), ...context].some((text) => {
      const isApart = (place: number): boolean => !/[a-z0-9]/.test(text[place] ?? "");
      for (let at = text.indexOf(subject); at !== -1; at = text.indexOf(subject, at + 1)) {
        // Longer names may have an ending: "deploy", "deployed".
        if (isApart(at - 1) && (subject.length > 3 || isApart(at + subject.length))) return true;
      }
      return false;
    });
}

/** "Ports" below "Staging" is not "Ports" below "Production". */
function hasOtherParent(context: readonly string[], other: readonly string[]): boolean {
  const parent = context.at(-2);
  const otherParent = other[other.lastIndexOf(context.at(-1)!) - 1];
  return parent !== undefined && otherParent !== undefined && parent !== otherParent;
}

/** Both are under the same headings, or neither heading says anything. */
export function isUnderSame(older: LineContext, newer: LineContext): boolean {
  const named = [...older.facts, ...newer.facts].map(({ text }) => text).join("\n");
  const rest = [older.context, newer.context].map((context) =>
    context.filter((heading) => !named.includes(heading)).join("\n"),
  );
  return rest[0] === rest[1];
}

const version = /^\W*v?\d+\.\d+(?:\.\d+)*(?![\d.])/;
const dottedDate = /^\W*(?:\d{1,2}\.\d{1,2}\.\d{4}|\d{2}\.\d{2}\.\d{2})\W*$/;
const letter = textPattern(String.raw`\p{L}`);
const generic = textPattern(
  String.raw`^(?:(?:\p{L}+,? )?(?:\d{1,2}\.? )?\p{L}+ (?:\d{1,2},? )?\d{4}|(?:long[- ]term )?memory|memories|notes?|log|daily(?: notes?| log)?|journal|diary|today|facts?|decisions?|standup|meeting(?: notes)?|misc|general|todo|entries|notizen|tagebuch|erinnerungen|fakten|entscheidungen|allgemein|besprechung|memoire|notes du jour|faits|decisions|divers|reunion|memoria|notas|hechos|decisiones|varios|记忆|笔记|日志|决定|事实|会议)$`,
);

const numbered = textPattern(String.raw`^(?:\p{L}{1,12} ?\d+|readme|index|inbox|home|archive)$`);

/** Headings that name a day or a kind of note say nothing about the lines below; those that name a version do. */
function isGeneric(heading: string): boolean {
  if (version.test(heading) && !dottedDate.test(heading)) return false;
  return !letter(heading).test(heading) || generic(heading).test(heading);
}

/** What a note is about, by the name of its file; empty for a day, a number or a kind of note. */
export function subjectOf(path: string): string {
  const words = path.replace(/^.*\/|\.md$/g, "").replace(/[-_]+/g, " ");
  // A name in capitals would be read as an abbreviation.
  const name = foldHeading(words.toLowerCase()).trim();
  return isGeneric(name) || numbered(name).test(name) ? "" : name;
}
