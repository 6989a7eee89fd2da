import { closeSync, existsSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/eval/compare.ts";
import type { Acknowledged } from "./entries.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import type { Work } from "./processes.ts";

/** Runs in a process that does not have the database open. */
const damages: Readonly<Record<string, (path: string, random: () => number) => void>> = {
  "deleted with its sidecars": (path) => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  },
  deleted: (path) => rmSync(path),
  "log deleted": (path) => rmSync(`${path}-wal`, { force: true }),
  truncated: (path, random) => truncateSync(path, Math.floor(random() * statSync(path).size)),
  emptied: (path) => truncateSync(path, 0),
  zeroed: (path) => overwrite(path, 0, Buffer.alloc(statSync(path).size)),
  "bits flipped": (path, random) => {
    const noise = Buffer.from([Math.floor(random() * 256)]);
    for (let flips = 0; flips < 30; flips++)
      overwrite(path, Math.floor(random() * statSync(path).size), noise);
  },
};

const works: readonly Work[] = ["search", "add", "sync"];

export const damagedWhileOpen: Fault = {
  name: "damaged-while-open",
  what: `the database is ${Object.keys(damages).join(", ")} while three processes search, add and sync`,
  shortCycles: 7,
  longCycles: 300,
  run: runDamagedWhileOpen,
};

async function runDamagedWhileOpen(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const fixture = makeFaultFixture(options.folder);
  const { dbPath } = await fixture.use(async (memory) => {
    await memory.sync();
    return await memory.status();
  });
  const start = (number: number) =>
    fixture.start({ work: works[number]!, seed: options.seed + number, name: `r${rounds++}-${number}` });
  let rounds = 0;
  const workers = works.map((_, number) => start(number));
  const acknowledged: Acknowledged[] = [];
  const collect = (number: number): void => {
    if (works[number] === "add") acknowledged.push(...workers[number]!.said<Acknowledged>());
  };
  let restarts = 0;
  await Promise.all(workers.map((worker) => worker.ready));
  for (const cycle of tally.cycles(options)) {
    await sleep(200 + random() * 500);
    const names = Object.keys(damages);
    const name = names[cycle < names.length ? cycle : Math.floor(random() * names.length)]!;
    if (existsSync(dbPath)) damages[name]!(dbPath, random);
    await sleep(300);
    for (const [number, { child, ended }] of workers.entries()) {
      if (child.exitCode === null && child.signalCode === null) continue;
      const { signal, stderr } = await ended;
      tally.errors.push(
        `cycle ${cycle}, ${name}: ${works[number]} ended: ${signal ?? ""} ${stderr.slice(0, 600)}`,
      );
      collect(number);
      workers[number] = start(number);
      restarts++;
    }
  }
  await Promise.all(workers.map((worker) => worker.kill()));
  for (const number of workers.keys()) collect(number);
  const { done } = await fixture.use((memory) => memory.repair());
  fixture.checkEntries(tally, "at the end", acknowledged);
  await fixture.compare(tally, "after a repair");
  tally.notes.push(
    `${acknowledged.length} entries; ${restarts} processes ended; the repair at the end: ${done.length} things done`,
  );
  return tally.result();
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const fd = openSync(path, "r+");
  writeSync(fd, bytes, 0, bytes.length, at);
  closeSync(fd);
}
