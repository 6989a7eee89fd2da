import assert from "node:assert/strict";
import { test } from "node:test";
import { hangLimitMs } from "../support/hang-limit.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { suites } from "./suites.ts";

for (const [name, { run, short, counts }] of Object.entries(suites)) {
  const skip = name === "racing-reads" && process.platform === "win32" ? "needs symlinks" : false;
  test(`fuzzing ${name}: ${short} cases, 0 ${counts}`, { skip, timeout: hangLimitMs }, async (t) => {
    const { failures, examples, cases, remark } = await run({
      seed: 20260301,
      count: short,
      dir: makeTemporaryFolder(t).dir,
    });
    t.diagnostic(`${cases} cases${remark === undefined ? "" : `; ${remark}`}`);
    assert.deepEqual({ failures, examples }, { failures: 0, examples: [] });
    assert.ok(cases > 0);
  });
}
