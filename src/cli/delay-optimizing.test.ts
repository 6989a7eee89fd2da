import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { skipOnWindows } from "../../test/support/platform.ts";

/** Runs a loop until it takes a third of its first time, as it does once it is optimized. */
const program = `
  import { delayOptimizing } from ${JSON.stringify(import.meta.resolve("./delay-optimizing.ts"))};
  delayOptimizing();
  const numbers = Array.from({ length: 1000 }, (_, index) => index);
  const add = (sum, number) => (sum * 31 + number) | 0;
  function timeLoop() {
    const began = process.cpuUsage();
    for (let round = 0; round < 500; round++) numbers.reduce(add, 0);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  }
  const first = timeLoop();
  let later = first;
  for (let round = 0; round < 500 && later > first / 3; round++) {
    later = timeLoop();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ first, later, all: user + system }));
`;

const [major] = process.versions.node.split(".");
const skip =
  skipOnWindows("processor time is counted in steps of 15 ms") ||
  (major !== "22" && major !== "24" && "only versions of Node that were tried");

test("code is optimized only in a process that works for long, and V8 has no complaint", { skip }, () => {
  const argv = ["--no-warnings", "--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  assert.equal(stderr, "");
  const { first, later, all } = JSON.parse(stdout) as Record<"first" | "later" | "all", number>;
  assert.ok(later < first / 3, `${first} µs at the start, ${later} µs later`);
  assert.ok(all > 390_000, `optimized after ${all} µs`);
});
