import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/eval/compare.ts";
import { finish } from "../support/child-process.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import { startCli } from "./processes.ts";

const commands = [["index", "--force"], ["index", "--watch"], ["verify"], ["mcp"]];
const maxMs = 2000;

export const endedBySignal: Fault = {
  name: "ended-by-signal",
  what: "SIGTERM or SIGINT at random moments of a command: it ends within 2 s and leaves a sound index",
  shortCycles: 3,
  longCycles: 100,
  run: runEndedBySignal,
};

async function runEndedBySignal(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const fixture = makeFaultFixture(options.folder, { notes: 60 });
  let slowestMs = 0;
  for (const cycle of tally.cycles(options)) {
    const argv = commands[cycle % commands.length]!;
    const child = startCli(fixture, argv, { keepsInput: true });
    const ended = finish(child);
    await Promise.race([once(child, "spawn"), ended]);
    await sleep(300 + random() * 900);
    const sentMs = performance.now();
    const isRunning = child.exitCode === null;
    child.kill(random() < 0.5 ? "SIGTERM" : "SIGINT");
    const { code, signal, stderr } = await ended;
    const tookMs = isRunning ? performance.now() - sentMs : 0;
    slowestMs = Math.max(slowestMs, tookMs);
    const when = `cycle ${cycle}, ${argv.join(" ")}`;
    if (tookMs > maxMs * options.timeFactor)
      tally.errors.push(`${when}: ended after ${Math.round(tookMs)} ms`);
    // Before the program has installed a handler, the signal itself ends it.
    const isExpected = [0, 130, 143].includes(code ?? -1) || signal === "SIGTERM" || signal === "SIGINT";
    if (!isExpected || /\n\s+at /.test(stderr))
      tally.errors.push(`${when}: ${code ?? signal} ${stderr.slice(0, 300)}`);
    if (cycle % 5 === 0) await fixture.compare(tally, when);
  }
  await fixture.compare(tally, "at the end");
  tally.notes.push(`slowest end ${Math.round(slowestMs)} ms`);
  return tally.result();
}
