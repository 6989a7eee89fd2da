import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openBuiltinEmbedder } from "../../src/embedders/builtin/builtin-embedder.ts";
import type { Embedder } from "../../src/embedders/embedder.ts";
import { createRandom } from "../../src/eval/random.ts";
import { type Memory, openMemory } from "../../src/memory.ts";
import { noteTexts } from "../support/index-place.ts";
import { withMemorySearch } from "../support/memory-place.ts";
import { damageBytes } from "./damage-bytes.ts";

export interface DamageFigures {
  readonly rounds: number;
  /** Calls that failed, each with what had been done to the file. */
  readonly errors: readonly string[];
  /** Rounds after which the index was not that of the notes. */
  readonly divergent: readonly string[];
  /** Rounds in which use and sync alone brought the index back (or the damage changed nothing that counts). */
  readonly healedByUse: number;
  readonly healedByRepair: number;
}

/**
 * Spoils the index of some notes again and again: every time longhand must answer, and after a repair the index must be
 * equal to one that is built anew.
 */
export async function runDamageRounds(options: { rounds: number; seed: number }): Promise<DamageFigures> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "longhand-damage-")));
  await using builtin = await openBuiltinEmbedder();
  try {
    return await runIn(dir, builtin, options);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function runIn(
  dir: string,
  builtin: Embedder,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<DamageFigures> {
  const random = createRandom(seed);
  const workspace = join(dir, "notes");
  const stateDir = join(dir, "state");
  mkdirSync(join(workspace, "memory"), { recursive: true });
  for (const [name, text] of Object.entries(noteTexts(5))) writeFileSync(join(workspace, name), text);
  const later = Date.now() + 3_600_000;
  // One model for all rounds; each memory would close it.
  const embedder: Embedder = { ...builtin, [Symbol.asyncDispose]: async () => {} };
  const open = (): Promise<Memory> =>
    openMemory({
      workspace,
      stateDir,
      embedder,
      config: withMemorySearch({ provider: "builtin" }),
      now: () => new Date(later),
    });

  const { dbPath } = await use(open, async (memory) => {
    await memory.sync();
    return await memory.status();
  });
  const sound = readFileSync(dbPath);
  const figures = { errors: [] as string[], divergent: [] as string[], healedByUse: 0, healedByRepair: 0 };
  for (let round = 1; round <= rounds; round++) {
    const { what, bytes } = damageBytes(sound, random);
    for (const suffix of ["-wal", "-shm"]) rmSync(dbPath + suffix, { force: true });
    writeFileSync(dbPath, bytes);
    try {
      await use(open, async (memory) => {
        await memory.search("harbour invoice");
        await memory.sync();
        const isHealed = (await memory.verify()).equal;
        const { equal, differences } = isHealed ? { equal: true, differences: [] } : await memory.repair();
        if (!equal) figures.divergent.push(`round ${round}, ${what}: ${differences[0]?.detail}`);
        else if (isHealed) figures.healedByUse++;
        else figures.healedByRepair++;
        const { results } = await memory.search("ship on Fridays");
        if (results[0]?.path !== "MEMORY.md")
          figures.divergent.push(`round ${round}, ${what}: a wrong answer`);
      });
    } catch (error) {
      figures.errors.push(`round ${round}, ${what}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { rounds, ...figures };
}

async function use<T>(open: () => Promise<Memory>, work: (memory: Memory) => Promise<T>): Promise<T> {
  await using memory = await open();
  return await work(memory);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { rounds: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
  });
  const figures = await runDamageRounds({ rounds: Number(values.rounds), seed: Number(values.seed) });
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  process.exitCode = figures.errors.length + figures.divergent.length === 0 ? 0 : 1;
}
