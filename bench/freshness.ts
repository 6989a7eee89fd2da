/**
 * What it costs to be up to date: how long the event loop of a host is held while notes are indexed, what looking at
 * all notes adds to a search, and what it adds when a watcher of the same process knows that nothing has changed.
 *
 *     node bench/freshness.ts [notes]
 */

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createRandom } from "../src/eval/random.ts";
import { openMemory, type WatchEvent } from "../src/index.ts";

const noteCount = Number(process.argv[2] ?? 10_000);
const notesPerFolder = 100;
const charactersPerNote = 2000;

const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
const random = createRandom(42);
const words = Array.from({ length: 20_000 }, () =>
  random()
    .toString(36)
    .slice(2, 4 + Math.floor(random() * 8)),
);

writeNotes();
const options = { workspace: join(folder, "notes"), stateDir: join(folder, "state") };
const memory = await openMemory(options);

const lag = monitorEventLoopDelay({ resolution: 5 });
lag.enable();
const [startedMs, cpuBefore] = [performance.now(), process.cpuUsage()];
await memory.sync();
const indexMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage(cpuBefore);
lag.disable();
// The monitor counts its own resolution as delay.
const lagMs = (percentile: number) => (lag.percentile(percentile) / 1e6 - 5).toFixed(1);
// Where other programs want the cores as well, the event loop is held by them too.
const cpu = `${((user + system) / 1e6).toFixed(1)} s of a core`;
console.log(`first index of ${noteCount} notes: ${(indexMs / 1000).toFixed(1)} s, ${cpu}`);
console.log(
  `  event loop held, ms: p50 ${lagMs(50)}  p99 ${lagMs(99)}  longest ${(lag.max / 1e6 - 5).toFixed(1)}`,
);

console.log(`search, looking at all notes:    ${await timeSearches()}`);
const events: WatchEvent[] = [];
let onEvent = (): void => {};
await using _ = await memory.watch({
  onEvent: (event) => {
    events.push(event);
    onEvent();
  },
});
await until(() => events.filter(({ kind }) => kind === "synced").length >= 2);
console.log(`search, with a watcher:          ${await timeSearches()}`);

const editedMs = performance.now();
appendFileSync(join(options.workspace, "memory", "f0", "n0.md"), "\nThe quokka sleeps.\n");
await until(() => events.some((event) => event.kind === "synced" && event.report.updated === 1));
console.log(
  `an edit is indexed after ${Math.round(performance.now() - editedMs)} ms, with 1500 ms of quiet before`,
);
await memory.close();
rmSync(folder, { recursive: true });

function writeNotes(): void {
  for (let index = 0; index < noteCount; index++) {
    const dir = join(folder, "notes", "memory", `f${Math.floor(index / notesPerFolder)}`);
    if (index % notesPerFolder === 0) mkdirSync(dir, { recursive: true });
    let text = `# Note ${index}\n`;
    while (text.length < charactersPerNote) {
      text += `\n${Array.from({ length: 12 }, () => words[Math.floor(random() ** 2 * words.length)]).join(" ")}.\n`;
    }
    writeFileSync(join(dir, `n${index}.md`), text);
  }
}

async function timeSearches(): Promise<string> {
  const times: number[] = [];
  const outcomes = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const beganMs = performance.now();
    const { stale } = await memory.search(`${words[round * 31]} ${words[round * 77]}`);
    times.push(performance.now() - beganMs);
    outcomes.add(stale ? "stale" : "fresh");
  }
  times.sort((a, b) => a - b);
  return `median ${times[10]!.toFixed(1)} ms, slowest ${times[19]!.toFixed(1)} ms, ${[...outcomes].join(" and ")}`;
}

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) {
    await new Promise<void>((resolve) => {
      onEvent = resolve;
    });
  }
}
