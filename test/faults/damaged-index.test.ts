import assert from "node:assert/strict";
import { test } from "node:test";
import { runDamageRounds } from "./damaged-index.ts";

test("an index that was spoiled at random answers, and is healed to what a rebuild gives", async () => {
  const { errors, divergent, healedByUse, healedByRepair } = await runDamageRounds({ rounds: 25, seed: 7 });
  assert.deepEqual(errors, []);
  assert.deepEqual(divergent, []);
  assert.equal(healedByUse + healedByRepair, 25);
  assert.ok(healedByRepair > 0, "some damage shows only when the index is compared");
});
