import assert from "node:assert/strict";

/**
 * Fails if the CPU time of `run` grows much faster than its input: four times the size may take eight times as long. A
 * failed measurement is repeated, because the machine may have changed its speed; quadratic code takes sixteen times as
 * long every time.
 */
export function assertLinear(run: (size: number) => void, size: number, message = "work"): void {
  const measured: string[] = [];
  for (let round = 0; round < 4; round++) {
    const small = Math.max(
      cpuMsOf(() => run(size)),
      5,
    );
    const large = cpuMsOf(() => run(4 * size));
    if (large <= 8 * small) return;
    measured.push(`${small.toFixed(1)} ms, four times the size ${large.toFixed(1)} ms`);
  }
  assert.fail(`${message}: ${measured.join("; ")}`);
}

/** The best of three, because the first run also compiles. */
function cpuMsOf(run: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
