import assert from "node:assert/strict";
import { test } from "node:test";
import { describeUnrest, leastRest, lookAtRest } from "./rest.ts";

test("a machine with other load is reported as busy", () => {
  assert.equal(describeUnrest({ busyCores: 0.1, stolenShare: 0 }), null);
  assert.match(
    describeUnrest({ busyCores: 1.26, stolenShare: 0 })!,
    /not at rest: others kept up to 1\.3 cores busy/,
  );
  assert.match(
    describeUnrest({ busyCores: 0, stolenShare: 0.05 })!,
    /5 % of the time went to other machines/,
  );
});

test("the busiest of several samples counts", () => {
  const rest = leastRest({ busyCores: 0.1, stolenShare: 0.3 }, { busyCores: 2, stolenShare: 0 });
  assert.deepEqual(rest, { busyCores: 2, stolenShare: 0.3 });
});

test("a sample has numbers within their bounds", async () => {
  const { busyCores, stolenShare } = await lookAtRest();
  assert.ok(busyCores >= 0 && stolenShare >= 0 && stolenShare <= 1);
});
