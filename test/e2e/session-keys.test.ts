import assert from "node:assert/strict";
import path from "node:path";
import { suite, type TestContext, test } from "node:test";
import { memoryTools } from "../../src/tools/memory-tools.ts";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { openCliFixture } from "../support/run-cli.ts";

const notes = { "MEMORY.md": "The landlord is Mr Novak.\n", "memory/2026-11-01.md": "We ship on Fridays.\n" };

const foreign = { code: "session-foreign" };

function openMain(t: TestContext) {
  return makeMemoryFixture(t, notes).open({ agent: "main", config: withMemorySearch({}) });
}

suite("A session key of another agent", () => {
  test("is refused by everything that accepts a key", async (t) => {
    const memory = await openMain(t);
    const sessionKey = "agent:other:main";
    const relPath = "MEMORY.md";
    const calls: Record<string, () => unknown> = {
      search: () => memory.search("landlord", { sessionKey }),
      readFile: () => memory.readFile({ relPath, sessionKey }),
      listNotes: () => memory.listNotes({ sessionKey }),
      readNote: () => memory.readNote({ path: relPath, sessionKey }),
      editNote: () => memory.editNote({ path: relPath, text: "", expectedHash: "", sessionKey }),
      add: () => memory.add("A fact.", { sessionKey }),
      forget: () => memory.forget({ path: relPath, startLine: 1, endLine: 1, sessionKey }),
      startSession: () => memory.startSession({ sessionKey }),
      checkSession: async () => memory.checkSession(sessionKey),
    };
    for (const [name, call] of Object.entries(calls)) await assert.rejects(async () => call(), foreign, name);
    assert.equal((await memory.readFile({ relPath })).text, "The landlord is Mr Novak.");
  });

  test("gives tools that say so and show nothing", async (t) => {
    const memory = await openMain(t);
    for (const tool of memoryTools(memory, { sessionKey: "agent:other:main" })) {
      const input = { memory_search: { query: "landlord" }, memory_get: { path: "MEMORY.md" } }[tool.name];
      if (input === undefined) continue;
      const answer = JSON.stringify(await tool.execute(input).catch((error: unknown) => String(error)));
      assert.match(answer, /another agent than main/);
      assert.doesNotMatch(answer, /Novak/);
    }
  });

  test("is refused on the command line, unless it names the agent to open", async (t) => {
    const fixture = openCliFixture(t);
    fixture.write("../office/MEMORY.md", "The budget is 40,000.\n");
    fixture.write("../main/MEMORY.md", "The landlord is Mr Novak.\n");
    const list = [
      { id: "main", workspace: path.join(fixture.project, "../main") },
      { id: "Work", workspace: path.join(fixture.project, "../office") },
    ];
    const agents = { list, defaults: { memorySearch: { provider: "none", query: { minScore: 0 } } } };
    fixture.write("../state/longhand.json5", JSON.stringify({ agents }));
    const work = await fixture.json("search", "budget", "--session-key", "agent:work:telegram:dm:42");
    assert.match(JSON.stringify(work.value), /40,000/);
    const main = await fixture.json("get", "MEMORY.md", "--session-key", "agent:MAIN:main");
    assert.match(JSON.stringify(main.value), /Novak/);
    const group = await fixture.json("search", "budget", "--session-key", "agent:work:telegram:group:7");
    assert.doesNotMatch(JSON.stringify(group.value), /40,000/);
    for (const command of [["search", "landlord"], ["get", "MEMORY.md"], ["mcp"], ["tools"]]) {
      const { code, stderr, stdout } = await fixture.run(
        ...command,
        "--agent",
        "MAIN",
        "--session-key",
        "agent:work:main",
      );
      assert.equal(code, 1, command.join(" "));
      assert.match(stderr, /belongs to another agent than main/);
      assert.doesNotMatch(stdout, /Novak/);
    }
    const unknown = await fixture.run(
      "search",
      "landlord",
      "--agent",
      "main",
      "--session-key",
      "agent:nobody:main",
    );
    assert.equal(unknown.code, 1);
  });
});

suite("In private conversations", () => {
  test("the long-term memory is read, but not in groups", async (t) => {
    const memory = await openMain(t);
    const isSeen = async (sessionKey: string) => {
      const { results } = await memory.search("landlord", { sessionKey });
      const { notes: first } = await memory.startSession({ sessionKey });
      const inSession = first.some(({ path }) => path === "MEMORY.md");
      assert.equal(results.length > 0, inSession, sessionKey);
      return inSession;
    };
    for (const key of ["agent:main:telegram:dm:42", "agent:main:slack:work:direct:U1", "agent:MAIN:dm:ada"]) {
      assert.equal(await isSeen(key), true, key);
    }
    for (const key of [
      "agent:main:telegram:group:42",
      "agent:main:slack:channel:C1:thread:9",
      "agent:main:cron:x",
    ]) {
      assert.equal(await isSeen(key), false, key);
    }
  });

  test("the notes of a folder accept the keys of a host's only agent, and of no other", async (t) => {
    const memory = await makeMemoryFixture(t, notes).open();
    assert.equal((await memory.search("landlord", { sessionKey: "agent:main:main" })).results.length, 1);
    assert.equal(
      (await memory.search("landlord", { sessionKey: `agent:${memory.agentId}:main` })).results.length,
      1,
    );
    await assert.rejects(memory.search("landlord", { sessionKey: "agent:other:main" }), foreign);
  });
});
