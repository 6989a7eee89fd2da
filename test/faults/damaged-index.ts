import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { openBuiltinEmbedder } from "../../src/embedders/builtin/builtin-embedder.ts";
import type { Embedder } from "../../src/embedders/embedder.ts";
import { createRandom } from "../../src/eval/compare.ts";
import { withMemorySearch } from "../support/memory-fixture.ts";
import { damageBytes } from "./damage-bytes.ts";
import { createTally, describeError, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

export const damagedIndex: Fault = {
  name: "damaged-index",
  what: "the database is spoiled at random (bit flips, truncation, zeroes, exchanged pages, noise), then used, repaired and compared",
  shortCycles: 15,
  longCycles: 1000,
  run: runDamagedIndex,
};

/** Longhand must always answer, and after a repair the index must equal one that is rebuilt from scratch. */
async function runDamagedIndex(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  await using builtin = await openBuiltinEmbedder();
  // One model for all rounds, because each memory would close its own.
  const embedder: Embedder = { ...builtin, [Symbol.asyncDispose]: async () => {} };
  const later = Date.now() + 3_600_000;
  const fixture = makeFaultFixture(options.folder, {
    notes: 5,
    options: { embedder, config: withMemorySearch({ provider: "builtin" }), now: () => new Date(later) },
  });
  const { dbPath } = await fixture.use(async (memory) => {
    await memory.sync();
    return await memory.status();
  });
  const sound = readFileSync(dbPath);
  let [healedByUse, healedByRepair] = [0, 0];
  for (const cycle of tally.cycles(options)) {
    const { what, bytes } = damageBytes(sound, random);
    for (const suffix of ["-wal", "-shm"]) rmSync(dbPath + suffix, { force: true });
    writeFileSync(dbPath, bytes);
    const when = `cycle ${cycle}, ${what}`;
    try {
      await fixture.use(async (memory) => {
        await memory.search("harbour invoice");
        await memory.sync();
        const isHealed = (await memory.verify()).equal;
        const { equal, differences } = isHealed ? { equal: true, differences: [] } : await memory.repair();
        if (!equal) tally.divergences.push(`${when}: ${differences[0]?.detail}`);
        else if (isHealed) healedByUse++;
        else healedByRepair++;
        const { results } = await memory.search("ship on Fridays");
        if (results[0]?.path !== "MEMORY.md") tally.divergences.push(`${when}: a wrong answer`);
      });
    } catch (error) {
      tally.errors.push(`${when}: ${describeError(error)}`);
    }
  }
  tally.notes.push(`right after use and sync alone ${healedByUse}, after a repair ${healedByRepair}`);
  return tally.result();
}
