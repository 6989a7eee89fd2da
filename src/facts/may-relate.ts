import { isAscii } from "../text/ascii.ts";

/** The longer words of a line, and the single characters of scripts without spaces. */
export function wordsOfLine(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  if (isAscii(text)) return new Set(lower.match(/[a-z][a-z0-9]{2,}/g));
  return new Set(lower.match(/[\u3040-\u30ff\u3400-\u9fff]|[a-z0-9\u00df-\u024f\u0370-\u1fff]{3,}/g));
}

/** How many words a line may have beyond those it shares with the other. */
const maxAdded = 6;

/**
 * A microsecond test before the real comparison: lines that repeat or contradict each other share half of their words
 * and add few. False means that comparing them would give `unrelated`.
 */
export function mayRelate(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  if (few.size < 2 || many.size > 2 * few.size + maxAdded) return false;
  let shared = 0;
  for (const word of few) if (many.has(word)) shared++;
  return shared > 0 && shared * 2 >= few.size && many.size - shared <= maxAdded;
}
