import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/eval/compare.ts";
import { finish } from "../support/child-process.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import { readFootprint } from "./footprint.ts";
import { startCli } from "./processes.ts";
import { isLinux } from "./programs.ts";

/** Garbage that may accumulate between two samples. */
const slackMegabytes = 60;

/** One cycle is one event. */
export const manyEvents: Fault = {
  name: "many-events",
  what: "`index --watch` through 100,000 changes of notes: no growth of memory, handles or temporary files; a cycle is a change",
  longCycles: 100_000,
  obstacle: isLinux,
  run: runManyEvents,
};

async function runManyEvents(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const fixture = makeFaultFixture(options.folder);
  const folders = Array.from({ length: 20 }, (_, number) => `memory/folder-${number}`);
  for (const folder of folders) mkdirSync(fixture.at(folder));
  const child = startCli(fixture, ["index", "--watch"]);
  const ended = finish(child);
  await new Promise<void>((resolve) => {
    child.stderr!.on("data", (data) => String(data).includes("Watching") && resolve());
    child.once("close", () => resolve());
  });
  const looks: { megabytes: number; handles: number; files: number }[] = [];
  const look = (): void => {
    const { megabytes, handles } = readFootprint(child.pid!);
    looks.push({ megabytes, handles, files: readdirSync(fixture.stateDir, { recursive: true }).length });
  };
  const lookEvery = Math.max(1, Math.floor(options.cycles / 20));
  for (const cycle of tally.cycles(options)) {
    const folder = folders[Math.floor(random() * folders.length)]!;
    const number = Math.floor(random() * 50);
    writeFileSync(
      fixture.at(`${folder}/note-${number}.md`),
      `# Note ${number}\n\nChange ${cycle} of ${folder}.\n`,
    );
    // As fast as a program that writes many notes, with occasional pauses for the watcher.
    if (cycle % 50 === 49) await sleep(20);
    if (cycle % lookEvery === lookEvery - 1) {
      await sleep(500);
      look();
    }
  }
  await sleep(6000);
  look();
  const isAlive = child.exitCode === null;
  child.kill("SIGTERM");
  const { stderr } = await ended;
  if (!isAlive) tally.errors.push(`the watcher ended: ${stderr.slice(-500)}`);
  // The first samples are of a process that is still growing to its usual size.
  const early = looks.slice(0, Math.ceil(looks.length / 2));
  const [maxEarly, last] = [Math.max(...early.map(({ megabytes }) => megabytes)), looks.at(-1)!];
  if (last.megabytes > maxEarly + slackMegabytes)
    tally.errors.push(`memory grew: ${looks.map(({ megabytes }) => Math.round(megabytes)).join()}`);
  for (const key of ["handles", "files"] as const) {
    if (last[key] > Math.max(...early.map((each) => each[key])) + 2) {
      tally.errors.push(`${key} grew: ${looks.map((each) => each[key]).join()}`);
    }
  }
  await fixture.compare(tally, "at the end");
  const summary = (key: keyof (typeof looks)[number]): string =>
    `${Math.round(looks[0]![key])} → ${Math.round(looks[looks.length >> 1]![key])} → ${Math.round(last[key])}`;
  tally.notes.push(
    `MB ${summary("megabytes")}, handles ${summary("handles")}, files of the state ${summary("files")} (first, middle, last look)`,
  );
  return tally.result();
}
