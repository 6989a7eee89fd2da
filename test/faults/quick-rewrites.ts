import { statSync, utimesSync, writeFileSync } from "node:fs";
import { createRandom } from "../../src/eval/compare.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

export const quickRewrites: Fault = {
  name: "quick-rewrites",
  what: "a note is written again with the same size, at once or with its old time put back, right after it was indexed",
  shortCycles: 60,
  longCycles: 3000,
  run: runQuickRewrites,
};

async function runQuickRewrites(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const fixture = makeFaultFixture(options.folder, { notes: 2 });
  const file = fixture.at("memory/gauge.md");
  await using memory = await fixture.open();
  for (const cycle of tally.cycles(options)) {
    const words = [0, 1, 2].map((part) => `reading${100_000 + cycle * 3 + part}`);
    writeFileSync(file, `The gauge shows ${words[0]}.\n`);
    const { mtime, atime } = statSync(file);
    const syncing = memory.sync();
    // At a random moment before, during or after the sync.
    if (random() < 0.5) writeFileSync(file, `The gauge shows ${words[1]}.\n`);
    await syncing;
    writeFileSync(file, `The gauge shows ${words[2]}.\n`);
    if (random() < 0.5) utimesSync(file, atime, mtime);
    await memory.sync();
    const { results } = await memory.search(words[2]!);
    const shown = results.map(({ snippet }) => snippet).join();
    if (!shown.includes(words[2]!))
      tally.divergences.push(`cycle ${cycle}: ${words[2]} not found: ${shown.slice(0, 80)}`);
  }
  await fixture.compare(tally, "at the end");
  return tally.result();
}
