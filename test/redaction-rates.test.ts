import assert from "node:assert/strict";
import { test } from "node:test";
import { measureRedaction } from "./redaction-rates.ts";

test("nearly all secrets are masked whole, and ordinary lines stay as they are", () => {
  for (const { name, count, good, failures } of measureRedaction()) {
    const minRate = name.startsWith("ordinary") ? 0.99 : name.endsWith("list") ? 0.95 : 0.97;
    assert.ok(good >= minRate * count, `${name}: ${good} of ${count}\n${failures.join("\n")}`);
  }
});
