import assert from "node:assert/strict";
import { test } from "node:test";
import { authorizeHits, type Requester } from "./memory-plugin.ts";

const hits = [
  { path: "MEMORY.md", source: "memory" },
  { path: "memory/2026-03-02.md", source: "memory" },
  { path: "sessions/one.jsonl", source: "sessions" },
  { path: "sessions/two.jsonl.reset.2026-03-02", source: "sessions" },
] as const;
const [longTerm, daily, one, two] = hits.map(({ path }) => path);
const owner: Requester = {
  agentId: "main",
  sessionKey: "agent:main:main",
  sandboxed: false,
  visibility: undefined,
  sessionId: "one",
};

const cases: readonly [string, Partial<Requester>, readonly (string | undefined)[]][] = [
  ["the owner sees everything", {}, [longTerm, daily, one, two]],
  ["ids of agents have no case", { sessionKey: "agent:Main:main" }, [longTerm, daily, one, two]],
  ["a group sees shared notes", { sessionKey: "agent:main:telegram:group:7" }, [daily]],
  ["a channel sees shared notes", { sessionKey: "agent:main:slack:channel:c1" }, [daily]],
  ["a session of an unknown kind counts as shared", { sessionKey: "agent:main:cron:nightly" }, [daily]],
  ["another agent sees nothing", { sessionKey: "agent:other:main" }, []],
  ["without a key there are no transcripts", { sessionKey: undefined }, [longTerm, daily]],
  ["a sandbox sees no transcripts", { sandboxed: true }, [longTerm, daily]],
  ["visibility self shows the own transcript", { visibility: "self" }, [longTerm, daily, one]],
  ["its archives are the same session", { visibility: "tree", sessionId: "two" }, [longTerm, daily, two]],
  ["an unknown session has none of its own", { visibility: "self", sessionId: undefined }, [longTerm, daily]],
  ["visibility agent shows all", { visibility: "agent" }, [longTerm, daily, one, two]],
];

for (const [title, change, expected] of cases) {
  test(`Hits: ${title}`, () => {
    assert.deepEqual(
      authorizeHits(hits, { ...owner, ...change }).map(({ path }) => path),
      expected,
    );
  });
}
