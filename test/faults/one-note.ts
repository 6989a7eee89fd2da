import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { type FaultStore, lackOfPostgres, openFaultStore } from "./fault-database.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import type { OneNoteRound } from "./one-note-work.ts";

const what =
  "eight processes add to one note and ask for what they added, half of them watching; a cycle is a search";

export const oneNote: Fault = {
  name: "one-note",
  what,
  shortCycles: 160,
  longCycles: 20_000,
  run: (options) => runOneNote(options, "sqlite"),
};

export const oneNotePostgres: Fault = {
  name: "one-note-postgres",
  what: `${what}; the index is in PostgreSQL`,
  shortCycles: 80,
  longCycles: 20_000,
  obstacle: lackOfPostgres,
  run: (options) => runOneNote(options, "postgres"),
};

const processes = 8;

async function runOneNote(
  { cycles, endsAtMs, seed, folder }: FaultOptions,
  store: FaultStore,
): Promise<FaultResult> {
  const tally = createTally();
  await using index = await openFaultStore(store);
  const fixture = makeFaultFixture(folder, index);
  const seconds = Math.max(10, (endsAtMs - performance.now()) / 1000);
  const rounds = Math.ceil(cycles / processes);
  const workers = Array.from({ length: processes }, (_, number) =>
    fixture.start({
      work: "one-note",
      rounds,
      seconds,
      seed: seed + number,
      name: `p${number}`,
      watches: number % 2 === 0,
    }),
  );
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  for (const { code, signal, stderr } of ends) {
    if (code !== 0) tally.errors.push(`a process ended by ${signal ?? code}: ${stderr.slice(0, 500)}`);
  }
  const said = workers.flatMap((worker) => worker.said<OneNoteRound>());
  const missed = said.filter(({ isFound }) => !isFound);
  for (const { path, text, stale } of missed) {
    if (!stale) tally.divergences.push(`${path}: ${text} was added and not found, and nothing said so`);
  }
  // These processes are on one machine, so none of them reverts another's work.
  const conflicts = said.flatMap(({ degraded }) =>
    degraded.filter((each) => each.includes("another machine")),
  );
  tally.errors.push(...new Set(conflicts));
  fixture.checkEntries(tally, "at the end", said);
  await fixture.compare(tally, "at the end");
  tally.count(said.length);
  const stale = said.filter((each) => each.stale).length;
  tally.notes.push(`${stale} answers marked stale, ${missed.length} of them without what was added`);
  return tally.result();
}
