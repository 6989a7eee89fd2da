import { join } from "node:path";
import type { Memory } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { inTemporaryFolder, medianInTurns, timeMs } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

const charactersPerNote = 13_000;
const chunksPerNote = 10;
const questions = 60;

/** Questions to a memory that is open and watched, as in an MCP server or a host. */
export async function measure({ queryChunks }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const workspace = join(folder, "notes");
    const notes = writeNotes(workspace, { count: queryChunks / chunksPerNote, charactersPerNote });
    const open = async (provider: "none" | "builtin"): Promise<Memory> => {
      const config = { agents: { defaults: { memorySearch: { provider } } } } as const;
      const memory = await openMemory({ workspace, stateDir: join(folder, provider), config });
      await memory.sync();
      await notes.settled();
      const { promise: watched, resolve } = Promise.withResolvers<void>();
      await memory.watch({ onEvent: ({ kind }) => kind === "synced" && resolve() });
      await watched;
      return memory;
    };
    await using words = await open("none");
    await using builtin = await open("builtin");
    const search = (memory: Memory) => (round: number) => timeMs(() => memory.search(notes.question(round)));
    const times = await medianInTurns(questions, {
      loop: () => timeMs(turnFixedLoop),
      words: search(words),
      builtin: search(builtin),
    });
    const { chunks } = await words.status();
    const detail = `${chunks} chunks in ${queryChunks / chunksPerNote} notes, with a watcher`;
    return {
      figures: {
        "query-words": { ours: times.words, reference: times.loop, detail },
        "query-builtin": { ours: times.builtin, reference: times.loop, detail },
      },
    };
  });
}

/** Always the same work: what a millisecond is worth on this machine, at this hour. */
function turnFixedLoop(): number {
  let mixed = 1;
  for (let i = 0; i < 2_000_000; i++) mixed = (Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) + i) | 0;
  return mixed;
}
