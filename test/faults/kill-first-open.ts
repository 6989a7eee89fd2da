import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Fault, FaultOptions, FaultResult } from "./fault.ts";
import { runKillCycles } from "./kill-cycles.ts";

export const killFirstOpen: Fault = {
  name: "kill-first-open",
  what: "kill -9 at random moments while a new index is opened and filled by two processes",
  shortCycles: 4,
  longCycles: 1000,
  run: runKillFirstOpen,
};

async function runKillFirstOpen(options: FaultOptions): Promise<FaultResult> {
  let left = 0;
  const result = await runKillCycles(options, {
    work: "first-open",
    from: "beginning",
    spanMs: 800,
    processes: 2,
    prepare: ({ stateDir }) => rmSync(stateDir, { recursive: true, force: true }),
    async check({ fixture, tally, when }) {
      if (hasDatabase(fixture.stateDir)) left++;
      await fixture.compare(tally, when);
    },
  });
  return { ...result, notes: [...result.notes, `a database was left behind in ${left}`] };
}

function hasDatabase(stateDir: string): boolean {
  const dir = join(stateDir, "memory");
  return existsSync(dir) && readdirSync(dir).some((name) => name.endsWith(".sqlite"));
}
