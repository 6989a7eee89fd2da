import { appendFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Memory } from "../../src/index.ts";
import { finish } from "../support/child-process.ts";
import { until } from "../support/hang-limit.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import { startCli } from "./processes.ts";

const everyMs = 400;

/** One cycle is one append; every fifth also edits another note. */
export const steadyAppends: Fault = {
  name: "steady-appends",
  what: "`index --watch` while another program appends to a note every 400 ms (found within 5 s) and then edits others (within 3 s)",
  shortCycles: 10,
  longCycles: 150,
  run: runSteadyAppends,
};

async function runSteadyAppends(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  // Searches do not check for changes, so what they find was indexed by the watcher.
  const config = { agents: { defaults: { memorySearch: { sync: { onSearch: false } } } } };
  const fixture = makeFaultFixture(options.folder, { options: { config } });
  writeFileSync(fixture.at("memory/log.md"), "# Log\n\n");
  const child = startCli(fixture, ["index", "--watch"]);
  const ended = finish(child);
  await new Promise<void>((resolve) => {
    child.stderr!.on("data", (data) => String(data).includes("Watching") && resolve());
    child.once("close", () => resolve());
  });
  await using memory = await fixture.open();
  const found: Promise<number>[] = [];
  for (const cycle of tally.cycles(options)) {
    appendFileSync(fixture.at("memory/log.md"), `Line appended${cycle}x of the log.\n`);
    found.push(untilFound(memory, `appended${cycle}x`));
    await sleep(everyMs);
  }
  const appended = await Promise.all(found);
  const edited: number[] = [];
  for (let edit = 0; edit < Math.max(3, options.cycles / 10); edit++) {
    writeFileSync(fixture.at("memory/edited.md"), `The gauge shows edited${edit}x now.\n`);
    edited.push(await untilFound(memory, `edited${edit}x`));
    // Waits until the watcher is idle again.
    await sleep(700);
  }
  child.kill("SIGTERM");
  await ended;
  for (const [limitMs, list] of [
    [5000, appended],
    [3000, edited],
  ] as const) {
    const late = list.filter((ms) => ms > limitMs * options.timeFactor);
    if (late.length > 0)
      tally.divergences.push(
        `${late.length} of ${list.length} later than ${limitMs} ms: ${late.map(Math.round).join()}`,
      );
  }
  await fixture.compare(tally, "at the end");
  tally.notes.push(`appended lines found after ${describe(appended)}, edits after ${describe(edited)}`);
  return tally.result();
}

async function untilFound(memory: Memory, word: string): Promise<number> {
  const beganMs = performance.now();
  const isFound = async (): Promise<boolean> =>
    (await memory.search(word)).results.some(({ snippet }) => snippet.includes(word));
  await until(isFound, `${word} is found`);
  return performance.now() - beganMs;
}

function describe(list: readonly number[]): string {
  const sorted = [...list].sort((a, b) => a - b);
  return `${Math.round(sorted[sorted.length >> 1]!)} ms (median), ${Math.round(sorted.at(-1)!)} ms (most)`;
}
