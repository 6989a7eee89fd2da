import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/eval/compare.ts";
import type { Acknowledged } from "./entries.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

export const pausedWriter: Fault = {
  name: "paused-writer",
  what: "SIGSTOP on a process that indexes or adds, up to 30 s in a long run, while others search and sync; then it goes on",
  shortCycles: 2,
  longCycles: 12,
  run: runPausedWriter,
};

async function runPausedWriter(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const fixture = makeFaultFixture(options.folder);
  const acknowledged: Acknowledged[] = [];
  let [searches, slowestMs, slowestAddMs, busy] = [0, 0, 0, 0];
  for (const cycle of tally.cycles(options)) {
    const work = cycle % 2 === 0 ? "sync" : "add";
    const paused = fixture.start({ work, seed: options.seed + cycle, name: `c${cycle}` });
    await paused.ready;
    while (paused.said().length === 0 && paused.child.exitCode === null) await paused.heard();
    await sleep(random() * 100);
    paused.child.kill("SIGSTOP");
    const pauseMs = options.cycles > 5 ? 2000 + random() * 28_000 : 1500;
    const endsAtMs = performance.now() + pauseMs;
    // By a timer: a process that is stopped inside a transaction blocks the indexing of an `add` until it resumes.
    const goesOn = sleep(pauseMs).then(() => paused.child.kill("SIGCONT"));
    await fixture.use(async (memory) => {
      while (performance.now() < endsAtMs) {
        const beganMs = performance.now();
        const { results } = await memory.search("ship on Fridays");
        slowestMs = Math.max(slowestMs, performance.now() - beganMs);
        searches++;
        if (results[0]?.path !== "MEMORY.md") tally.divergences.push(`cycle ${cycle}: a wrong answer`);
        // The writer may hold the lock of the notes: then an entry is refused as busy, and nothing is written.
        const addingMs = performance.now();
        await memory
          .add(`Beside ${cycle}-${searches}.`)
          .catch((error: { code?: string; message: string }) => {
            if (error.code === "index-busy") busy++;
            else tally.errors.push(`cycle ${cycle}: ${error.code} ${error.message}`);
          });
        slowestAddMs = Math.max(slowestAddMs, performance.now() - addingMs);
      }
    });
    await goesOn;
    await Promise.race([paused.heard(), sleep(2000)]);
    const { stderr } = await paused.kill();
    if (stderr !== "") tally.errors.push(`cycle ${cycle}: ${stderr.slice(0, 300)}`);
    if (work === "add") acknowledged.push(...paused.said<Acknowledged>());
    fixture.checkEntries(tally, `cycle ${cycle}`, acknowledged);
    await fixture.compare(tally, `cycle ${cycle}`);
  }
  tally.notes.push(
    `${searches} searches beside, the slowest ${Math.round(slowestMs)} ms`,
    `the slowest entry ${Math.round(slowestAddMs)} ms, ${busy} refused as busy`,
  );
  return tally.result();
}
