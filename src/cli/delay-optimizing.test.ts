import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { skipOnWindows } from "../../test/support/platform.ts";

interface RunLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Runs a loop until it takes a third of its initial time, which shows that it has been optimized, within limits of
 * processor time.
 */
const program = (command: "hook" | "search", { minMs, maxMs }: RunLimits): string => `
  import { delayOptimizing } from ${JSON.stringify(import.meta.resolve("./v8-flags.ts"))};
  delayOptimizing(${JSON.stringify(command)});
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
  const hasRun = (ms) => process.cpuUsage().user >= ms * 1000;
  while (!hasRun(${minMs}) || (later > first / 3 && !hasRun(${maxMs}))) {
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

function run(command: "hook" | "search", limits: RunLimits): Record<"first" | "later" | "all", number> {
  const argv = ["--no-warnings", "--input-type=module", "--eval", program(command, limits)];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

test("a hook's code is optimized only in a long-running process, and V8 prints no warning", {
  skip,
}, () => {
  const { first, later, all } = run("hook", { minMs: 0, maxMs: 3000 });
  assert.ok(later < first / 3, `${first} µs at the start, ${later} µs later`);
  assert.ok(all > 390_000, `optimized after ${all} µs`);
});

test("V8 prints no warning about the flags of a search, at the start and after a while", { skip }, () => {
  // The flags change back after 400 ms.
  const { all } = run("search", { minMs: 600, maxMs: 600 });
  assert.ok(all >= 600_000, `${all} µs`);
});
