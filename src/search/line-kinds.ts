import { isAscii } from "../text/ascii.ts";

/** What a line of a chunk is part of; what a passage may grow over depends on it. */
export interface LineKind {
  /** Counts headings: lines of one section share a number. */
  readonly section: number;
  /** Counts fenced blocks; 0 outside of them. */
  readonly fence: number;
  /** A list item or a turn of a talk (`Name: …`), or what belongs to one. */
  readonly isItem: boolean;
}

const fenceMark = /^\s*(?:```|~~~)/;
const headingMark = /^#{1,6}\s/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
/** Short enough to be a speaker's name, with at most some emphasis around it. */
const turn = /^[^\p{L}\p{N}\s]{0,3}\p{L}[^.!?:]{0,30}:[^\p{L}\p{N}\s]{0,3}\s\S/u;

/** As `turn`, for lines of ASCII alone. */
const plainTurn = /^[^A-Za-z0-9\s]{0,3}[A-Za-z][^.!?:]{0,30}:[^A-Za-z0-9\s]{0,3}\s\S/;

function isTurn(line: string): boolean {
  return line.includes(":") && (isAscii(line) ? plainTurn : turn).test(line);
}

export function kindsOfLines(lines: readonly string[]): LineKind[] {
  const kinds: LineKind[] = [];
  let section = 0;
  let fences = 0;
  let openFence = 0;
  let wasItem = false;
  for (const line of lines) {
    const isFence = fenceMark.test(line);
    if (openFence === 0 && headingMark.test(line)) section++;
    const closes = isFence && openFence !== 0;
    if (isFence && !closes) openFence = ++fences;
    const continues: boolean = wasItem && (line.trim() === "" || /^\s/.test(line));
    wasItem = openFence === 0 && (listItem.test(line) || isTurn(line) || continues);
    kinds.push({ section, fence: openFence, isItem: wasItem });
    if (closes) openFence = 0;
  }
  return kinds;
}
