import { once } from "../text/once.ts";

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const narrowOnly = /^[\x20-\x7e]*$/;
/** ANSI colours and terminal links. */
const escapes = /\u001b\[[0-9;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g;
const zeroWidth = once(() => /[\p{Mn}\p{Me}\p{Cf}]/u);

/** The number of terminal columns of a text: two for East Asian wide characters and emoji, none for combining marks. */
export function displayWidth(text: string): number {
  if (narrowOnly.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(escapes, "")) {
    if (hasNoWidth(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}

/** Accented letters are the most frequent case, and the expression takes long to compile. */
function hasNoWidth(character: string): boolean {
  return character < "\u0300" ? character === "\u00ad" : zeroWidth().test(character);
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/**
 * Wraps one line at `width` columns, at spaces where possible; only spaces are dropped. Continuation lines of an
 * indented line or list item are indented like its text.
 */
export function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const hanging = /^\s*(?:(?:[-*+>]|\d+[.)])\s+)*/.exec(line)?.[0] ?? "";
  const indentation = hanging.length <= width / 2 ? " ".repeat(hanging.length) : "";
  const [first = "", ...rest] = wrapWords(line, { width, laterWidth: width - indentation.length });
  return [first, ...rest.map((part) => indentation + part)];
}

function wrapWords(
  line: string,
  { width: firstWidth, laterWidth }: { width: number; laterWidth: number },
): string[] {
  const lines: string[] = [];
  let width = firstWidth;
  let current = "";
  let currentWidth = 0;
  for (const word of line.match(/\s*\S+|\s+$/g) ?? []) {
    const wordWidth = displayWidth(word);
    if (currentWidth + wordWidth <= width) {
      current += word;
      currentWidth += wordWidth;
      continue;
    }
    if (current !== "") lines.push(current);
    if (lines.length > 0) width = laterWidth;
    current = "";
    currentWidth = 0;
    // A word longer than the line (a URL, a sentence without spaces) is split between characters.
    for (const character of word.trimStart()) {
      const characterWidth = displayWidth(character);
      if (currentWidth + characterWidth > width && current !== "") {
        lines.push(current);
        width = laterWidth;
        current = "";
        currentWidth = 0;
      }
      current += character;
      currentWidth += characterWidth;
    }
  }
  if (current !== "") lines.push(current);
  return lines;
}

/**
 * Wraps text for people at spaces if it is wider than the terminal. Text to copy stays whole: a word, a quotation, and
 * a command at the end of a line. Continuation lines of a row are indented like its second column.
 */
export function wrapText(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => (displayWidth(line) <= width ? [line] : wrapProse(line, width)))
    .join("\n");
}

const unbreakable = /\s*(?:(?<=: *)longhand .*$|`[^`]*`\S*|"[^"]*"\S*|'[^']*'\S*|\S+)/g;

function wrapProse(line: string, width: number): string[] {
  const column = displayWidth(/^.{0,24}?\S {2,}(?=\S)/.exec(line)?.[0] ?? /^ */.exec(line)?.[0] ?? "");
  const indentation = " ".repeat(column <= width / 2 ? column : 2);
  const lines: string[] = [];
  let current = "";
  for (const part of line.match(unbreakable) ?? []) {
    if (current.trim() !== "" && displayWidth(current + part) > width) {
      lines.push(current);
      current = indentation + part.trimStart();
    } else {
      current += part;
    }
  }
  return [...lines, current];
}
