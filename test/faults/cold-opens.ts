import { rmSync } from "node:fs";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

export const coldOpens: Fault = {
  name: "cold-opens",
  what: "eight processes open an index that is not there yet, and fill it, in the same moment",
  shortCycles: 1,
  longCycles: 50,
  run: runColdOpens,
};

async function runColdOpens(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder);
  for (const cycle of tally.cycles(options)) {
    rmSync(fixture.stateDir, { recursive: true, force: true });
    const workers = Array.from({ length: 8 }, () => fixture.prepare());
    await Promise.all(workers.map(({ ready }) => ready));
    for (const worker of workers) worker.begin(fixture.job({ work: "first-open" }));
    for (const { code, stderr } of await Promise.all(workers.map(({ ended }) => ended))) {
      if (code !== 0 || stderr !== "") tally.errors.push(`cycle ${cycle}: ${code} ${stderr.slice(0, 300)}`);
    }
    await fixture.compare(tally, `cycle ${cycle}`);
  }
  return tally.result();
}
