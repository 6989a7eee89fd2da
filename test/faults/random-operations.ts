import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { type FaultStore, lackOfPostgres, openFaultStore } from "./fault-database.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import type { RandomOperation } from "./random-work.ts";

const what =
  "three to eight processes add, edit, save by rename, delete and search at random; a cycle is an operation";

export const randomOperations: Fault = {
  name: "random-operations",
  what,
  shortCycles: 200,
  longCycles: 40_000,
  run: (options) => runRandomOperations(options, "sqlite"),
};

export const randomOperationsPostgres: Fault = {
  name: "random-operations-postgres",
  what: `${what}; the index is in PostgreSQL`,
  shortCycles: 100,
  longCycles: 20_000,
  obstacle: lackOfPostgres,
  run: (options) => runRandomOperations(options, "postgres"),
};

/** The number of operations, first with one number of processes, then with another. */
const operationsPerTurn = 2000;

async function runRandomOperations(options: FaultOptions, store: FaultStore): Promise<FaultResult> {
  const { cycles, endsAtMs, seed, folder } = options;
  const tally = createTally();
  await using index = await openFaultStore(store);
  const fixture = makeFaultFixture(folder, index);
  const said: RandomOperation[] = [];
  for (let turn = 0; said.length < cycles && (turn === 0 || performance.now() < endsAtMs); turn++) {
    const processes = 3 + ((seed + turn) % 6);
    const wanted = Math.min(operationsPerTurn, cycles - said.length);
    const workers = Array.from({ length: processes }, (_, number) =>
      fixture.start({
        work: "random",
        rounds: Math.ceil(wanted / processes),
        seconds: Math.max(10, (endsAtMs - performance.now()) / 1000),
        seed: seed + 100 * turn + number,
        name: `p${turn * 10 + number}`,
        watches: number % 3 === 0,
      }),
    );
    for (const worker of workers) {
      const { code, signal, stderr } = await worker.ended;
      if (code !== 0) tally.errors.push(`a process ended by ${signal ?? code}: ${stderr.slice(0, 500)}`);
      said.push(...worker.said<RandomOperation>());
    }
    await fixture.compare(tally, `after turn ${turn}`);
  }
  tally.divergences.push(...said.flatMap(({ wrong }) => wrong ?? []));
  const added = said.flatMap(({ path, text }) => (path && text ? [{ path, text }] : []));
  fixture.checkEntries(tally, "at the end", added);
  tally.count(said.length);
  const searches = said.filter(({ operation }) => operation === "search");
  const stale = searches.filter((each) => each.stale).length;
  tally.notes.push(`${added.length} entries, ${searches.length} searches, ${stale} of them marked stale`);
  return tally.result();
}
