import { countUnits, unitsOf } from "./chunk-units.ts";

/**
 * Cuts one line that is over the limit into pieces of about equal size, none over it; joined they are the line again.
 * A piece ends after a sentence where one ends nearby, else after white space, else between two characters as a reader
 * sees them. Every piece looks only at its own characters, so a line of any length takes linear time.
 */
export function cutLine(line: string, limitUnits: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  let rest = countUnits(line, 0, line.length);
  while (rest > limitUnits) {
    const target = rest / Math.ceil(rest / limitUnits);
    const end = findCut(line, start, target, limitUnits);
    pieces.push(line.slice(start, end));
    rest -= countUnits(line, start, end);
    start = end;
  }
  pieces.push(line.slice(start));
  return pieces;
}

/** Looks for the best place from 3/4 to 5/4 of the target size; of equally good ones the nearest to the target. */
function findCut(line: string, start: number, target: number, limitUnits: number): number {
  let best = -1;
  let bestGoodness = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  let units = 0;
  for (let at = start; at < line.length; ) {
    const width = codePointWidth(line, at);
    for (let part = 0; part < width; part++) units += unitsOf(line.charCodeAt(at + part));
    if (units > limitUnits && at > start) break;
    if (units > target * 1.25 && best >= 0) break;
    at += width;
    if (units < target * 0.75) {
      best = at;
      continue;
    }
    const goodness = cutGoodness(line, at);
    const distance = Math.abs(units - target);
    if (goodness > bestGoodness || (goodness === bestGoodness && distance < bestDistance) || best < 0) {
      best = at;
      bestGoodness = goodness;
      bestDistance = distance;
    }
  }
  return best;
}

function codePointWidth(text: string, at: number): number {
  const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
  return isPair ? 2 : 1;
}

/** 3 after a sentence, 2 after white space, 1 between characters, 0 inside one (before a mark or around a joiner). */
function cutGoodness(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  if (isWideStop(before)) return 3;
  if (before === 32 || before === 9) {
    const last = text.charCodeAt(at - 2);
    return last === 46 || last === 33 || last === 63 ? 3 : 2;
  }
  if (text.charCodeAt(at) < 0x300) return 1;
  if (before === 0x200d || joinsBefore.test(String.fromCodePoint(text.codePointAt(at)!))) return 0;
  return 1;
}

/** Combining marks and variation selectors, the joiner of emoji, skin tones. */
const joinsBefore = /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])/u;

/** `。`, `．`, `！`, `？`, `；` and the Devanagari stop end a sentence without a space after them. */
function isWideStop(code: number): boolean {
  return (
    code === 0x3002 ||
    code === 0xff0e ||
    code === 0xff01 ||
    code === 0xff1f ||
    code === 0xff1b ||
    code === 0x0964
  );
}
