import type { StoredChunk } from "../stores/store.ts";
import { isLatin } from "../text/ascii.ts";
import { countFrontMatterLines } from "../text/front-matter.ts";
import { once } from "../text/once.ts";

/** The context of a line in its chunk; it decides how far a passage may grow. */
export interface LineKind {
  /** Number of headings so far: lines of one section share it. */
  readonly section: number;
  /** Number of the fenced block; 0 outside of one. */
  readonly fence: number;
  /** A list item or a turn of a conversation (`Name: …`), including its continuation lines. */
  readonly isItem: boolean;
}

const fenceMark = /^\s*(?:```|~~~)/;
const headingMark = /^#{1,6}\s/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
/** Up to 31 characters of a speaker's name, with optional emphasis around it. */
const turn = once(() => /^[^\p{L}\p{N}\s]{0,3}\p{L}[^.!?:]{0,30}:[^\p{L}\p{N}\s]{0,3}\s\S/u);

/** Like `turn`, for lines in Latin letters only. */
const latinLetter = "A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f";
const noMark = `${latinLetter}0-9\u00b2\u00b3\u00b9\u00bc-\u00be\\s`;
const latinTurn = new RegExp(`^[^${noMark}]{0,3}[${latinLetter}][^.!?:]{0,30}:[^${noMark}]{0,3}\\s\\S`);

/** `mayBeTurn` is necessary and `surelyTurn` sufficient for a turn; unlike `turn`, both compile quickly. */
const mayBeTurn = /:\S{0,6}\s\S/;
const surelyTurn =
  /^[A-Za-z\u00c0-\u00d6\u0388-\u038a\u038e-\u03a1\u03a3-\u03f5\u0400-\u0481\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3][^.!?:]{0,30}:\s\S/;

/** Timestamps before the speaker: `[10:02] `, `10:02:17 - `. */
const timeOfDay = /^[[(]?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?[\])]?[\s–-]+/i;

/** Only this much of a line is examined. */
const turnChars = 40;

function isTurn(line: string): boolean {
  if (!line.includes(":")) return false;
  const hasTime = /^[[(]?\d/.test(line);
  const beginning = (hasTime ? line.replace(timeOfDay, "") : line).slice(0, turnChars);
  if (!mayBeTurn.test(beginning)) return false;
  return surelyTurn.test(beginning) || (isLatin(beginning) ? latinTurn : turn()).test(beginning);
}

/** The number of each line's fenced block, as in `LineKind`; null if there are none, which is usual. */
export function fencesOf(text: string): number[] | null {
  if (!text.includes("```") && !text.includes("~~~")) return null;
  const numberOf = createFenceCount();
  return text.split("\n").map(numberOf);
}

/** The number of each line's fenced block, line by line. The closing line is part of its block. */
function createFenceCount(): (line: string) => number {
  let [count, open] = [0, 0];
  return (line) => {
    if (!fenceMark.test(line)) return open;
    const isClosing = open !== 0;
    const fence = isClosing ? open : ++count;
    open = isClosing ? 0 : fence;
    return fence;
  };
}

export function kindsOfLines(lines: readonly string[]): LineKind[] {
  const kinds: LineKind[] = [];
  const fenceOf = createFenceCount();
  let section = 0;
  let wasItem = false;
  for (const line of lines) {
    const fence = fenceOf(line);
    if (fence === 0 && headingMark.test(line)) section++;
    const continues: boolean = wasItem && (line.trim() === "" || /^\s/.test(line));
    wasItem = fence === 0 && (listItem.test(line) || isTurn(line) || continues);
    kinds.push({ section, fence, isItem: wasItem });
  }
  return kinds;
}

const link = /!?\[\[[^\][]*\]\]|!?\[[^\][]*\]\([^()\s]*\)/g;
const day = /(?:\d{4}-\d{2}(?:-\d{2})?|\d{4}-W\d{2})/g;
/** Arrows, bars and the words that label navigation links. */
const pointer =
  /[<>«»‹›|·•/\\=*_~←→↑↓⬅➡⬆⬇◀▶–—\-\s]|\uFE0F|\b(?:prev|previous|next|up|home|index|yesterday|tomorrow|today|back)\b:?/gi;
const arrow = /<<|>>|[<>«»‹›|·•←→↑↓⬅➡⬆⬇◀▶]|\b(?:prev|previous|next|yesterday|tomorrow)\b/i;

/** The kind of a navigation line: links to other days, or links joined by arrows or bars. */
export type Navigation = "days" | "links";

/** Null if the line has content. An item in a list of links is content. */
export function navigationOf(line: string): Navigation | null {
  if (!line.includes("[") || line.length > longest) return null;
  const links = line.match(link);
  if (links === null || line.replace(link, "").replace(day, "").replace(pointer, "") !== "") return null;
  const isToDays = links.every((each) => each.replace(day, "").replace(/[^\p{L}\p{N}]|md/gu, "") === "");
  if (isToDays) return "days";
  return arrow.test(line.replace(link, "")) && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line) ? "links" : null;
}

export function isNavigation(line: string): boolean {
  return navigationOf(line) !== null;
}

const longest = 400;

/** How many lines at the start of a chunk are front matter. */
export function frontMatterLines({ lines, text }: Pick<StoredChunk, "lines" | "text">): number {
  return lines.start === 1 ? countFrontMatterLines(text) : 0;
}

/** The first line with content, after front matter and navigation. */
export function firstTextLine(chunk: Pick<StoredChunk, "lines" | "text">): number {
  const lines = chunk.text.split("\n");
  const after = frontMatterLines(chunk);
  const first = lines.findIndex((line, i) => i >= after && line.trim() !== "" && !isNavigation(line));
  return chunk.lines.start + Math.max(first, 0);
}
