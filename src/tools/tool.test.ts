import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { memoryTools } from "./memory-tools.ts";
import { answerToolCall } from "./tool.ts";

test("a call is answered with text, whether its input is an object or JSON", async (t) => {
  const fixture = makeMemoryFixture(t);
  fixture.write("MEMORY.md", "We ship on Fridays only.\n");
  const memory = await fixture.open();
  const tools = memoryTools(memory);
  for (const input of [{ path: "MEMORY.md" }, '{"path":"MEMORY.md"}']) {
    assert.match(await answerToolCall(tools, { name: "memory_get", input }), /We ship on Fridays only\./);
  }
});

test("for a wrong name or input, the answer says what to do", async (t) => {
  const fixture = makeMemoryFixture(t);
  const memory = await fixture.open();
  const tools = memoryTools(memory);
  assert.match(
    await answerToolCall(tools, { name: "memory_erase", input: {} }),
    /no tool memory_erase.*memory_search, memory_get, memory_add/,
  );
  assert.match(await answerToolCall(tools, { name: "memory_get", input: '{"path":' }), /object/);
});
