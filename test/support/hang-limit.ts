/**
 * Ends what hangs. Nothing that works comes near it, however busy the machine is, so no test depends on it; a machine
 * that is slower still can have more.
 */
export const hangLimitMs = 240_000 * Number(process.env["LONGHAND_TEST_TIME_FACTOR"] || 1);

/** Waits until something is so, by looking again and again. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAt = performance.now() + hangLimitMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`It never came about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
