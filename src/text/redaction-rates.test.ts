import assert from "node:assert/strict";
import { test } from "node:test";
import { measureRedaction } from "../../test/redaction-rates.ts";

/**
 * How many of each list are currently missed; none of the other lists. A change of the rules that misses one more has made
 * masking worse somewhere. Lower a number when fewer are missed.
 */
const misses: Readonly<Record<string, number>> = {
  "secrets masked whole, third list": 1,
  "secrets masked whole, fourth list": 1,
  "secrets masked whole, fifth list": 3,
  "secrets masked whole, sixth list": 4,
  "secrets masked whole, seventh list": 2,
  "ordinary lines untouched, fifth list": 2,
  "ordinary lines untouched, sixth list": 1,
};

test("nearly all secrets are masked whole, and ordinary lines stay as they are", () => {
  for (const { name, count, good, failures } of measureRedaction()) {
    assert.ok(count > 100, name);
    assert.ok(count - good <= (misses[name] ?? 0), `${name}: ${good} of ${count}\n${failures.join("\n")}`);
  }
});
