import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";

test("for a group, the words of private notes are neither counted nor guessed", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": "The zephyrium contract, the harbour and the hash 9fceb02d0ae598e95dc9.\n",
    "memory/harbour.md": "The harbour is closed in winter.\n",
  });
  const memory = await fixture.open({ agent: "main", config: withMemorySearch({}) });
  await memory.sync();
  const tokensFor = async (query: string, sessionKey: string) => {
    const { explain } = await memory.search(query, { sessionKey, explain: true });
    return explain!.tokens.map(({ token, chunks, note }) => [token, chunks, note]);
  };
  const [group, direct] = ["agent:main:telegram:group:x", "agent:main:main"];
  assert.deepEqual(await tokensFor("zephyrum harbour", direct), [
    ["zephyrum", 1, "also as zephyrium"],
    ["harbour", 2, undefined],
  ]);
  assert.deepEqual(await tokensFor("zephyrum harbour", group), [
    ["zephyrum", 0, undefined],
    ["harbour", 1, undefined],
  ]);
  assert.deepEqual(await tokensFor("harbuor", group), [["harbuor", 1, "also as harbour"]]);
  assert.deepEqual(await tokensFor("9fceb02d0a", direct), [
    ["9fceb02d0a", 1, "also as 9fceb02d0ae598e95dc9"],
  ]);
  assert.deepEqual(await tokensFor("9fceb02d0a", group), [["9fceb02d0a", 0, undefined]]);
});
