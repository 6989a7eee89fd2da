import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Acknowledged, entryText } from "./entries.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult, type Tally } from "./fault.ts";
import { type FaultFixture, makeFaultFixture } from "./fault-fixture.ts";
import { mountDisk, refusedDisk, unmountDisk } from "./small-disk.ts";

interface Refusal {
  readonly name: string;
  begin(disk: string): void;
  end(disk: string): void;
  /** What the error must say. */
  readonly reason: RegExp;
}

const refusals: readonly Refusal[] = [
  {
    name: "no room for more files",
    begin(disk) {
      mkdirSync(join(disk, "filler"));
      try {
        for (let number = 0; ; number++) closeSync(openSync(join(disk, "filler", `${number}`), "wx"));
      } catch {
        // The last entry that was written.
      }
    },
    end: (disk) => rmSync(join(disk, "filler"), { recursive: true }),
    reason: /no room for more files|ENOSPC/,
  },
  {
    name: "read-only",
    begin: (disk) => void mountDisk(disk, "remount,ro"),
    end: (disk) => void mountDisk(disk, "remount,rw"),
    reason: /read-only|EROFS/,
  },
];

export const diskRefuses: Fault = {
  name: "disk-refuses",
  what: "a disk without free inodes, or mounted read-only: `add` is refused with that reason, with and without a state folder, `search` answers, and both work afterwards",
  shortCycles: 4,
  longCycles: 20,
  obstacle: refusedDisk,
  run: runDiskRefuses,
};

async function runDiskRefuses(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  for (const cycle of tally.cycles(options)) {
    const refusal = refusals[cycle % refusals.length]!;
    const hasState = cycle % 4 < 2;
    const disk = join(options.folder, `disk-${cycle}`);
    mkdirSync(disk);
    mountDisk(disk, "size=30000000,nr_inodes=120");
    try {
      const fixture = makeFaultFixture(disk);
      const when = `cycle ${cycle}, ${refusal.name}${hasState ? "" : ", no state"}`;
      await tryRefusal(disk, fixture, refusal, { tally, hasState, when });
      await fixture.compare(tally, when);
    } finally {
      unmountDisk(disk);
      rmSync(disk, { recursive: true, force: true });
    }
  }
  return tally.result();
}

async function tryRefusal(
  disk: string,
  fixture: FaultFixture,
  refusal: Refusal,
  { tally, hasState, when }: { tally: Tally; hasState: boolean; when: string },
): Promise<void> {
  const acknowledged: Acknowledged[] = [];
  const add = async (name: string, to: string) => {
    const text = entryText(name, 40);
    const { code, stdout, stderr } = await fixture.cli(["add", text, "--to", to, "--json"]);
    const answer = JSON.parse(stdout) as {
      path?: string;
      error?: { code: string; message: string; hint: string };
    };
    if (code === 0) acknowledged.push({ path: answer.path!, text });
    return { code, stderr, error: answer.error };
  };
  if (hasState) {
    await add("before", "memory/log.md");
    await fixture.cli(["index"]);
  }
  refusal.begin(disk);
  const { code, error, stderr } = await add("during", "memory/new.md");
  const said = `${error?.message} ${error?.hint} ${stderr}`;
  if (code === 0 || error?.code === "internal" || !refusal.reason.test(said)) {
    tally.errors.push(`${when}: add said: ${code} ${error?.code} ${said.slice(0, 300)}`);
  }
  if (hasState) {
    const { stdout } = await fixture.cli(["search", "ship on Fridays", "--json"]);
    if (!stdout.includes("Fridays")) tally.divergences.push(`${when}: no answer: ${stdout.slice(0, 300)}`);
  }
  refusal.end(disk);
  await add("after", "memory/new.md");
  if (acknowledged.length !== (hasState ? 2 : 1))
    tally.errors.push(`${when}: it cannot be written afterwards`);
  fixture.checkEntries(tally, when, acknowledged);
}
