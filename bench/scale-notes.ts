import { createRandom } from "../src/eval/compare.ts";
import type { IndexedDocument } from "../src/stores/store.ts";
import { sha256 } from "../src/text/hash.ts";
import { rareWord } from "./notes-on-disk.ts";

/** Generates hundreds of thousands of notes without files; words are as rare as in natural text. */
export interface ScaleNotes {
  /** A note of ten chunks; it depends on its number only. */
  note(number: number): IndexedDocument;
  /** A natural question; each call uses other words. */
  question(): string;
}

export const chunksPerNote = 10;
const wordsPerChunk = 70;
const wordsPerLine = 12;
const vocabularySize = 200_000;
const functionWords = "the of and to in a is that for it was on with as be at by this we not are from".split(
  " ",
);

export function createScaleNotes(): ScaleNotes {
  const vocabulary = Array.from(
    { length: vocabularySize },
    (_, rank) => functionWords[rank] ?? rareWord(rank),
  );
  const random = createRandom(42);
  /** Zipf's law: the n-th most common word is about n times as rare as the first. */
  const anyWord = (draw: () => number): string => vocabulary[Math.floor(vocabularySize ** draw()) - 1]!;
  /** A word whose frequency rank is in this range. */
  const pick = (from: number, to: number): string => vocabulary[from + Math.floor(random() * (to - from))]!;
  return {
    note: (number) => createNote(number, anyWord),
    // The first 22 ranks are function words, and the next hundred occur in many chunks.
    question: () =>
      `what is the ${pick(200, 3000)} of ${pick(500, 20_000)} that we ${pick(22, 200)} for the ${pick(200, 5000)}`,
  };
}

function createNote(number: number, anyWord: (draw: () => number) => string): IndexedDocument {
  const draw = createRandom(number + 1);
  const lines: string[] = [];
  const chunks: IndexedDocument["chunks"][number][] = [];
  for (let index = 0; index < chunksPerNote; index++) {
    const start = lines.length + 1;
    for (let left = wordsPerChunk; left > 0; left -= wordsPerLine) {
      lines.push(Array.from({ length: Math.min(left, wordsPerLine) }, () => anyWord(draw)).join(" "));
    }
    const text = lines.slice(start - 1).join("\n");
    const headings = [`Topic ${number % 500}`, `Part ${index}`];
    chunks.push({ lines: { start, end: lines.length }, headings, text, hash: sha256(text) });
  }
  const text = lines.join("\n");
  const path = `memory/folder-${number % 97}/note-${number}.md`;
  const fields = { source: "memory", scope: "shared", version: "1", modifiedAt: new Date(0) } as const;
  return { document: { ...fields, path, hash: sha256(text), sizeBytes: text.length }, chunks };
}
