import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Acknowledged } from "./entries.ts";
import type { Fault } from "./fault.ts";
import { runKillCycles } from "./kill-cycles.ts";

type Said = { readonly kept: Acknowledged } | { readonly forgotten: string };

export const killForget: Fault = {
  name: "kill-forget",
  what: "kill -9 at random moments while entries are written and forgotten; no byte of a forgotten one is left",
  shortCycles: 3,
  longCycles: 300,
  run: (options) =>
    runKillCycles(options, {
      work: "forget",
      from: "acknowledgement",
      spanMs: 900,
      async check({ place, tally, when, said }) {
        const all = said as Said[];
        const kept = all.flatMap((each) => ("kept" in each ? each.kept : []));
        place.checkEntries(tally, when, kept);
        for (const each of all) {
          if (!("forgotten" in each)) continue;
          const left = [place.workspace, place.stateDir].flatMap((dir) => filesWith(dir, each.forgotten));
          if (left.length > 0) tally.losses.push(`${when}: ${each.forgotten} is still in ${left.join(", ")}`);
        }
        await place.compare(tally, when);
      },
    }),
};

function filesWith(dir: string, text: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);
}
