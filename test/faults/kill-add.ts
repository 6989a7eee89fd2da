import type { Acknowledged } from "./entries.ts";
import type { Fault } from "./fault.ts";
import { runKillCycles } from "./kill-cycles.ts";

export const killAdd: Fault = {
  name: "kill-add",
  what: "kill -9 at random moments while two processes write entries to the same notes",
  shortCycles: 4,
  longCycles: 1000,
  run: (options) =>
    runKillCycles(options, {
      work: "add",
      from: "acknowledgement",
      spanMs: 700,
      processes: 2,
      async check({ fixture, tally, when, said }) {
        fixture.checkEntries(tally, when, said as Acknowledged[]);
        await fixture.compare(tally, when);
      },
    }),
};
