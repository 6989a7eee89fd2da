import type { Memory } from "../../src/index.ts";
import { entryText } from "./entries.ts";
import type { Setting } from "./setting.ts";
import { uniqueWord } from "./unique-word.ts";

/** A process's report of one round. */
export interface OneNoteRound {
  readonly path: string;
  readonly text: string;
  readonly isFound: boolean;
  readonly stale: boolean;
  readonly degraded: readonly string[];
}

/** The number of entries of each process in a note; then all continue in the next. */
const roundsPerNote = 40;

/** Adds an entry to the note that all processes add to, and searches for it at once. */
export async function workOnOneNote(memory: Memory, { job, name, goesOn, say }: Setting): Promise<void> {
  await using _ = job.watches ? await memory.watch() : null;
  for (let round = 0; goesOn(round); round++) {
    const word = uniqueWord(name, round);
    const text = entryText(word, 20);
    const { path } = await memory.add(text, { to: `memory/shared-${Math.floor(round / roundsPerNote)}.md` });
    const { results, stale, degraded } = await memory.search(word);
    const isFound = results.some((hit) => hit.path === path && hit.snippet.includes(word));
    say({ path, text, isFound, stale, degraded } satisfies OneNoteRound);
  }
}
