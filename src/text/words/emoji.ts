/**
 * Where the emoji that begins at `start` ends; `start` if there is none. Includes skin tones, variation selectors and
 * the joiner to a next one; the emoji of a joined sequence are separate.
 */
export function emojiEnd(text: string, start: number): number {
  const code = text.charCodeAt(start);
  // Decides for the characters of nearly every text.
  if (code < firstEmoji || (code > lastPlain && (code < 0xd83c || code > 0xd83e))) return start;
  const point = text.codePointAt(start)!;
  let end = start;
  if (isFlagLetter(point)) {
    const second = text.codePointAt(start + 2);
    if (second === undefined || !isFlagLetter(second)) return start;
    end = start + 4;
  } else if (isEmoji(point)) end = start + (point > 0xffff ? 2 : 1);
  else return start;
  while (isSkinTone(text, end)) end += 2;
  while (isPresentation(text.charCodeAt(end))) end++;
  return end;
}

/** The token of the emoji at `start..end`, without modifiers of its appearance. */
export function emojiToken(text: string, start: number): string {
  const point = text.codePointAt(start)!;
  return isFlagLetter(point) ? text.slice(start, start + 4) : String.fromCodePoint(point);
}

const firstEmoji = 0x231a;
const lastPlain = 0x2b55;

function isEmoji(point: number): boolean {
  if (point > 0xffff) return (point >= 0x1f300 && point <= 0x1faff) || point === 0x1f004 || point === 0x1f0cf;
  // Arrows and numbers among the dingbats are symbols, not pictures.
  if (point >= 0x2600) return point <= 0x2775 || point === 0x2b50 || point === 0x2b55;
  return point <= 0x231b || (point >= 0x23e9 && point <= 0x23f3);
}

function isFlagLetter(point: number): boolean {
  return point >= 0x1f1e6 && point <= 0x1f1ff;
}

function isSkinTone(text: string, at: number): boolean {
  const low = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === 0xd83c && low >= 0xdffb && low <= 0xdfff;
}

/** Variation selectors, the zero-width joiner, and the frame around a key. */
function isPresentation(code: number): boolean {
  return code === 0xfe0e || code === 0xfe0f || code === 0x200d || code === 0x20e3;
}
