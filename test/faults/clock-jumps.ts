import { readFileSync } from "node:fs";
import { createRandom } from "../../src/eval/compare.ts";
import { type Acknowledged, entryText } from "./entries.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

/** Instants with their local day, worked out by hand from the offsets in the comments. */
const moments: readonly (readonly [zone: string, moment: string, day: string])[] = [
  ["UTC", "2026-03-01T23:59:59.999Z", "2026-03-01"],
  ["UTC", "2026-03-02T00:00:00.000Z", "2026-03-02"],
  // Berlin is one hour ahead in winter, two from 29 March 2026, 01:00 UTC, to 25 October, 01:00 UTC.
  ["Europe/Berlin", "2026-03-28T22:59:59Z", "2026-03-28"],
  ["Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T21:59:59Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30"],
  ["Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25"],
  ["Europe/Berlin", "2026-10-25T22:59:59Z", "2026-10-25"],
  ["Europe/Berlin", "2026-10-25T23:00:00Z", "2026-10-26"],
  // São Paulo is three hours behind all the year.
  ["America/Sao_Paulo", "2026-01-01T02:59:59Z", "2025-12-31"],
  ["America/Sao_Paulo", "2026-01-01T03:00:00Z", "2026-01-01"],
  // Kiritimati is fourteen hours ahead; New York four behind in summer, from 8 March, 07:00 UTC.
  ["Pacific/Kiritimati", "2026-05-01T10:00:00Z", "2026-05-02"],
  ["America/New_York", "2026-03-08T04:59:59Z", "2026-03-07"],
  ["America/New_York", "2026-03-09T03:59:59Z", "2026-03-08"],
  ["America/New_York", "2026-03-09T04:00:00Z", "2026-03-09"],
  // A clock that was never set, and one that is far ahead.
  ["UTC", "1970-01-01T00:00:05Z", "1970-01-01"],
  ["UTC", "2099-12-31T23:59:59Z", "2099-12-31"],
];

export const clockJumps: Fault = {
  name: "clock-jumps",
  what: "the clock goes back and forth between entries and edits, over midnights and changes of summer time",
  shortCycles: 20,
  longCycles: 500,
  run: runClockJumps,
};

async function runClockJumps(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const fixture = makeFaultFixture(options.folder, { notes: 2 });
  const acknowledged: Acknowledged[] = [];
  for (const cycle of tally.cycles(options)) {
    // Each one once, then at random.
    const [zone, moment, day] =
      moments[cycle < moments.length ? cycle : Math.floor(random() * moments.length)]!;
    const when = `cycle ${cycle}, ${moment} in ${zone}`;
    const config = { agents: { defaults: { userTimezone: zone } } };
    const clock = { now: new Date(moment) };
    await fixture.use(
      async (memory) => {
        const text = entryText(`c${cycle}`, 20);
        const { path } = await memory.add(text);
        acknowledged.push({ path, text });
        if (path !== `memory/${day}.md`) tally.losses.push(`${when}: written to ${path}`);
        // An edit of the same size, after the clock has jumped to any time.
        const word = `sighting${1000 + cycle}`;
        fixture.write("memory/edited.md", `The gauge shows ${word} now.\n`);
        clock.now = new Date(moments[Math.floor(random() * moments.length)]![1]);
        await memory.sync();
        const { results } = await memory.search(word);
        if (!results.some(({ snippet }) => snippet.includes(word)))
          tally.divergences.push(`${when}: ${word} not found`);
      },
      { config, now: () => clock.now },
    );
    if (!readFileSync(fixture.at("memory/edited.md"), "utf8").includes(`${1000 + cycle}`))
      tally.losses.push(when);
  }
  fixture.checkEntries(tally, "at the end", acknowledged);
  await fixture.compare(tally, "at the end");
  return tally.result();
}
