import { chmodSync, chownSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { type FaultPlace, makeFaultPlace } from "./fault-place.ts";

const nobody = 65_534;
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
  obstacle: () => (process.platform === "win32" ? "rights work in another way on Windows" : null),
  run: runReadOnly,
};

async function runReadOnly(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const place = makeFaultPlace(options.folder);
  await place.use((memory) => memory.sync());
  const uid = process.geteuid?.() === 0 ? nobody : undefined;
  chmodSync(dirname(place.workspace), 0o755);
  for (const cycle of tally.cycles(options)) {
    const closed = [[place.workspace, place.stateDir], [place.workspace], [place.stateDir]][cycle % 3]!;
    if (uid !== undefined) own([place.workspace, place.stateDir], uid);
    setModes(closed, { file: 0o444, folder: 0o555 });
    const before = contentsOf(place);
    for (const argv of commands) {
      const { code, stdout, stderr } = await place.cli([...argv, "--json"], {
        ...(uid === undefined ? {} : { uid }),
        env: { NODE_COMPILE_CACHE: "" },
      });
      const when = `cycle ${cycle}, ${argv[0]}`;
      if (/\n\s+at /.test(stderr) || !isJson(stdout))
        tally.errors.push(`${when}: ${code} ${stdout} ${stderr.slice(0, 300)}`);
      if (argv[0] === "search" && !stdout.includes("Fridays"))
        tally.divergences.push(`${when}: no answer: ${stdout}`);
      if (argv[0] === "add" && closed.includes(place.workspace) === (code === 0)) {
        tally.losses.push(`${when}: exit code ${code}: ${stdout}`);
      }
    }
    if (closed.includes(place.workspace) && contentsOf(place) !== before)
      tally.losses.push(`cycle ${cycle}: a note changed`);
    setModes(closed, { file: 0o644, folder: 0o755 });
    if (uid !== undefined) own([place.workspace, place.stateDir], 0);
    await place.compare(tally, `cycle ${cycle}`);
  }
  return tally.result();
}

function contentsOf({ workspace }: FaultPlace): string {
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

function own(dirs: readonly string[], uid: number): void {
  for (const dir of dirs) {
    chownSync(dir, uid, uid);
    for (const entry of entriesOf(dir)) chownSync(join(entry.parentPath, entry.name), uid, uid);
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
