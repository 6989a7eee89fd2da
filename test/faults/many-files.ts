import { mkdirSync, writeFileSync } from "node:fs";
import { finish } from "../support/child-process.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import { followFootprint } from "./footprint.ts";
import { startCli } from "./processes.ts";

const maxMegabytes = 1024;
const perFolder = 1000;

/** One cycle is one file. */
export const manyFiles: Fault = {
  name: "many-files",
  what: "a million small notes: `status` scans them, `index` puts them all into the index, and does so again with nothing to do; memory stays below 1 GB; a cycle is a note",
  longCycles: 1_000_000,
  run: runManyFiles,
};

async function runManyFiles({ cycles, folder }: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(folder, { notes: 0 });
  writeFileSync(
    fixture.at("longhand.json5"),
    JSON.stringify({ agents: { defaults: { memorySearch: { provider: "none" } } } }),
  );
  for (let number = 0; number < cycles; number++) {
    const dir = `memory/${Math.floor(number / perFolder)}`;
    if (number % perFolder === 0) mkdirSync(fixture.at(dir));
    writeFileSync(
      fixture.at(`${dir}/${number}.md`),
      `# Note ${number}\n\nWord${number % 977} and word${number % 7919} of it.\n`,
    );
  }
  tally.count(cycles);
  for (const [what, argv] of [
    ["scan", ["status"]],
    ["first index", ["index"]],
    ["nothing to do", ["index"]],
  ] as const) {
    const beganMs = performance.now();
    const child = startCli(fixture, [...argv, "--json", "--config", fixture.at("longhand.json5")]);
    using footprint = followFootprint(child.pid!);
    const { code, stdout, stderr } = await finish(child);
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
    const { peakMegabytes } = footprint;
    tally.notes.push(`${what} ${seconds} s, ${Math.round(peakMegabytes)} MB`);
    if (code !== 0) tally.errors.push(`${what}: ${code} ${stdout.slice(0, 300)} ${stderr.slice(-300)}`);
    if (peakMegabytes > maxMegabytes) tally.errors.push(`${what}: ${Math.round(peakMegabytes)} MB of memory`);
    const seen = what === "scan" ? JSON.parse(stdout || "{}").onDisk?.files : undefined;
    if (seen !== undefined && seen !== cycles + 1) tally.divergences.push(`${seen} files seen`);
  }
  return tally.result();
}
