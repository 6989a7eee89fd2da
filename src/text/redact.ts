import { findSecrets } from "./secrets/find-secrets.ts";
import type { FoundSecretAt } from "./secrets/scan.ts";

export interface FoundSecret {
  readonly kind: string;
  /** 1-based; masking keeps every line break, so it holds for the text before and after. */
  readonly line: number;
}

export interface Redacted {
  readonly text: string;
  readonly found: readonly FoundSecret[];
}

export interface RedactOptions {
  /** Keys known by their exact text, such as those in our own configuration. */
  readonly literals?: readonly string[];
}

/**
 * Masks likely secrets as `[redacted:<kind>]`: keys of known shape, private keys, authorization headers, passwords in
 * addresses, and values with a telltale name. Hashes, ids, encoded images and prose stay.
 *
 * Runs in linear time, and is idempotent.
 */
export function redactSecrets(text: string, options: RedactOptions = {}): Redacted {
  const steps = redact(text, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in slices of a few milliseconds, so that a large text does not block the event loop. */
export async function redactInSlices(text: string, options: RedactOptions = {}): Promise<Redacted> {
  if (text.length <= smallChars) return redactSecrets(text, options);
  const steps = redact(text, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise(setImmediate);
  }
}

function* redact(text: string, { literals = [] }: RedactOptions): Generator<void, Redacted> {
  const own = literals.filter(isUsable).sort((left, right) => right.length - left.length);
  let current = text;
  const found: FoundSecret[] = [];
  // Masking can expose the next secret, so this repeats until nothing is found.
  for (let round = 0; round < maxRounds; round++) {
    const before = found.length;
    for (const literal of own) current = mask(current, findLiteral(current, literal), found);
    const places = yield* findSecrets(current);
    current = mask(
      current,
      places.filter((place) => !isMask(current, place)),
      found,
    );
    if (found.length === before) break;
  }
  return { text: current, found: found.toSorted((left, right) => left.line - right.line) };
}

const maxRounds = 4;
const smallChars = 128 * 1024;

/** Short keys would mask ordinary words, and parts of the mask itself. */
function isUsable(literal: string): boolean {
  return literal.length >= 8 && !"[redacted:configured-key]".includes(literal);
}

function findLiteral(text: string, literal: string): FoundSecretAt[] {
  const found: FoundSecretAt[] = [];
  for (
    let start = text.indexOf(literal);
    start !== -1;
    start = text.indexOf(literal, start + literal.length)
  ) {
    found.push({ kind: "configured-key", start, end: start + literal.length });
  }
  return found;
}

/** Masks the places, keeps their line breaks, and adds them to `found`. Overlapping places are merged. */
function mask(text: string, places: readonly FoundSecretAt[], found: FoundSecret[]): string {
  if (places.length === 0) return text;
  const parts: string[] = [];
  let [done, line] = [0, 1];
  for (const { kind, start, end } of mergePlaces(places)) {
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

/** Text masked earlier, or a part of it. */
function isMask(text: string, { start, end }: FoundSecretAt): boolean {
  const from = Math.max(0, start - maxMask);
  const near = text.slice(from, start + 2 * maxMask);
  const open = near.lastIndexOf("[redacted:", start - from);
  return open !== -1 && from + near.indexOf("]", open) >= end - 1;
}

const maxMask = 40;

/** In the order of the text. The kind of a vendor's key takes precedence over a telltale name. */
function mergePlaces(places: readonly FoundSecretAt[]): FoundSecretAt[] {
  const merged: FoundSecretAt[] = [];
  for (const place of places.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = merged.at(-1);
    if (last === undefined || place.start >= last.end) {
      merged.push(place);
      continue;
    }
    const kind = last.kind === "assignment" ? place.kind : last.kind;
    merged[merged.length - 1] = { kind, start: last.start, end: Math.max(last.end, place.end) };
  }
  return merged;
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
