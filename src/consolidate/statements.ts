import { findEntries } from "../text/entries.ts";
import { normaliseEntryLine } from "../text/entry-line.ts";
import { countFrontMatterLines } from "../text/front-matter.ts";
import { closesFence, fenceLength, readHeading } from "../text/markdown-line.ts";
import type { PlannedNote } from "./consolidation.ts";
import { linesOf } from "./note-set.ts";

/** A statement in one line: a list item without nested items, or a paragraph of one line. */
export interface Statement {
  readonly note: PlannedNote;
  /** Includes the comment above it that names its origin. */
  readonly startLine: number;
  readonly endLine: number;
  /** The lines as written. */
  readonly lines: readonly string[];
  /** The text without its bullet and origin. */
  readonly said: string;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
}

export interface ReadNote {
  readonly note: PlannedNote;
  /** Without their `\r`. */
  readonly lines: readonly string[];
  readonly statements: readonly Statement[];
  /** Lines of prose, 1-based: no code, front matter, comments, tables or headings. */
  readonly prose: readonly number[];
}

/** Finds the statements of a note. Whatever is not a plain sentence is not a statement. */
export function readNote(note: PlannedNote): ReadNote {
  const lines = linesOf(note.text);
  const kinds = classify(lines, countFrontMatterLines(note.text));
  const prose = kinds.flatMap((kind, at) => (kind === "prose" ? [at + 1] : []));
  const headings = headingsOf(lines, kinds);
  const statements = findEntries(note.text, prose).flatMap(({ start, end }): Statement[] => {
    const own = lines.slice(start - 1, end);
    const body = own.length > 1 && isOrigin(own[0]!) ? own.slice(1) : own;
    if (body.length !== 1 || kinds[end - 1] !== "prose") return [];
    // The next line may turn a paragraph into a heading.
    if (/^\s*(?:=+|-+)\s*$/.test(lines[end] ?? "") && !isItem(body[0]!)) return [];
    const said = normaliseEntryLine(body[0]!.replace(/^\s*\d{1,9}[.)]\s+/, ""));
    if (/^\[[ xX]\]/.test(said) || said.includes("~~") || hasComment(body[0]!)) return [];
    // Other notes may link to the line by this id.
    if (/\s\^[\w-]+$/.test(said)) return [];
    return [{ note, startLine: start, endLine: end, lines: own, said, headings: headings[end - 1]! }];
  });
  return { note, lines, statements, prose };
}

type Kind = "prose" | "heading" | "other";

function classify(lines: readonly string[], frontMatterLines: number): Kind[] {
  const isCode = createFenceReader();
  let isComment = false;
  return lines.map((line, at) => {
    if (at < frontMatterLines) return "other";
    if (isComment) {
      if (line.includes("-->")) isComment = false;
      return "other";
    }
    if (isCode(line)) return "other";
    const opened = line.lastIndexOf("<!--");
    if (opened !== -1 && !line.includes("-->", opened)) {
      isComment = true;
      return "other";
    }
    if (line.trim() === "" || isOrigin(line)) return "other";
    if (readHeading(line) !== null) return "heading";
    // Tables, quotations, HTML, breaks and indented code.
    if (/^\s*(?:[|>]|<\/?[a-z!?])|^ {0,3}(?:[-*_=]\s*){3,}$/i.test(line)) return "other";
    if (/^(?: {4}|\t)/.test(line) && !isItem(line)) return "other";
    return "prose";
  });
}

/** Tells of each line, given in order, whether it is fenced code. The fences count as code. */
export function createFenceReader(): (line: string) => boolean {
  let open: { code: number; run: number } | null = null;
  return (line) => {
    const first = line.length - line.trimStart().length;
    if (open !== null) {
      if (closesFence(line, first, line.length, open.code, open.run)) open = null;
      return true;
    }
    const run = fenceLength(line, first, line.length);
    if (run > 0) open = { code: line.charCodeAt(first), run };
    return run > 0;
  };
}

function headingsOf(lines: readonly string[], kinds: readonly Kind[]): string[][] {
  let open: { level: number; text: string }[] = [];
  return lines.map((line, at) => {
    if (kinds[at] === "heading") {
      const heading = readHeading(line)!;
      open = [...open.filter(({ level }) => level < heading.level), heading];
    }
    return open.map(({ text }) => text);
  });
}

/** The indentation and the bullet or number of a line. */
export function markerOf(line: string): string {
  return /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?/.exec(line)![0];
}

export function isItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line);
}

function isOrigin(line: string): boolean {
  return /^\s*<!-- (?:from|id): [^<>]*-->\s*$/.test(line);
}

/**
 * Any comment except an origin may have a meaning for other programs, such as an id or a marker, so the line is not
 * moved.
 */
function hasComment(line: string): boolean {
  return /<!--(?! from: [^<>]*-->)/.test(line);
}
