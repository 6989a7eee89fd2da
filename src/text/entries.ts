import type { LineRange } from "./document.ts";
import { countFrontMatterLines } from "./front-matter.ts";
import {
  atxLevel,
  charCode,
  closesFence,
  countIndent,
  fenceLength,
  isListItem,
  skipSpaces,
} from "./markdown-line.ts";

type Kind = "blank" | "heading" | "item" | "text" | "row" | "fence" | "front-matter";

interface Line {
  readonly kind: Kind;
  readonly indent: number;
  /** Lines of one fenced block share its first line. */
  readonly block: number;
}

/**
 * The whole entries that some lines belong to: a list item with everything indented below it, a paragraph, a fenced
 * block, a table row, a heading alone. Forgetting half a sentence makes no sense. A comment line that names the origin
 * of an entry belongs to it.
 */
export function findEntries(text: string, numbers: readonly number[]): LineRange[] {
  const lines = splitLines(text);
  const kinds = classify(lines, countFrontMatterLines(text));
  const items = findItems(kinds);
  const ranges = numbers
    .filter((number) => number >= 1 && number <= lines.length && kinds[number - 1]!.kind !== "blank")
    .map((number) => entryAt(kinds, items, number - 1))
    .map(({ start, end }) => ({ start: hasOriginAbove(lines, start) ? start - 1 : start, end }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined.map(({ start, end }) => ({ start: start + 1, end: end + 1 }));
}

/** The top-level list items of a text, each with everything that belongs to it. */
export function findTopItems(text: string): LineRange[] {
  const lines = splitLines(text);
  const { ends } = findItems(classify(lines, countFrontMatterLines(text)));
  const top: LineRange[] = [];
  for (const start of [...ends.keys()].sort((a, b) => a - b)) {
    if (start + 1 <= (top.at(-1)?.end ?? 0)) continue;
    top.push({ start: start + 1, end: ends.get(start)! + 1 });
  }
  return top;
}

function splitLines(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

function classify(lines: readonly string[], frontMatterLines: number): Line[] {
  let fence: { code: number; run: number; line: number } | null = null;
  return lines.map((text, index) => {
    const first = skipSpaces(text, 0, text.length);
    const indent = countIndent(text, 0, first);
    const line = (kind: Kind, block = index): Line => ({ kind, indent, block });
    if (index < frontMatterLines) return line("front-matter", 0);
    if (fence !== null) {
      const { block, code, run } = { block: fence.line, ...fence };
      if (closesFence(text, first, text.length, code, run)) fence = null;
      return line("fence", block);
    }
    if (first === text.length || text.trim() === "") return line("blank");
    const run = fenceLength(text, first, text.length);
    if (run > 0) {
      fence = { code: text.charCodeAt(first), run, line: index };
      return line("fence");
    }
    if (indent < 4 && atxLevel(text, first, text.length) > 0) return line("heading");
    if (isListItem(text, first, text.length)) return line("item");
    return line(text.charCodeAt(first) === charCode.pipe ? "row" : "text");
  });
}

function entryAt(lines: readonly Line[], items: Items, at: number): LineRange {
  const { kind } = lines[at]!;
  const item = items.owners[at]!;
  if (item !== none) return { start: item, end: items.ends.get(item)! };
  if (kind === "heading" || kind === "row") return { start: at, end: at };
  if (kind === "fence" || kind === "front-matter") return blockAround(lines, at);
  const isText = (line: number): boolean => lines[line]?.kind === "text" && items.owners[line] === none;
  let [start, end] = [at, at];
  while (isText(start - 1)) start--;
  while (isText(end + 1)) end++;
  return { start, end };
}

interface Items {
  /** The innermost list item of each line. */
  readonly owners: Int32Array;
  /** The last line of each item. */
  readonly ends: ReadonlyMap<number, number>;
}

const none = -1;

/** In one pass: an item stays open until a line that is not indented further, or a heading. */
function findItems(lines: readonly Line[]): Items {
  const owners = new Int32Array(lines.length).fill(none);
  const ends = new Map<number, number>();
  const open: { line: number; indent: number }[] = [];
  let lastFull = none;
  const closeFrom = (indent: number): void => {
    while (open.length > 0 && open.at(-1)!.indent >= indent) ends.set(open.pop()!.line, lastFull);
  };
  for (const [at, { kind, indent, block }] of lines.entries()) {
    if (kind === "blank") continue;
    const before = lastFull === at - 1 ? lines[lastFull]?.kind : undefined;
    const isInner = kind === "fence" && block !== at;
    // An unindented line continues the paragraph of an item until a blank line.
    const goesOn = kind === "text" && (before === "text" || before === "item");
    if (kind === "heading" || kind === "front-matter") closeFrom(0);
    else if (!isInner && !goesOn) closeFrom(indent);
    if (kind === "item") open.push({ line: at, indent });
    if (kind !== "heading" && kind !== "front-matter") owners[at] = open.at(-1)?.line ?? none;
    lastFull = at;
  }
  closeFrom(0);
  return { owners, ends };
}

function blockAround(lines: readonly Line[], at: number): LineRange {
  const { kind, block } = lines[at]!;
  let end = at;
  while (lines[end + 1]?.kind === kind && lines[end + 1]!.block === block) end++;
  return { start: block, end };
}

function hasOriginAbove(lines: readonly string[], start: number): boolean {
  return /^\s*<!-- (?:from|id): [^<>]*-->\s*$/.test(lines[start - 1] ?? "");
}
