import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModuleMessage } from "./run-module.ts";

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** A percentile: the smallest number that at least this fraction of them does not exceed. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export async function timeMs(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Like `timeMs`, but in CPU time of this process, so that other work on the machine hardly matters. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Measures several candidates in turn, so that a machine that gets busier slows all of them, and returns the median of
 * each. Round 0 only warms up and is discarded; new processes need none.
 */
export async function medianInTurns<Name extends string>(
  rounds: number,
  things: Readonly<Record<Name, (round: number) => Promise<number>>>,
  { warmUp = true } = {},
): Promise<Record<Name, number>> {
  const times = new Map<Name, number[]>();
  const names = Object.keys(things) as Name[];
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    for (const name of names) {
      const ms = await things[name](round);
      if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

export async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // A stopped benchmark must not leave gigabytes behind. A process that is killed cannot remove them itself.
  process.once("exit", remove);
  process.send?.({ folder } satisfies ModuleMessage);
  try {
    return await work(folder);
  } finally {
    process.removeListener("exit", remove);
    remove();
  }
}
