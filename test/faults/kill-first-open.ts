import { rmSync } from "node:fs";
import type { Fault } from "./fault.ts";
import { runKillCycles } from "./kill-cycles.ts";

export const killFirstOpen: Fault = {
  name: "kill-first-open",
  what: "kill -9 at random moments while a new index is opened and filled by two processes",
  shortCycles: 4,
  longCycles: 1000,
  run: (options) =>
    runKillCycles(options, {
      work: "first-open",
      spanMs: 350,
      processes: 2,
      prepare: ({ stateDir }) => rmSync(stateDir, { recursive: true, force: true }),
      check: ({ place, tally, when }) => place.compare(tally, when),
    }),
};
