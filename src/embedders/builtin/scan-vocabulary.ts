import { modelUnusable } from "./model-unusable.ts";
import type { Pieces } from "./vocabulary.ts";

/**
 * Reads the members `"piece": id` of a JSON object from just behind its opening brace on; `end` is the place of the
 * closing one. JSON.parse would make an object with 30,000 keys, which costs more and is slow to look words up in.
 * The code runs once in a process, before it is compiled: the engine's own search skips what it can.
 */
export function scanVocabulary(text: string, start: number, file: string): { pieces: Pieces; end: number } {
  const units = new Uint16Array(text.length - start);
  const starts: number[] = [0];
  const ids: number[] = [];
  let used = 0;
  let at = start;
  let backslash = text.indexOf("\\", at);
  let code = text.charCodeAt(skipBlanks(text, at)) === closingBrace ? closingBrace : comma;

  while (code === comma) {
    const opening = text.indexOf('"', at);
    let closing = text.indexOf('"', opening + 1);
    let piece = text;
    let from = opening + 1;
    let to = closing;
    if (backslash >= 0 && backslash < closing) {
      closing = endOfString(text, opening);
      piece = parseString(text.slice(opening, closing + 1), file);
      from = 0;
      to = piece.length;
      backslash = text.indexOf("\\", closing);
    }
    for (let i = from; i < to; i++) units[used++] = piece.charCodeAt(i);

    const colon = opening < 0 || closing < 0 ? text.length : skipBlanks(text, closing + 1);
    const digits = skipBlanks(text, colon + 1);
    at = digits;
    code = text.charCodeAt(at);
    let id = 0;
    for (; code >= zero && code <= nine; code = text.charCodeAt(++at)) id = 10 * id + code - zero;
    if (text[colon] !== ":" || at === digits || id > highestPossibleId) throw unreadable(ids.length, file);
    starts.push(used);
    ids.push(id);
    if (code === comma) continue;
    at = skipBlanks(text, at);
    code = text.charCodeAt(at);
    if (code !== comma && code !== closingBrace) throw unreadable(ids.length, file);
  }
  const pieces = { units: units.slice(0, used), starts: new Uint32Array(starts), ids: new Int32Array(ids) };
  return { pieces, end: text.indexOf("}", at) };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d); ) {
    code = text.charCodeAt(++at);
  }
  return at;
}

/** The place of the closing quote of a JSON string, or -1. */
function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === "\\") at++;
  }
  return -1;
}

function parseString(quoted: string, file: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch (cause) {
    throw modelUnusable(file, `the word piece ${quoted.slice(0, 40)} is not a JSON string`, cause);
  }
}

function unreadable(count: number, file: string): Error {
  return modelUnusable(file, `its vocabulary breaks off or is damaged after ${count} pieces`);
}

const comma = 0x2c;
const zero = 0x30;
const nine = 0x39;
const closingBrace = 0x7d;
/** Keeps ids within 32 bits; a table with as many rows would not fit into memory. */
const highestPossibleId = 2 ** 31 - 1;
