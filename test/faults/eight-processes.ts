import type { Acknowledged } from "./entries.ts";
import { createTally, describeError, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import type { Work } from "./processes.ts";

const works: readonly Work[] = ["sync", "sync", "search", "search", "add", "add", "watch", "watch"];

/** One cycle is one second. */
export const eightProcesses: Fault = {
  name: "eight-processes",
  what: "eight processes sync, search, add and watch on one index, and commands are run beside them; a cycle is a second",
  shortCycles: 5,
  longCycles: 600,
  run: runEightProcesses,
};

async function runEightProcesses({ cycles, endsAtMs, seed, folder }: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(folder);
  const beganMs = performance.now();
  const seconds = Math.min(cycles, Math.max(5, (endsAtMs - beganMs) / 1000));
  const workers = works.map((work, number) =>
    fixture.start({ work, seconds, seed: seed + number, name: `p${number}` }),
  );
  let commands = 0;
  while (performance.now() - beganMs < seconds * 1000 - 2000) {
    const argv = [
      ["search", "garden invoice"],
      ["status"],
      ["add", `Command ${commands} was here.`],
      ["index"],
    ];
    const { code, stdout, stderr } = await fixture.cli([...argv[commands % argv.length]!, "--json"]);
    if (code !== 0)
      tally.errors.push(`command ${argv[commands % argv.length]!.join(" ")}: ${stdout} ${stderr}`);
    commands++;
  }
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  for (const [number, { code, signal, stderr }] of ends.entries()) {
    if (code !== 0) tally.errors.push(`${works[number]}: ${signal ?? code} ${stderr.slice(0, 500)}`);
  }
  const saidBy = <T>(work: Work): T[] =>
    workers.flatMap((worker, number) => (works[number] === work ? worker.said<T>() : []));
  const added = saidBy<Acknowledged & { indexed: boolean }>("add");
  const found = saidBy<{ path: string | null; degraded: string[] }>("search");
  for (const { degraded } of found) {
    tally.errors.push(...degraded.map((reason) => `search: ${reason}`));
  }
  for (const { warning } of saidBy<{ warning?: string }>("watch")) {
    if (warning !== undefined) tally.errors.push(`watch: ${warning}`);
  }
  fixture.checkEntries(tally, "at the end", added);
  await fixture.compare(tally, "at the end");
  try {
    const problems = await fixture.use((memory) => memory.checkIndex());
    tally.divergences.push(...problems);
  } catch (error) {
    tally.errors.push(describeError(error));
  }
  tally.count(Math.round(seconds));
  const notIndexed = added.filter(({ indexed }) => !indexed).length;
  // One number per process, so that an idle one is noticed.
  const countsOf = (work: Work): string =>
    workers.flatMap((worker, number) => (works[number] === work ? worker.said().length : [])).join(" + ");
  tally.notes.push(
    `passes ${countsOf("sync")}, searches ${countsOf("search")}, entries ${countsOf("add")} (${notIndexed} indexed later), ${commands} commands`,
  );
  if (new Set(added.map(({ text }) => text)).size !== added.length)
    tally.errors.push("an entry was acknowledged twice");
  return tally.result();
}
