import { join } from "node:path";
import type { Memory } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { inTemporaryFolder, median, quantile } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

const charactersPerNote = 13_000;
const chunksPerNote = 10;
const questions = 200;
/** Warm-up, because code is slow until it is compiled. */
const questionsBefore = 20;

/** Queries to a memory that is open and watched, as in an MCP server or a host. */
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
    const taken = { loop: createTimes(), words: createTimes(), builtin: createTimes() };
    for (let round = 0; round < questionsBefore + questions; round++) {
      const isCounted = round >= questionsBefore;
      await taken.loop.measure(turnFixedLoop, isCounted);
      await taken.words.measure(() => words.search(notes.question(round)), isCounted);
      await taken.builtin.measure(() => builtin.search(notes.question(round)), isCounted);
    }
    const { loop } = taken;
    const figuresOf = (name: "words" | "builtin", detail: string): PartResult["figures"] => {
      const { ms, cpuMs } = taken[name];
      return {
        [`query-${name}`]: { ours: median(ms), reference: median(loop.ms), detail },
        [`query-${name}-tail`]: { ours: quantile(ms, 0.99), reference: median(ms), detail },
        [`query-${name}-cpu`]: { ours: median(cpuMs), reference: median(loop.cpuMs), detail },
      };
    };
    const { chunks } = await words.status();
    const detail = `${chunks} chunks in ${queryChunks / chunksPerNote} notes, with a watcher`;
    return { figures: { ...figuresOf("words", detail), ...figuresOf("builtin", detail) } };
  });
}

function createTimes() {
  const ms: number[] = [];
  const cpuMs: number[] = [];
  return {
    ms,
    cpuMs,
    measure: async (work: () => unknown, isCounted: boolean): Promise<void> => {
      const [began, before] = [performance.now(), process.cpuUsage()];
      await work();
      const { user, system } = process.cpuUsage(before);
      if (!isCounted) return;
      ms.push(performance.now() - began);
      cpuMs.push((user + system) / 1000);
    },
  };
}

/** A constant amount of work, as a yardstick for the current speed of the machine. */
function turnFixedLoop(): number {
  let mixed = 1;
  for (let i = 0; i < 2_000_000; i++) mixed = (Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) + i) | 0;
  return mixed;
}
