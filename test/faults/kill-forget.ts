import type { Acknowledged } from "./entries.ts";
import type { Fault } from "./fault.ts";
import { checkForgotten } from "./forgotten.ts";
import { runKillCycles } from "./kill-cycles.ts";

type Said =
  | { readonly kept: Acknowledged }
  | { readonly forgetting: string }
  | { readonly forgotten: string };

export const killForget: Fault = {
  name: "kill-forget",
  what: "kill -9 at random moments while entries are written and forgotten; no byte is left of a forgotten one, nor, after the next open, of one that has gone from its note",
  shortCycles: 3,
  longCycles: 500,
  async run(options) {
    let pending = 0;
    const killed = new Set<string>();
    const result = await runKillCycles(options, {
      work: "forget",
      from: "acknowledgement",
      spanMs: 900,
      // The note is edited soon after a forget starts; the rest takes longer and leaves fewer traces.
      awaited: { said: "forgetting", spanMs: 150 },
      async check({ fixture, tally, when, said }) {
        const all = said as Said[];
        const kept = all.flatMap((each) => ("kept" in each ? each.kept : []));
        fixture.checkEntries(tally, when, kept);
        const done = all.flatMap((each) => ("forgotten" in each ? each.forgotten : []));
        const begun = all.flatMap((each) => ("forgetting" in each ? each.forgetting : []));
        for (const text of begun) if (!done.includes(text)) killed.add(text);
        pending += await checkForgotten(fixture, { done, begun, tally, when });
        await fixture.compare(tally, when);
      },
    });
    const note = `${killed.size} forgets were killed on their way, ${pending} of them when a purge was pending`;
    return { ...result, notes: [...result.notes, note] };
  },
};
