import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../src/eval/compare.ts";
import { LonghandError, type Memory } from "../../src/index.ts";
import { type Acknowledged, entryText } from "./entries.ts";
import {
  createTally,
  describeError,
  type Fault,
  type FaultOptions,
  type FaultResult,
  type Tally,
} from "./fault.ts";
import { type FaultFixture, makeFaultFixture } from "./fault-fixture.ts";
import { mountDisk, refusedDisk, unmountDisk } from "./small-disk.ts";

export const fullDisk: Fault = {
  name: "full-disk",
  what: "a small file system fills up during add, sync and forget, at another place each time; then there is room again; then it is full, and is searched",
  shortCycles: 2,
  longCycles: 200,
  obstacle: refusedDisk,
  run: runFullDisk,
};

async function runFullDisk(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  let refused = 0;
  for (const cycle of tally.cycles(options)) {
    const disk = join(options.folder, `disk-${cycle}`);
    mkdirSync(disk);
    mountDisk(disk, `size=${4_000_000 + Math.floor(random() * 8_000_000)}`);
    try {
      refused += await fillDisk(disk, { tally, random, when: `cycle ${cycle}` });
    } finally {
      unmountDisk(disk);
      rmSync(disk, { recursive: true, force: true });
    }
  }
  tally.notes.push(`${refused} calls refused, each with its reason`);
  return tally.result();
}

interface FillOptions {
  readonly tally: Tally;
  readonly random: () => number;
  readonly when: string;
}

/** Returns how many calls were refused. */
async function fillDisk(disk: string, { tally, random, when }: FillOptions): Promise<number> {
  const fixture = makeFaultFixture(disk);
  const acknowledged: Acknowledged[] = [];
  let refused = 0;
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      refused++;
      if (!(error instanceof LonghandError)) tally.errors.push(`${when}: ${what}: ${describeError(error)}`);
    }
  };
  const add = (memory: Memory, name: string): Promise<void> =>
    attempt("add", async () => {
      const text = entryText(name, Math.floor(random() * 3000));
      const { path } = await memory.add(text, { to: random() < 0.5 ? "memory/log.md" : `memory/${name}.md` });
      acknowledged.push({ path, text });
    });
  await fixture.use(async (memory) => {
    if (random() < 0.7) await memory.sync();
    for (let number = 0; number < 5; number++) await add(memory, `before-${number}`);
    // All but a few pages, so that calls fail halfway.
    fill(join(disk, "filler"), Math.floor(random() * 60_000));
    for (let number = 0; number < 25; number++) await add(memory, `during-${number}`);
    await attempt("sync", async () => void (await memory.sync({ force: true })));
    const [first] = acknowledged;
    const line =
      1 +
      readFileSync(fixture.at(first!.path), "utf8")
        .split("\n")
        .findIndex((each) => each.includes(first!.text));
    await attempt("forget", async () => {
      await memory.forget({ path: first!.path, startLine: line, endLine: line });
      acknowledged.shift();
    });
    await attempt("search", async () => void (await memory.search("ship on Fridays")));
    fixture.checkEntries(tally, `${when}, while full`, acknowledged);
    rmSync(join(disk, "filler"));
    for (let number = 0; number < 3; number++) await add(memory, `after-${number}`);
  });
  if (!acknowledged.some(({ text }) => text.includes("after-2")))
    tally.errors.push(`${when}: no room afterwards`);
  fixture.checkEntries(tally, when, acknowledged);
  await fixture.compare(tally, when);
  await askWhileFull(disk, fixture, { tally, when });
  return refused;
}

/** A closed memory can be searched and described even if not a byte can be written. */
async function askWhileFull(
  disk: string,
  fixture: FaultFixture,
  { tally, when }: Omit<FillOptions, "random">,
): Promise<void> {
  fill(join(disk, "filler"), 0);
  for (const argv of [["search", "ship on Fridays"], ["search", "ship on Fridays"], ["status"]]) {
    const { code, stdout, stderr } = await fixture.cli([...argv, "--json"]);
    const what = `${when}: ${argv[0]} on a full disk`;
    if (code !== 0) tally.errors.push(`${what}: exit code ${code}: ${stderr.slice(0, 300)}`);
    else if (argv[0] === "search" && !stdout.includes("Fridays"))
      tally.divergences.push(`${what}: no answer`);
  }
  rmSync(join(disk, "filler"));
}

function fill(file: string, leaveBytes: number): void {
  const chunk = Buffer.alloc(4096, "x");
  let size = 0;
  try {
    for (;;) {
      writeFileSync(file, chunk, { flag: "a" });
      size += chunk.length;
    }
  } catch {
    // Full: frees some of it.
    writeFileSync(file, Buffer.alloc(Math.max(0, size - leaveBytes), "x"));
  }
}
