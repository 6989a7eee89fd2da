import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";

test("stopping a benchmark also ends its busy process and removes its files", async () => {
  const call = `import { runModule } from ${JSON.stringify(import.meta.resolve("./run-module.ts"))};
    await runModule("children/keep-busy.ts", {});`;
  const bench = spawn(process.execPath, ["--input-type=module", "--eval", call], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [line] = (await once(createInterface({ input: bench.stderr }), "line")) as [string];
  const { pid, folder } = JSON.parse(line) as { pid: number; folder: string };
  assert.ok(isRunning(pid) && existsSync(folder));
  bench.kill("SIGTERM");
  await once(bench, "close");
  assert.equal(isRunning(pid), false);
  assert.equal(existsSync(folder), false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
