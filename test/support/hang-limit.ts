/**
 * A timeout for tests that hang. Working tests stay far below it, however busy the machine is, so no result depends on
 * it; `LONGHAND_TEST_TIME_FACTOR` raises it for slower machines.
 */
export const hangLimitMs = 240_000 * Number(process.env["LONGHAND_TEST_TIME_FACTOR"] || 1);

/** Polls until a condition holds. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAt = performance.now() + hangLimitMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`Timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
