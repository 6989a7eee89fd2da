import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { hangLimitMs } from "../support/hang-limit.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { faults } from "./faults.ts";

/*
 * A short run of each fault, which checks that all of them still work and catches obvious regressions. The figures of
 * test/faults/FIGURES.md come from long runs: npm run faults.
 */
suite("Faults", { concurrency: 3 }, () => {
  for (const { name, what, shortCycles, obstacle, run } of faults) {
    if (shortCycles === undefined) continue;
    const reason = obstacle?.() ?? null;
    if (reason !== null) process.stderr.write(`Fault ${name} is not tried: ${reason}.\n`);
    test(`${name}: ${what}`, { skip: reason ?? false, timeout: hangLimitMs }, async (t) => {
      const folder = makeTemporaryFolder(t).dir;
      const endsAtMs = performance.now() + 60_000;
      const timeFactor = Number.POSITIVE_INFINITY;
      const options = { seed: 7, cycles: shortCycles, endsAtMs, timeFactor, folder };
      const { losses, divergences, errors } = await run(options);
      assert.deepEqual({ losses, divergences, errors }, { losses: [], divergences: [], errors: [] });
    });
  }
});
