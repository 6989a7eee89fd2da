import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheUntilChange } from "./held-rows.ts";
import type { LanceTable } from "./lance-package.ts";

test("What was read from a table is cached until it changes, and a failed reading is repeated", async () => {
  let version = 1;
  const table = { version: async () => version } as LanceTable;
  let readings = 0;
  const read = cacheUntilChange(async () => {
    if (++readings === 1) throw new Error("unreachable");
    return readings;
  });
  await assert.rejects(read(table), /unreachable/);
  assert.equal(await read(table), 2);
  assert.equal(await read(table), 2);
  version++;
  assert.deepEqual(await Promise.all([read(table), read(table)]), [3, 3]);
});
