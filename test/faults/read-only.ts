import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { type FaultFixture, makeFaultFixture } from "./fault-fixture.ts";
import { lackOf } from "./programs.ts";

/**
 * Root can write to every file. This stays root, because another user could not start Node from a private folder, but
 * drops the capabilities that override file permissions.
 */
const withoutRights = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
const commands = [
  ["search", "ship on Fridays"],
  ["index"],
  ["add", "Not here."],
  ["status"],
  ["verify"],
  ["get", "MEMORY.md"],
];

export const readOnly: Fault = {
  name: "read-only",
  what: "notes, state or both cannot be written: questions are answered, everything else says why, nothing changes",
  shortCycles: 1,
  longCycles: 6,
  obstacle() {
    if (process.platform === "win32") return "rights work in another way on Windows";
    const [program, ...argv] = withoutRights;
    return process.geteuid?.() === 0 ? lackOf(program!, [...argv, "true"]) : null;
  },
  run: runReadOnly,
};

async function runReadOnly(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder);
  await fixture.use((memory) => memory.sync());
  const under = process.geteuid?.() === 0 ? withoutRights : [];
  for (const cycle of tally.cycles(options)) {
    const closed = [[fixture.workspace, fixture.stateDir], [fixture.workspace], [fixture.stateDir]][
      cycle % 3
    ]!;
    setModes(closed, { file: 0o444, folder: 0o555 });
    const before = contentsOf(fixture);
    for (const argv of commands) {
      const { code, stdout, stderr } = await fixture.cli([...argv, "--json"], {
        under,
        env: { NODE_COMPILE_CACHE: "" },
      });
      const when = `cycle ${cycle}, ${argv[0]}`;
      if (/\n\s+at /.test(stderr) || !isJson(stdout))
        tally.errors.push(`${when}: ${code} ${stdout} ${stderr.slice(0, 300)}`);
      if (argv[0] === "search" && !stdout.includes("Fridays"))
        tally.divergences.push(`${when}: no answer: ${stdout}`);
      if (argv[0] === "add" && closed.includes(fixture.workspace) === (code === 0)) {
        tally.losses.push(`${when}: exit code ${code}: ${stdout}`);
      }
    }
    if (closed.includes(fixture.workspace) && contentsOf(fixture) !== before)
      tally.losses.push(`cycle ${cycle}: a note changed`);
    setModes(closed, { file: 0o644, folder: 0o755 });
    await fixture.compare(tally, `cycle ${cycle}`);
  }
  return tally.result();
}

function contentsOf({ workspace }: FaultFixture): string {
  return filesOf(workspace)
    .map((file) => `${file}\n${readFileSync(file, "latin1")}`)
    .join("\n");
}

function entriesOf(dir: string) {
  return readdirSync(dir, { recursive: true, withFileTypes: true });
}

function filesOf(dir: string): string[] {
  return entriesOf(dir)
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function setModes(dirs: readonly string[], modes: { file: number; folder: number }): void {
  for (const dir of dirs) {
    chmodSync(dir, 0o755);
    for (const entry of entriesOf(dir)) {
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? modes.folder : modes.file);
    }
    chmodSync(dir, modes.folder);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
