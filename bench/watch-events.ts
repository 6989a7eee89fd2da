/**
 * Many changes to watched notes: memory, handles and open files must not grow. Measured after a tenth of the changes and
 * at the end.
 *
 *     node --expose-gc bench/watch-events.ts [events]
 */

import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openMemory } from "../src/index.ts";
import { megabytes } from "./megabytes.ts";

const eventCount = Number(process.argv[2] ?? 100_000);
const noteCount = 50;

const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
const workspace = join(folder, "notes");
mkdirSync(join(workspace, "memory"), { recursive: true });
const fileOf = (index: number) => join(workspace, "memory", `n${index % noteCount}.md`);
const config = {
  agents: { defaults: { memorySearch: { sync: { watchDebounceMs: 50, searchWaitMs: 60_000 } } } },
};
const memory = await openMemory({ workspace, stateDir: join(folder, "state"), config });
const counts = { passes: 0, warnings: 0 };
await memory.watch({
  onEvent: ({ kind }) => {
    if (kind === "synced") counts.passes++;
    if (kind === "warning") counts.warnings++;
  },
});

let last = 0;
for (let event = 1; event <= eventCount; event++) {
  change(event);
  // Like a busy editor: yields to the host and the watcher in between.
  if (event % 100 === 0) await sleep(1);
  if (event === Math.floor(eventCount / 10) || event === eventCount) await print(event);
}
writeFileSync(fileOf(0), "The quokka sleeps.\n");
const { results } = await memory.search("quokka");
console.log(
  `found at the end: ${results[0]?.path ?? "nothing"}; ${counts.passes} passes, ${counts.warnings} warnings`,
);
await memory.close();
// Handles are closed in the next turn of the event loop.
await sleep(1);
const left = process.getActiveResourcesInfo().filter((name) => name === "FSEventWrap").length;
console.log(`watches left after closing: ${left}`);
rmSync(folder, { recursive: true });

/** Writes, appends, renames over the note and deletes, in turn. */
function change(event: number): void {
  const file = fileOf(event);
  if (event % 7 === 0) rmSync(file, { force: true });
  else if (event % 5 === 0) {
    writeFileSync(`${file}.tmp`, `Moved ${event}.\n`);
    renameSync(`${file}.tmp`, file);
  } else if (event % 3 === 0) writeFileSync(file, `Written ${event}.\n`);
  else appendFileSync(file, `Line ${event % 100}.\n`);
}

async function print(event: number): Promise<void> {
  // Waits until it is idle, so that both figures are comparable.
  while (counts.passes !== last) {
    last = counts.passes;
    await sleep(500);
  }
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const descriptors = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  const files = readdirSync(folder, { recursive: true }).length;
  const shares = `heap ${megabytes(heapUsed)} MB, resident ${megabytes(rss)} MB`;
  console.log(
    `${event} events: ${shares}, ${descriptors} descriptors, ${files} files, ${counts.passes} passes`,
  );
}
