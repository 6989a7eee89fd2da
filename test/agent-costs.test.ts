import assert from "node:assert/strict";
import { test } from "node:test";
import { measureAgentCosts } from "../scripts/agent-costs.ts";

test("what longhand adds to a model's context stays within its budget", async () => {
  const costs = await measureAgentCosts();
  for (const { what, tokens, maxTokens } of costs)
    assert.ok(tokens <= maxTokens, `${what}: ${tokens} tokens, over ${maxTokens}`);
  const session = costs.filter(({ when }) => when === "session");
  const total = session.reduce((sum, { tokens }) => sum + tokens, 0);
  assert.ok(total <= 710, `${total} tokens at the start of a session`);
});
