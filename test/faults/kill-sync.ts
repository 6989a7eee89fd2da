import type { Fault } from "./fault.ts";
import { runKillCycles } from "./kill-cycles.ts";

export const killSync: Fault = {
  name: "kill-sync",
  what: "kill -9 at random moments while notes change and are indexed",
  shortCycles: 5,
  longCycles: 1000,
  run: (options) =>
    runKillCycles(options, {
      work: "sync",
      from: "acknowledgement",
      spanMs: 700,
      check: ({ fixture, tally, when }) => fixture.compare(tally, when),
    }),
};
