import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryPlace } from "../test/support/memory-place.ts";

const now = () => new Date("2026-03-02T12:00:00Z");

test("a main or direct session gets the long-term memory, every other kind does not", async (t) => {
  const place = makeMemoryPlace(t, {
    "MEMORY.md": "- private\n",
    "memory/2026-03-01.md": "- yesterday\n",
    "memory/2026-03-02.md": "# 2026-03-02\n\n- today\n",
    "memory/2026-03-02-empty.md": "# Nothing yet\n",
    "memory/topic.md": "- evergreen\n",
  });
  const memory = await place.open({ now });
  const pathsFor = async (sessionKey?: string) =>
    (await memory.startSession(sessionKey === undefined ? {} : { sessionKey })).notes.map(({ path }) => path);
  const days = ["memory/2026-03-01.md", "memory/2026-03-02.md"];
  for (const own of [undefined, "agent:main:main", "agent:main:direct:ada"]) {
    assert.deepEqual(await pathsFor(own), ["MEMORY.md", ...days]);
  }
  for (const shared of ["agent:main:chat:group:7", "agent:main:chat:channel:x", "agent:main:odd", "?"]) {
    assert.deepEqual(await pathsFor(shared), days);
  }
  const { notes } = await memory.startSession();
  assert.deepEqual(notes.at(-1), {
    path: "memory/2026-03-02.md",
    text: "# 2026-03-02\n\n- today",
    from: 1,
    lines: 3,
    totalLines: 3,
  });
});

test("what has no room is named", async (t) => {
  const long = "- a line that takes its room\n".repeat(500);
  const place = makeMemoryPlace(t, {
    "MEMORY.md": long,
    "memory/2026-03-01.md": long,
    "memory/2026-03-02.md": long,
    "memory/2026-03-02-b.md": long,
  });
  const { notes, omitted } = await (await place.open({ now })).startSession();
  assert.ok(notes.reduce((sum, { text }) => sum + text.length, 0) <= 8500);
  assert.deepEqual(omitted, ["memory/2026-03-01.md"]);
});
