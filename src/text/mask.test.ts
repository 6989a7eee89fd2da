import assert from "node:assert/strict";
import { test } from "node:test";
import { createMask } from "./mask.ts";

test("A mask masks likely secrets and the given keys, at once or later", async () => {
  const mask = createMask(["the-key-of-the-configuration"]);
  const text = "OPENAI_API_KEY=sk-proj-abcdefgh1234ABCD5678efgh, the-key-of-the-configuration";
  const masked = await mask.apply(text);
  assert.doesNotMatch(masked, /abcdefgh|the-key-of/);
  await mask.load();
  assert.equal(mask.applyNow(text), masked);
});

test("A mask whose rules were not loaded masks nothing by mistake", () => {
  assert.throws(() => createMask([]).applyNow("sk-proj-abcdefgh1234ABCD5678efgh"), /not loaded/);
});
