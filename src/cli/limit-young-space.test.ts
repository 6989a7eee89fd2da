import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** Makes objects of which half survive, and prints how large the space for young ones became. */
const program = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { limitYoungSpace } from ${JSON.stringify(import.meta.resolve("./limit-young-space.ts"))};
  if (process.argv[1] === "limited") limitYoungSpace();
  const kept = [];
  let mostBytes = 0;
  for (let round = 0; round < 200; round++) {
    for (let count = 0; count < 5000; count++) kept.push({ round, count: [count] });
    kept.splice(0, 2500);
    const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    mostBytes = Math.max(mostBytes, space_size);
  }
  console.log(mostBytes);
`;

const [major] = process.versions.node.split(".");
const skip = major !== "22" && major !== "24" && "only versions of Node that were tried";

test("the space for young objects stays small, and V8 has no complaint", { skip }, () => {
  const measure = (...argv: string[]): number => {
    const node = ["--no-warnings", "--input-type=module", "--eval", program, ...argv];
    const { stdout, stderr } = spawnSync(process.execPath, node, { encoding: "utf8" });
    assert.equal(stderr, "");
    return Number(stdout);
  };
  const [limited, usual] = [measure("limited"), measure()];
  assert.ok(limited > 0 && limited <= usual / 4, `${limited} bytes, and ${usual} without the limit`);
});
