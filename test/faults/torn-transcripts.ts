import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/eval/compare.ts";
import { withMemorySearch } from "../support/memory-fixture.ts";
import { jsonLines, openclaw } from "../support/transcript-lines.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { makeFaultFixture } from "./fault-fixture.ts";

export const tornTranscripts: Fault = {
  name: "torn-transcripts",
  what: "transcripts grow by half lines, are rotated, cut and exchanged while a process that is killed at times indexes them",
  shortCycles: 15,
  longCycles: 1000,
  run: runTornTranscripts,
};

async function runTornTranscripts(options: FaultOptions): Promise<FaultResult> {
  const tally = createTally();
  const random = createRandom(options.seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const config = withMemorySearch({
    sources: ["memory", "sessions"],
    experimental: { sessionMemory: true },
  });
  const fixture = makeFaultFixture(options.folder, { notes: 1, options: { config } });
  const agentId = await fixture.use(async (memory) => memory.agentId);
  const dir = join(fixture.stateDir, "agents", agentId, "sessions");
  mkdirSync(dir, { recursive: true });
  const files = ["a", "b", "c"].map((name) => join(dir, `${name}.jsonl`));
  const waiting = files.map(() => Buffer.alloc(0));
  let line = 0;
  const begin = (at: number): void => {
    writeFileSync(files[at]!, jsonLines(openclaw.head(`s${line}`)));
    waiting[at] = Buffer.alloc(0);
  };
  for (const at of files.keys()) begin(at);

  function grow(at: number): void {
    const lines = Array.from({ length: 1 + below(20) }, () =>
      openclaw.message("user", `said${line++} ${"word ".repeat(below(60))}`),
    );
    const bytes = Buffer.concat([waiting[at]!, Buffer.from(jsonLines(...lines))]);
    const cut = below(bytes.length + 1);
    appendFileSync(files[at]!, bytes.subarray(0, cut));
    waiting[at] = bytes.subarray(cut);
  }

  const changes: readonly ((at: number) => void)[] = [
    ...Array(6).fill(grow),
    (at) => {
      renameSync(files[at]!, `${files[at]!}.1`);
      rmSync(`${files[at]!}.1`);
      begin(at);
    },
    (at) => {
      truncateSync(files[at]!, below(statSync(files[at]!).size + 1));
      waiting[at] = Buffer.alloc(0);
    },
    (at) => appendFileSync(files[at]!, '{"half": tr\n'),
  ];
  let worker = fixture.start({ work: "search", seed: options.seed });
  await worker.ready;
  for (const cycle of tally.cycles(options)) {
    for (let steps = 1 + below(4); steps > 0; steps--) {
      changes[below(changes.length)]!(below(files.length));
      await sleep(random() * 20);
    }
    if (cycle % 5 === 4) {
      const { signal, stderr } = await worker.kill();
      if (signal !== "SIGKILL") tally.errors.push(`cycle ${cycle}: ${stderr.slice(0, 300)}`);
      await fixture.compare(tally, `cycle ${cycle}`);
      worker = fixture.start({ work: "search", seed: options.seed + cycle });
      await worker.ready;
    }
  }
  await worker.kill();
  for (const [at, file] of files.entries()) appendFileSync(file, waiting[at]!);
  await fixture.compare(tally, "at the end");
  const { sessions } = await fixture.use((memory) => memory.status());
  tally.notes.push(
    `${line} lines written, ${sessions.turns} turns of ${sessions.files} transcripts in the index at the end`,
  );
  return tally.result();
}
