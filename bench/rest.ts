import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether the machine had other load, sampled before each part. */
export interface Rest {
  /** Cores that other processes kept busy, in the busiest sample. */
  readonly busyCores: number;
  /** Steal time: the fraction that the hypervisor gave to other machines; 0 if the system does not report it. */
  readonly stolenShare: number;
}

const lookMs = 400;
const maxBusyCores = 0.2;
const maxStolenShare = 0.02;

/** Idles for a moment and measures the load of others. */
export async function lookAtRest(): Promise<Rest> {
  const before = readTimes();
  await sleep(lookMs);
  const after = readTimes();
  const total = after.total - before.total;
  if (!(total > 0)) return { busyCores: 0, stolenShare: 0 };
  return {
    busyCores: availableParallelism() * Math.max(0, 1 - (after.idle - before.idle) / total),
    stolenShare: (after.stolen - before.stolen) / total,
  };
}

export function leastRest(left: Rest, right: Rest): Rest {
  return {
    busyCores: Math.max(left.busyCores, right.busyCores),
    stolenShare: Math.max(left.stolenShare, right.stolenShare),
  };
}

/** Null if nothing disturbed the run. */
export function describeUnrest({ busyCores, stolenShare }: Rest): string | null {
  const reasons = [
    busyCores > maxBusyCores && `others kept up to ${busyCores.toFixed(1)} cores busy`,
    stolenShare > maxStolenShare && `${(100 * stolenShare).toFixed(0)} % of the time went to other machines`,
  ].filter((reason) => reason !== false);
  return reasons.length === 0 ? null : `the machine was not at rest: ${reasons.join(", ")}`;
}

function readTimes(): { total: number; idle: number; stolen: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (pick: (each: (typeof times)[number]) => number): number =>
    times.reduce((all, each) => all + pick(each), 0);
  const stolen = readStolenMs();
  return {
    total: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq) + stolen,
    idle: sum(({ idle }) => idle),
    stolen,
  };
}

/** Steal time is the eighth column on Linux, in hundredths of a second. */
function readStolenMs(): number {
  if (process.platform !== "linux") return 0;
  const [first = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  return 10 * Number(first.trim().split(/\s+/)[8] ?? 0);
}
