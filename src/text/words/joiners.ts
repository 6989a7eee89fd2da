import { isAscii } from "../ascii.ts";
import { once } from "../once.ts";
import { foldWord } from "./fold.ts";
import { maxWordLength } from "./word.ts";

/** Whether the text between two words, at `start..end`, joins them: `a/b`, `a-b`, `a::b`. */
export function isJoiner(text: string, start: number, end: number): boolean {
  if (end === start) return false;
  const first = text.charCodeAt(start);
  if (end - start === 1) return isJoiningMark[first] === 1;
  const second = text.charCodeAt(start + 1);
  if (end - start !== 2) return false;
  return first === colon
    ? second === colon
    : first === hyphen
      ? second === greater
      : first === dot && second === slash;
}

const [hyphen, dot, slash, colon, greater] = [0x2d, 0x2e, 0x2f, 0x3a, 0x3e];
const isJoiningMark = new Uint8Array(0x10000);
for (const mark of "-./\\:@+~=&#") isJoiningMark[mark.charCodeAt(0)] = 1;

/**
 * Whether the word at `start..end` follows an apostrophe after the word that ended at `lastEnd`, and means nothing
 * alone: "it's", "don't".
 */
export function isClitic(text: string, lastEnd: number, start: number, end: number): boolean {
  return (
    start - lastEnd === 1 && isApostrophe(text.charCodeAt(lastEnd)) && clitic.test(text.slice(start, end))
  );
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019 || code === 0x2bc;
}

const clitic = /^(?:s|t|d|m|ll|re|ve)$/i;

/** The last character of `--`, `@` or `#`. */
export function isSigil(code: number): boolean {
  return code === hyphen || code === 0x40 || code === 0x23;
}

interface Sigil {
  readonly token: string;
  /** The end of the text after the sigil. */
  readonly end: number;
}

/**
 * The token of a word directly after `--`, `@` or `#`, if nothing precedes the sigil; otherwise null. `--max-results`
 * is one token, so that a question for the flag finds the flag before the words.
 */
export function readSigil(text: string, start: number): Sigil | null {
  const sigil = sigilBefore(text, start);
  if (sigil === "") return null;
  const body = readFlagBody(text, start);
  if (!body || body.length > maxWordLength) return null;
  const folded = foldWord(body.replace(/[-_]/g, ""));
  return folded === "" ? null : { token: sigil + folded, end: start + body.length };
}

function readFlagBody(text: string, start: number): string {
  plainFlagBody.lastIndex = start;
  const plain = plainFlagBody.exec(text)?.[0] ?? "";
  // Letters beyond ASCII may follow, which only the other expression knows; compiling that takes milliseconds.
  const behind = text.slice(start + plain.length, start + plain.length + 2);
  if (isAscii(/^[-_]/.test(behind) ? behind : behind.slice(0, 1))) return plain;
  const pattern = flagBody();
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? "";
}

const flagBody = once(() => /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)*/uy);
const plainFlagBody = /[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*/y;

function sigilBefore(text: string, start: number): string {
  const mark = text[start - 1];
  if (mark !== "-" && mark !== "@" && mark !== "#") return "";
  const sigil = mark === "-" ? (text[start - 2] === "-" ? "--" : "") : mark;
  const before = text[start - sigil.length - 1] ?? " ";
  return sigil && /[\s"'`([{,;|=<]/.test(before) ? sigil : "";
}
