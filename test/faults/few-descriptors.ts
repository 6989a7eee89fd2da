import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

const commands = [
  ["index", "--force"],
  ["search", "ship on Fridays"],
  ["add", "With few descriptors."],
  ["verify"],
];

export const fewDescriptors: Fault = {
  name: "few-descriptors",
  what: "commands with at most 40 open files, on 120 notes in 30 folders",
  shortCycles: 1,
  longCycles: 5,
  obstacle: () => (process.platform === "win32" ? "there is no such limit on Windows" : null),
  run: runFewDescriptors,
};

async function runFewDescriptors(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const fixture = makeFaultFixture(options.folder);
  for (let number = 0; number < 120; number++) {
    fixture.write(
      `memory/folder-${number % 30}/note-${number}.md`,
      `# Note ${number}\n\nIt stands in a folder.\n`,
    );
  }
  for (const cycle of tally.cycles(options)) {
    for (const argv of commands) {
      const { code, stdout, stderr } = await fixture.cli([...argv, "--json"], {
        under: ["bash", "-c", 'ulimit -n 40; exec "$@"', "bash"],
      });
      if (code !== 0)
        tally.errors.push(`cycle ${cycle}, ${argv[0]}: ${code} ${stdout} ${stderr.slice(0, 400)}`);
    }
    await fixture.compare(tally, `cycle ${cycle}`);
  }
  return tally.result();
}
