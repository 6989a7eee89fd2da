import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../src/eval/compare.ts";
import { createTally, type FaultOptions, type FaultResult, type Tally } from "./fault.ts";
import { type FaultFixture, makeFaultFixture } from "./fault-fixture.ts";
import { startWorker, type Work, type Worker } from "./processes.ts";

export interface KillPlan {
  readonly work: Work;
  /** The longest time before it is killed, in milliseconds. */
  readonly spanMs: number;
  /**
   * Counted from the start of the job or, in three of four cycles, from the first acknowledgement: opening takes longer
   * than the work, and on a busy machine most kills would hit nothing else.
   */
  readonly from: "beginning" | "acknowledgement";
  /** With `acknowledgement`: the kind to wait for, and the time after it; otherwise any. */
  readonly awaited?: { readonly said: string; readonly spanMs: number };
  /** Concurrent processes. */
  readonly processes?: number;
  /** Before each cycle. */
  readonly prepare?: (fixture: FaultFixture) => void;
  /** After each cycle, with what all killed processes acknowledged in this workspace. */
  readonly check: (look: KillLook) => Promise<void>;
}

export interface KillLook {
  readonly fixture: FaultFixture;
  readonly tally: Tally;
  readonly when: string;
  /** All messages in this workspace, in order, the newest cycle last. */
  readonly said: readonly unknown[];
}

/** Limits the growth of notes and histories. */
const cyclesOfFixture = 50;

/** Repeatedly kills processes at random moments of their work, and checks what they leave. */
export async function runKillCycles(options: FaultOptions, plan: KillPlan): Promise<FaultResult> {
  const { seed, folder } = options;
  const random = createRandom(seed);
  const tally = createTally();
  const { processes = 1, spanMs } = plan;
  let fixture: FaultFixture | undefined;
  let dir = "";
  let said: unknown[] = [];
  let acknowledged = 0;
  let fruitful = 0;
  let workers = Array.from({ length: processes }, () => startWorker());
  for (const cycle of tally.cycles(options)) {
    if (fixture === undefined || cycle % cyclesOfFixture === 0) {
      if (dir !== "") rmSync(dir, { recursive: true });
      dir = join(folder, `place-${cycle}`);
      fixture = makeFaultFixture(dir);
      said = [];
    }
    plan.prepare?.(fixture);
    await Promise.all(workers.map(({ ready }) => ready));
    for (const [number, worker] of workers.entries()) {
      worker.begin(
        fixture.job({ work: plan.work, seed: seed + cycle * 8 + number, name: `${cycle}p${number}` }),
      );
    }
    const when = `cycle ${cycle}`;
    const waits = plan.from === "acknowledgement" && random() < 0.75;
    if (waits) {
      for (const worker of workers) {
        while (!hasSaid(worker, plan.awaited?.said) && worker.child.exitCode === null) await worker.heard();
      }
    }
    const span = waits ? (plan.awaited?.spanMs ?? spanMs) : spanMs;
    for (const worker of workers) {
      await sleep((random() * span) / processes);
      const { signal, code, stderr } = await worker.kill();
      if (signal !== "SIGKILL" && code !== 0) tally.errors.push(`${when}: ${stderr.slice(0, 400)}`);
    }
    for (const worker of workers) said.push(...worker.said());
    const count = workers.reduce((sum, worker) => sum + worker.said().length, 0);
    acknowledged += count;
    if (count > 0) fruitful++;
    // The next processes load their modules while this one checks what was left.
    workers = workers.map(() => startWorker());
    await plan.check({ fixture, tally, when, said });
  }
  await Promise.all(workers.map((worker) => worker.kill()));
  tally.notes.push(`${acknowledged} acknowledgements in ${fruitful} of the cycles`);
  return tally.result();
}

function hasSaid(worker: Worker, kind: string | undefined): boolean {
  const said = worker.said<object>();
  return kind === undefined ? said.length > 0 : said.some((each) => kind in each);
}
