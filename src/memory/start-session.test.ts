import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { openSessionStore } from "../open-session-store.ts";
import { memoryTools } from "../tools/memory-tools.ts";
import { startPromptSection } from "../tools/start-section.ts";

const now = () => new Date("2026-03-02T12:00:00Z");

test("a main or direct session gets the long-term memory, every other kind does not", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": "- private\n",
    "memory/2026-03-01.md": "- yesterday\n",
    "memory/2026-03-02.md": "# 2026-03-02\n\n- today\n",
    "memory/2026-03-02-empty.md": "# Nothing yet\n",
    "memory/topic.md": "- evergreen\n",
  });
  const memory = await fixture.open({ now });
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

test("the start of a session brings the index up to date, transcripts too, unless the configuration says no", async (t) => {
  for (const onSessionStart of [true, false]) {
    const fixture = makeMemoryFixture(t, { "memory/topic.md": "- the quokka is fed at noon\n" });
    const memorySearch = {
      provider: "none",
      sources: ["memory", "sessions"],
      experimental: { sessionMemory: true },
      // Nobody else brings anything in, and a loaded machine gets its time.
      sync: { onSessionStart, onSearch: false, searchWaitMs: 60_000 },
    } as const;
    const memory = await fixture.open({ agent: "main", config: { agents: { defaults: { memorySearch } } } });
    const store = openSessionStore({ stateDir: fixture.stateDir });
    await store.append("agent:main:main", { role: "user", content: "The quokka likes the meadow." });
    const { stale, degraded } = await memory.startSession();
    assert.deepEqual({ stale, degraded }, { stale: !onSessionStart, degraded: [] });
    const { results } = await memory.search("quokka");
    assert.deepEqual(
      results.map(({ source }) => source).toSorted(),
      onSessionStart ? ["memory", "sessions"] : [],
    );
    await memory.close();
  }
});

test("an index that cannot be opened or takes long does not keep a session from starting", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "- still there\n" });
  const memory = await fixture.open({
    config: {
      agents: {
        defaults: {
          memorySearch: { provider: "none", store: { path: fixture.at("MEMORY.md/index.sqlite") } },
        },
      },
    },
  });
  const broken = await memory.startSession();
  assert.equal(broken.notes.length, 1);
  assert.ok(broken.stale);
  assert.match(broken.degraded.join(), /^the index is not up to date: /);
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, number) => [`memory/n${number}.md`, "- a line\n".repeat(50)]),
  );
  const slow = await makeMemoryFixture(t, { "MEMORY.md": "- still there\n", ...many }).open({
    config: { agents: { defaults: { memorySearch: { provider: "none", sync: { searchWaitMs: 0 } } } } },
  });
  const { notes, stale, degraded } = await slow.startSession();
  assert.deepEqual([notes.length, stale, degraded], [1, true, []]);
});

test("what has no room is named", async (t) => {
  const long = "- a line that takes its room\n".repeat(500);
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": long,
    "memory/2026-03-01.md": long,
    "memory/2026-03-02.md": long,
    "memory/2026-03-02-b.md": long,
  });
  const { notes, omitted } = await (await fixture.open({ now })).startSession();
  assert.ok(notes.reduce((sum, { text }) => sum + text.length, 0) <= 8500);
  assert.deepEqual(omitted, ["memory/2026-03-01.md"]);
});

test("yesterday is the day before, also when clocks change", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "memory/2026-10-24.md": "- Saturday\n",
    "memory/2026-10-25.md": "- Sunday of 25 hours\n",
    "memory/2026-03-28.md": "- Saturday\n",
    "memory/2026-03-29.md": "- Sunday of 23 hours\n",
  });
  const config = { agents: { defaults: { userTimezone: "Europe/Berlin" } } };
  for (const [moment, yesterday] of [
    ["2026-10-25T22:30:00Z", "memory/2026-10-24.md"],
    ["2026-03-29T22:30:00Z", "memory/2026-03-29.md"],
  ] as const) {
    const memory = await fixture.open({ config, now: () => new Date(moment) });
    assert.equal((await memory.startSession()).notes[0]?.path, yesterday);
  }
});

test("the same notes give the same text, byte for byte, whatever the time of day", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": "- b\n- a\n",
    "memory/2026-03-01.md": "- yesterday\n",
    "memory/2026-03-02-b.md": "- second\n",
    "memory/2026-03-02-a.md": "- first\n",
  });
  const textAt = async (time: string) => {
    const memory = await fixture.open({ now: () => new Date(`2026-03-02T${time}Z`) });
    await memory.search("first");
    return startPromptSection(await memory.startSession());
  };
  const text = await textAt("00:10:00");
  assert.match(text, /- b\n- a/);
  assert.equal(await textAt("23:50:00"), text);
});

test("a program that does not trust its workspace has that said before what is quoted", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "- The heron nests here.\n" });
  const textOf = async (trusted: boolean) => {
    const memory = await fixture.open({ trusted });
    const search = memoryTools(memory)[0]!;
    return [
      startPromptSection(await memory.startSession()),
      search.render(await search.execute({ query: "heron" })),
    ];
  };
  for (const text of await textOf(false)) assert.match(text, /the user has not trusted: strangers may have/);
  for (const text of await textOf(true)) assert.doesNotMatch(text, /strangers/);
});

test("the newest lines of a daily note are read, however many lines it has", async (t) => {
  const note = `- first${"\n".repeat(1_000_500)}- last\n`;
  const memory = await makeMemoryFixture(t, { "memory/2026-03-02.md": note }).open({ now });
  const { notes } = await memory.startSession({ indexing: "later" });
  assert.equal(notes[0]?.text.trim(), "- last");
});
