import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../src/eval/compare.ts";

/**
 * Notes of real sentences in random order, mostly English, one line in ten in another language, with a rare word in
 * every line, because the sentences alone would repeat the same few thousand words.
 */
export interface NotesOnDisk {
  readonly sizeBytes: number;
  /**
   * Resolves when no file is too new any more: one that was read within two seconds of its change is read once more. Call
   * a sync afterwards.
   */
  settled(): Promise<void>;
  /** The first words of a line of some note, and its rare word. */
  question(number: number): string;
}

export interface WrittenNotes {
  readonly count: number;
  readonly charactersPerNote?: number;
}

const notesPerFolder = 100;
const rareWords = 60_000;

export function writeNotes(
  workspace: string,
  { count, charactersPerNote = 2000 }: WrittenNotes,
): NotesOnDisk {
  const random = createRandom(42);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!;
  const { plain, others } = readLines();
  const asked: string[] = [];
  let sizeBytes = 0;
  for (let index = 0; index < count; index++) {
    const folder = join(workspace, "memory", `f${Math.floor(index / notesPerFolder)}`);
    if (index % notesPerFolder === 0) mkdirSync(folder, { recursive: true });
    let text = `# Note ${index}\n`;
    while (text.length < charactersPerNote) {
      const line = pick(random() < 0.1 ? others : plain);
      const rare = rareWord(Math.floor(rareWords ** random()));
      if (random() < 0.1 && /^[A-Z]/.test(line)) asked.push(`${line.split(" ", 6).join(" ")} ${rare}`);
      text += `${line} ${rare}\n`;
    }
    sizeBytes += Buffer.byteLength(text);
    writeFileSync(join(folder, `n${index}.md`), text);
  }
  const settledMs = performance.now() + 2200;
  return {
    sizeBytes,
    settled: async () => void (await sleep(Math.max(0, settledMs - performance.now()))),
    question: (number) => asked[(number * 7919) % asked.length]!,
  };
}

function readLines(): { plain: string[]; others: string[] } {
  const folder = join(import.meta.dirname, "..", "quality", "workspace");
  const lines = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line.length > 0);
  const isPlain = (line: string): boolean => [...line].every((character) => character.charCodeAt(0) < 128);
  return { plain: lines.filter(isPlain), others: lines.filter((line) => !isPlain(line)) };
}

const syllables = "ka ro mi ten sol ver din pra lu che fo nar bis ty gam ho zel qui wo jan".split(" ");

/** A word for each number; larger numbers give longer words. One in twenty combinations is used, so few are similar. */
export function rareWord(number: number): string {
  const count = 2 + Math.floor(Math.log(Math.max(1, number)) / Math.log(syllables.length));
  // Coprime to ten, so that no two numbers of one length collide.
  let left = (number * 1_234_577) % syllables.length ** count;
  let word = "";
  for (let at = 0; at < count; at++) {
    word += syllables[left % syllables.length];
    left = Math.floor(left / syllables.length);
  }
  return word;
}
