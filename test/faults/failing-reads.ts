import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { type FaultFixture, makeFaultFixture } from "./fault-fixture.ts";
import { isLinux, lackOf } from "./programs.ts";

const commands = [["search", "ship on Fridays"], ["index"], ["status"]];

export const failingReads: Fault = {
  name: "failing-reads",
  what: "one read of the index fails with EIO, at every position of a search, an index and a status in turn; no index is quarantined or rebuilt",
  shortCycles: 4,
  longCycles: Number.POSITIVE_INFINITY,
  obstacle: () =>
    isLinux() ?? lackOf("strace", ["-o", "/dev/null", "-e", "inject=pread64:error=EIO:when=9999", "true"]),
  run: runFailingReads,
};

async function runFailingReads(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(join(options.folder, "place"));
  const dbPath = await fixture.use(async (memory) => {
    await memory.sync();
    return (await memory.status()).dbPath;
  });
  const prepared = join(options.folder, "prepared");
  cpSync(fixture.stateDir, prepared, { recursive: true });
  const points: { argv: readonly string[]; position: number }[] = [];
  for (const argv of commands) {
    const reads = await countReads(fixture, { argv, dbPath, folder: options.folder });
    for (let position = 1; position <= reads; position++) points.push({ argv, position });
  }
  // A short run samples evenly.
  const cycles = Math.min(options.cycles, points.length);
  let refused = 0;
  for (const cycle of tally.cycles({ ...options, cycles })) {
    const { argv, position } = points[Math.floor((cycle * points.length) / cycles)]!;
    const when = `${argv[0]}, read ${position}`;
    rmSync(fixture.stateDir, { recursive: true });
    cpSync(prepared, fixture.stateDir, { recursive: true });
    const { code, stdout, stderr } = await fixture.cli([...argv, "--json"], {
      under: tracing(dbPath, ["-e", `inject=pread64:error=EIO:when=${position}`, "-o", "/dev/null"]),
    });
    if (code !== 0) refused++;
    if (code !== 0 && !stdout.includes("index-unusable"))
      tally.errors.push(`${when}: exit code ${code}: ${stdout.slice(0, 200)} ${stderr.slice(0, 200)}`);
    if (code === 0 && argv[0] === "search" && !stdout.includes("Fridays"))
      tally.divergences.push(`${when}: no answer`);
    const quarantined = readdirSync(dirname(dbPath)).filter((name) => name.includes(".corrupt-"));
    if (quarantined.length > 0) tally.losses.push(`${when}: quarantined as ${quarantined.join(", ")}`);
    const { added } = await fixture.use((memory) => memory.sync());
    if (added > 0) tally.losses.push(`${when}: ${added} notes were indexed again`);
  }
  tally.notes.push(
    `${points.length} positions; ${refused} commands refused with the reason, the others answered`,
  );
  await fixture.compare(tally, "at the end");
  return tally.result();
}

function tracing(dbPath: string, argv: readonly string[]): readonly string[] {
  return ["strace", "-f", "-qq", "-e", "trace=pread64", "-P", dbPath, ...argv];
}

async function countReads(
  fixture: FaultFixture,
  { argv, dbPath, folder }: { argv: readonly string[]; dbPath: string; folder: string },
): Promise<number> {
  const log = join(folder, "strace.log");
  await fixture.cli([...argv, "--json"], { under: tracing(dbPath, ["-o", log]) });
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes("pread64(")).length;
}
