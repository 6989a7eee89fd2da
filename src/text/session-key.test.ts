import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import fc from "fast-check";
import { isGroupSession, isSessionOf, isSharedSession, parseSessionKey } from "./session-key.ts";

const page = path.join(import.meta.dirname, "..", "..", "docs", "agents.md");

suite("Session keys", () => {
  test("are parsed as in the table of docs/agents.md", () => {
    const rows = [
      ...readFileSync(page, "utf8").matchAll(/^\| `(agent:[^`]+)` \| (\w+) \| (private|shared) \|/gm),
    ];
    assert.ok(rows.length >= 15, `${rows.length} rows`);
    for (const [, key, kind, audience] of rows) {
      assert.deepEqual([key, parseSessionKey(key!).kind], [key, kind]);
      assert.equal(isSharedSession(key), audience === "shared", key);
    }
  });

  test("without one the caller is the owner", () => {
    assert.equal(isSharedSession(undefined), false);
  });

  test("of an unknown form count as shared", () => {
    for (const key of [
      ...["", ":", "main", "global", "agent", "agent:", "agent:main", "agent::main", "agent:main:"],
      ...[
        "agent:main:mains",
        "agent:main:main:extra",
        "agent:main:direct",
        "agent:main:direct:",
        "agent:main:dm::",
      ],
      ...["agent:main:main:direct:ada", "agent:main:subagent:dm:ada", "agent:main:cron:direct:ada"],
      ...["agent:main:a:b:c:direct:ada", "telegram:dm:42", "direct:ada", "user:agent:main:main"],
    ]) {
      assert.equal(isSharedSession(key), true, key);
    }
  });

  test("are case-insensitive, and so are the ids of agents", () => {
    for (const key of [
      "agent:MAIN:main",
      "AGENT:Main:MAIN",
      " agent:main:Telegram:DM:42 ",
      "agent:Work:Direct:ada",
    ]) {
      assert.equal(isSharedSession(key), false, key);
    }
    assert.equal(parseSessionKey("Agent:MAIN:main").agentId, "main");
    assert.ok(isSessionOf("agent:WORK:main", { agentId: "work", isNamed: true }));
    assert.ok(isSessionOf("agent:work:main", { agentId: "Work", isNamed: true }));
  });

  const part = fc.constantFrom(
    "agent",
    "main",
    "direct",
    "dm",
    "telegram",
    "group",
    "channel",
    "thread",
    "",
    "X",
    "x",
  );

  test("with a part `group`, `channel` or `thread` are never private", () => {
    const shared = fc.constantFrom("group", "channel", "thread", "topic", "Group", "CHANNEL");
    fc.assert(
      fc.property(fc.array(part), shared, fc.array(part), (before, kind, after) => {
        assert.equal(isSharedSession(["agent", "x", ...before, kind, ...after].join(":")), true);
      }),
    );
  });

  test("are private or shared for every text, whatever its case, and a group is always shared", () => {
    const key = fc.oneof(
      fc.string(),
      fc.array(part).map((parts) => parts.join(":")),
    );
    fc.assert(
      fc.property(key, (text) => {
        const shared = isSharedSession(text);
        assert.equal(isSharedSession(text.toUpperCase()), isSharedSession(text.toLowerCase()));
        if (isGroupSession(text)) assert.ok(shared);
        if (!shared)
          assert.match(text.trim().toLowerCase(), /^agent:[^:]+:(?:main|(?:[^:]+:){0,2}(?:direct|dm):.+)$/);
      }),
    );
  });

  test("of one agent never ask for another's memory", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
    fc.assert(
      fc.property(id, id, fc.array(part), (asking, agentId, rest) => {
        const key = ["agent", asking, ...rest].join(":");
        const isSame = asking.toLowerCase() === agentId.toLowerCase();
        assert.equal(isSessionOf(key, { agentId, isNamed: true }), isSame);
        assert.equal(
          isSessionOf(key, { agentId, isNamed: false }),
          isSame || asking.toLowerCase() === "main",
        );
      }),
    );
  });
});
