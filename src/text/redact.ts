import { sha256 } from "./hash.ts";
import { type FoundValue, findNamedSecrets } from "./secret-assignments.ts";
import { shapesIn } from "./secret-shapes.ts";

export interface FoundSecret {
  readonly kind: string;
  /** 1-based; masking keeps every line break, so it counts in the text before and after alike. */
  readonly line: number;
}

export interface Redacted {
  readonly text: string;
  readonly found: readonly FoundSecret[];
}

export interface RedactOptions {
  /** Keys that are known by their very text, such as those of our own configuration. */
  readonly literals?: readonly string[];
}

/**
 * Masks what looks like a secret as `[redacted:<kind>]`: keys of known shape, private keys, authorization headers,
 * passwords in addresses, and values that are assigned to a telling name. Hashes, ids, encoded images and prose stay.
 *
 * Takes time in proportion to the text, whatever it holds, and changes nothing when it is used twice.
 */
export function redactSecrets(text: string, { literals = [] }: RedactOptions = {}): Redacted {
  const own = literals.filter(isUsable).sort((left, right) => right.length - left.length);
  let current = text;
  let found: FoundSecret[] = [];
  // A mask can end the run that hid the next secret, so it looks again until nothing is found.
  for (let round = 0; round < maxRounds; round++) {
    const before = found.length;
    for (const literal of own) current = mask(current, findLiteral(current, literal), found);
    current = mask(current, findPrivateKeys(current), found);
    for (const { kind, hints, pattern } of shapesIn(current)) {
      if (!hints.some((hint) => current.includes(hint))) continue;
      current = mask(current, findMatches(current, kind, pattern), found);
    }
    current = mask(current, findNamedSecrets(current), found);
    if (found.length === before) break;
  }
  found = found.toSorted((left, right) => left.line - right.line);
  return { text: current, found };
}

/** A way to mask secrets, and a mark that changes whenever the same text would be masked differently. */
export interface Mask {
  readonly id: string;
  apply(text: string): string;
}

export function createMask(literals: readonly string[]): Mask {
  // A few digits tell that the keys changed, and nothing about them.
  const mark = literals.length === 0 ? "" : `:${sha256([...literals].sort().join("\n")).slice(0, 6)}`;
  return {
    id: `${maskVersion}${mark}`,
    apply: (text) => redactSecrets(text, { literals }).text,
  };
}

/** To be counted up whenever other things are masked. */
const maskVersion = 1;

const maxRounds = 8;

/** Short keys would mask ordinary words, and a part of the mask itself would never come to rest. */
function isUsable(literal: string): boolean {
  return literal.length >= 8 && !"[redacted:configured-key]".includes(literal);
}

function findLiteral(text: string, literal: string): FoundValue[] {
  const found: FoundValue[] = [];
  for (
    let start = text.indexOf(literal);
    start !== -1;
    start = text.indexOf(literal, start + literal.length)
  ) {
    found.push({ kind: "configured-key", start, end: start + literal.length });
  }
  return found;
}

function findMatches(text: string, kind: string, pattern: RegExp): FoundValue[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    kind,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const keyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnd = "-----END ";
const longestKey = 32_768;
/** What follows the head of a key whose end was cut off, line by line. */
const keyBody = /(?:(?:\s|\\[rn]){0,8}[A-Za-z0-9+/=]{16,})*/y;

/** Ends are looked for once, from left to right: a thousand heads without an end cost no more than one. */
function findPrivateKeys(text: string): FoundValue[] {
  const found: FoundValue[] = [];
  let end = 0;
  let last = 0;
  if (!text.includes("-----BEGIN ")) return found;
  for (const { index: start, 0: head } of text.matchAll(keyBegin)) {
    if (start < last) continue;
    const from = start + head.length;
    if (end !== -1 && end < from) end = text.indexOf(keyEnd, from);
    if (end !== -1 && end - from <= longestKey) {
      const close = text.indexOf("-----", end + keyEnd.length);
      last = close === -1 || close - end > 80 ? end + keyEnd.length : close + 5;
    } else {
      keyBody.lastIndex = from;
      last = from + (keyBody.exec(text)?.[0].length ?? 0);
    }
    found.push({ kind: "private-key", start, end: last });
  }
  return found;
}

/** Replaces the places, keeps the line breaks in them, and adds them to `found`. Places may overlap in any order. */
function mask(text: string, places: readonly FoundValue[], found: FoundSecret[]): string {
  if (places.length === 0) return text;
  const ordered = places.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const parts: string[] = [];
  let [done, line] = [0, 1];
  for (const { kind, start, end } of ordered) {
    if (start < done) continue;
    const kept = text.slice(done, start);
    line += countBreaks(kept);
    found.push({ kind, line });
    const breaks = text.slice(start, end).replaceAll(/[^\r\n]+/g, "");
    line += countBreaks(breaks);
    parts.push(kept, `[redacted:${kind}]`, breaks);
    done = end;
  }
  return parts.join("") + text.slice(done);
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
