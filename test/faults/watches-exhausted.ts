import { until } from "../support/hang-limit.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";
import { startWorker } from "./processes.ts";
import { isLinux, lackOf } from "./programs.ts";

/** In a separate user namespace, which has its own limit. */
const limited = (what: string, count: number): string[] => [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  ...[`echo ${count} > /proc/sys/user/max_inotify_${what} && exec "$@"`, "sh"],
];
const foundWithinMs = 15_000;
const limits = [limited("watches", 3), limited("instances", 0)];

export const watchesExhausted: Fault = {
  name: "watches-exhausted",
  what: "the system gives out no more inotify watches (ENOSPC) or instances (EMFILE): one warning, then polling finds changes",
  shortCycles: 1,
  longCycles: 6,
  obstacle: () => isLinux() ?? lackOf(limits[0]![0]!, [...limits[0]!.slice(1), "true"]),
  run: runWatchesExhausted,
};

async function runWatchesExhausted(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const config = {
    agents: { defaults: { memorySearch: { sync: { onSearch: false, watchDebounceMs: 100 } } } },
  };
  const fixture = makeFaultFixture(options.folder, { notes: 2, options: { config } });
  for (let number = 0; number < 8; number++)
    fixture.write(`memory/folder-${number}/note.md`, `Note ${number}.\n`);
  let slowestMs = 0;
  for (const cycle of tally.cycles(options)) {
    const worker = startWorker({ under: limits[cycle % limits.length]! });
    worker.begin(fixture.job({ work: "watch" }));
    await worker.ready;
    const warnings = () => worker.said<{ warning?: string }>().flatMap(({ warning }) => warning ?? []);
    // By then it has scanned all folders, and will only poll.
    while (warnings().length === 0 && worker.child.exitCode === null) await worker.heard();
    const word = `polled${cycle}`;
    fixture.write("memory/folder-7/note.md", `The note says ${word}.\n`);
    const wroteMs = performance.now();
    await fixture.use(async (memory) => {
      const isFound = async (): Promise<boolean> => (await memory.search(word)).results.length > 0;
      await until(isFound, `${word} is found`);
    });
    const tookMs = performance.now() - wroteMs;
    slowestMs = Math.max(slowestMs, tookMs);
    if (tookMs > foundWithinMs * options.timeFactor)
      tally.divergences.push(`cycle ${cycle}: found after ${Math.round(tookMs)} ms`);
    const told = warnings();
    if (told.length !== 1) tally.errors.push(`cycle ${cycle}: ${told.length} warnings: ${told.join(" ")}`);
    const { stderr } = await worker.kill();
    if (stderr !== "") tally.errors.push(`cycle ${cycle}: ${stderr.slice(0, 300)}`);
    await fixture.compare(tally, `cycle ${cycle}`);
  }
  tally.notes.push(`a change was found after ${Math.round(slowestMs)} ms at most`);
  return tally.result();
}
