import { setTimeout } from "node:timers/promises";
import type { Tokens } from "../tokens.ts";

/** What to look for in the raw bytes so that no trace of some texts is missed. */
export interface Needles {
  readonly pieces: readonly string[];
  /** As they stand in the words of the index. */
  readonly words: readonly string[];
  /** Said when not everything is looked for. */
  readonly isPart: boolean;
}

const needleChars = 32;
/** What is shorter stands somewhere by chance. */
const leastBytes = 5;
const linesAtOnce = 500;

/** Pieces of all lines, and all words. Of more than `most` of a kind, some from everywhere. */
export async function makeNeedles(
  texts: readonly string[],
  { tokens, most }: { tokens: Tokens; most: number },
): Promise<Needles> {
  const pieces = new Set<string>();
  const words = new Set<string>();
  const add = (set: Set<string>, needle: string) => {
    if (Buffer.byteLength(needle) >= leastBytes) set.add(needle);
  };
  for (const text of texts) {
    const lines = text.split(/\r?\n/);
    for (let from = 0; from < lines.length; from += linesAtOnce) {
      const some = lines.slice(from, from + linesAtOnce);
      for (const line of some) for (const piece of cutPieces(line)) add(pieces, piece);
      const { body } = tokens({ text: some.join("\n"), headings: [], path: "" });
      for (const word of body.split(" ")) add(words, word);
      await setTimeout(0);
    }
  }
  return {
    pieces: spread([...pieces], most),
    words: spread([...words], most),
    isPart: pieces.size > most || words.size > most,
  };
}

function* cutPieces(line: string): Generator<string> {
  const characters = [...line.trim()];
  for (let at = 0; at < characters.length; at += needleChars) {
    // The last piece reaches back, so that it is as long as the others.
    const from = Math.max(0, Math.min(at, characters.length - needleChars));
    yield characters.slice(from, from + needleChars).join("");
  }
}

function spread(all: readonly string[], most: number): readonly string[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)]!);
}
