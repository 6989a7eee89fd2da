import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** Keeps the last 200,000 of many objects, and prints the sizes of the young and the old generation. */
const program = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { limitHeap } from ${JSON.stringify(import.meta.resolve("./v8-flags.ts"))};
  if (process.argv[1] === "limited") limitHeap();
  const kept = [];
  const most = { new_space: 0, old_space: 0 };
  for (let count = 0; count < 3_000_000; count++) {
    kept[count % 200_000] = { count: [count] };
    if (count % 10_000 > 0) continue;
    for (const { space_name, space_size } of getHeapSpaceStatistics())
      if (space_name in most) most[space_name] = Math.max(most[space_name], space_size);
  }
  console.log(JSON.stringify(most));
`;

const [major] = process.versions.node.split(".");
const skip = major !== "22" && major !== "24" && "only versions of Node that were tried";

test("the young and the old generation stay small, and V8 prints no warning", { skip }, () => {
  const measure = (...argv: string[]): { new_space: number; old_space: number } => {
    const node = ["--no-warnings", "--input-type=module", "--eval", program, ...argv];
    const { stdout, stderr } = spawnSync(process.execPath, node, { encoding: "utf8" });
    assert.equal(stderr, "");
    return JSON.parse(stdout);
  };
  const [limited, usual] = [measure("limited"), measure()];
  const figures = JSON.stringify({ limited, usual });
  // V8 sweeps in other threads, so sizes vary between runs: each bound has a third to spare.
  assert.ok(limited.new_space > 0 && limited.new_space <= usual.new_space / 2, figures);
  const sum = ({ new_space, old_space }: typeof limited): number => new_space + old_space;
  assert.ok(sum(limited) <= 0.7 * sum(usual), figures);
});
