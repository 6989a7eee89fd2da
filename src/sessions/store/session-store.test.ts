import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import json5 from "json5";
import { lackOf } from "../../../test/faults/programs.ts";
import { finish, startProgram } from "../../../test/support/child-process.ts";
import { makeOpenclawDatabase } from "../../../test/support/openclaw-database.ts";
import { asOrdinaryUser } from "../../../test/support/ordinary-user.ts";
import { fuseKind, skipWithoutModes } from "../../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { jsonLines, openclaw } from "../../../test/support/transcript-lines.ts";
import { createRandom } from "../../eval/compare.ts";
import { type OpenSessionStoreOptions, openSessionStore } from "../../open-session-store.ts";

const key = "agent:main:main";

function makeFixture(t: TestContext) {
  const folder = makeTemporaryFolder(t);
  const sessions = "agents/main/sessions";
  return {
    stateDir: folder.dir,
    at: (name: string) => folder.at(`${sessions}/${name}`),
    write: (name: string, text: string) => folder.write(`${sessions}/${name}`, text),
    read: (name: string) => readFileSync(folder.at(`${sessions}/${name}`), "utf8"),
    open: (options: OpenSessionStoreOptions = {}) =>
      openSessionStore({ agent: "main", stateDir: folder.dir, ...options }),
  };
}

test("a missing entry is created by its first update, with an id and a time", async (t) => {
  const store = makeFixture(t).open({ now: () => new Date(5000) });
  assert.equal(await store.get(key), null);
  assert.equal(await store.history(key), null);
  const entry = await store.update(key, (before) => {
    assert.deepEqual(before, {});
    return { channel: "cli" };
  });
  assert.match(entry.sessionId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(entry, {
    channel: "cli",
    sessionId: entry.sessionId,
    sessionFile: `chats/${entry.sessionId}.json5`,
    updatedAt: 5000,
  });
  assert.deepEqual(await store.get(key), entry);
  assert.deepEqual(await store.list(), [{ ...entry, key }]);
});

test("messages are kept in their order, and a session of a group has its file among the groups", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open({ now: () => new Date(1000) });
  const group = "agent:main:chat:group:7";
  await store.append(group, { role: "user", content: "We ship on Fridays.", timestamp: 500 });
  const history = await store.append(group, {
    role: "assistant",
    content: [{ type: "text", text: "Noted." }],
  });
  assert.deepEqual(await store.history(group), history);
  assert.deepEqual(history, {
    sessionId: history.sessionId,
    version: 2,
    createdAt: 1000,
    updatedAt: 1000,
    messages: [
      { role: "user", content: "We ship on Fridays.", timestamp: 500 },
      { role: "assistant", content: [{ type: "text", text: "Noted." }], timestamp: 1000 },
    ],
    compactedHistory: [],
  });
  assert.ok(existsSync(fixture.at(`groups/${history.sessionId}.json5`)));
});

test("compaction replaces old messages with a summary, is counted, and keeps tool results with their calls", async (t) => {
  const store = makeFixture(t).open({ now: () => new Date(9000) });
  for (const [role, content] of [
    ["user", "one"],
    ["assistant", "two"],
    ["assistant", "call"],
    ["tool", "answer"],
    ["user", "last"],
  ] as const) {
    await store.append(key, { role, content });
  }
  await store.update(key, (entry) => ({ ...entry, inputTokens: 900, outputTokens: 90, totalTokens: 990 }));
  const history = await store.compact(key, { summary: "One and two.", keepLast: 2 });
  assert.deepEqual(
    history.messages.map(({ content }) => content),
    ["call", "answer", "last"],
  );
  assert.deepEqual(history.compactedHistory, [
    { role: "system", content: "One and two.", compactedAt: 9000, originalMessageCount: 2 },
  ]);
  const { inputTokens, outputTokens, totalTokens } = (await store.get(key))!;
  assert.deepEqual([inputTokens, outputTokens, totalTokens], [undefined, undefined, undefined]);
  assert.equal((await store.get(key))?.compactionCount, 1);
  await store.compact(key, { summary: "Nothing to do.", keepLast: 10 });
  assert.equal((await store.get(key))?.compactionCount, 1);
  await assert.rejects(store.compact("agent:main:direct:x", { summary: "x", keepLast: 0 }), {
    code: "session-missing",
  });
  await assert.rejects(store.compact(key, { summary: " ", keepLast: 0 }), { code: "session-invalid" });
  await assert.rejects(store.compact(key, { summary: "x", keepLast: -1 }), { code: "session-invalid" });
});

test("messages appended while the summary was written are kept", async (t) => {
  const store = makeFixture(t).open();
  for (const content of ["One.", "Two.", "Three."]) await store.append(key, { role: "user", content });
  const seen = (await store.history(key))!;
  await store.append(key, { role: "user", content: "Four." });
  await store.append(key, { role: "tool", content: "An answer." });
  const { messages, compactedHistory } = await store.compact(key, {
    summary: "All of it.",
    keepLast: 1,
    seen,
  });
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["Three.", "Four.", "An answer."],
  );
  assert.equal(compactedHistory[0]?.originalMessageCount, 2);
  // Somebody else has compacted it: the summary covers messages that are gone.
  await assert.rejects(store.compact(key, { summary: "Twice.", keepLast: 0, seen }), {
    code: "session-invalid",
    hint: /summarise the current messages/,
  });
  assert.equal((await store.history(key))?.messages.length, 3);
});

test("nothing is compacted for a caller that saw no history yet", async (t) => {
  const store = makeFixture(t).open();
  const seen = await store.history(key);
  assert.equal(seen, null);
  await store.append(key, { role: "user", content: "One." });
  const { messages } = await store.compact(key, { summary: "Nothing.", keepLast: 0, seen });
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["One."],
  );
  assert.equal((await store.get(key))?.compactionCount ?? 0, 0);
});

test("a tool result that arrives while the summary is written stays with its call", async (t) => {
  const store = makeFixture(t).open();
  for (const content of ["Question.", "Call."]) await store.append(key, { role: "assistant", content });
  const seen = (await store.history(key))!;
  await store.append(key, { role: "tool", content: "Answer." });
  const { messages } = await store.compact(key, { summary: "A question.", keepLast: 0, seen });
  assert.deepEqual(
    messages.map(({ content }) => content),
    ["Call.", "Answer."],
  );
});

test("a registry edited by hand keeps comments, order and unknown fields through changes", async (t) => {
  const fixture = makeFixture(t);
  fixture.write(
    "registry.json5",
    `// The sessions of this machine.
{
  // Mine.
  'agent:main:main': { sessionId: 'one', updatedAt: 7, mood: "good", /* hm */ totalTokens: 5, },
  broken: 17, // left by somebody
}
`,
  );
  const store = fixture.open({ now: () => new Date(99) });
  assert.deepEqual(await store.list(), [
    { key, sessionId: "one", updatedAt: 7, mood: "good", totalTokens: 5 },
  ]);
  await store.update(key, (entry) => ({ ...entry, totalTokens: 6 }));
  assert.equal(
    fixture.read("registry.json5"),
    `// The sessions of this machine.
{
  // Mine.
  'agent:main:main': { sessionId: 'one', updatedAt: 99, mood: "good", /* hm */ totalTokens: 6, sessionFile: "chats/one.json5", },
  broken: 17, // left by somebody
}
`,
  );
});

test("a history edited by hand keeps its comments when a message is added", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open({ now: () => new Date(10) });
  await store.update(key, () => ({ sessionId: "one" }));
  fixture.write(
    "chats/one.json5",
    `{ // edited
  version: 2,
  messages: [
    { role: "user", content: 'Hello', timestamp: 1 }, // first
  ],
}
`,
  );
  await store.append(key, { role: "assistant", content: "Hi" });
  const text = fixture.read("chats/one.json5");
  assert.match(
    text,
    /\{ \/\/ edited\n {2}version: 2,\n {2}messages: \[\n {4}\{ role: "user", content: 'Hello'/,
  );
  assert.match(text, /\/\/ first\n/);
  assert.deepEqual(
    (await store.history(key))?.messages.map(({ content }) => content),
    ["Hello", "Hi"],
  );
});

test("a damaged history is quarantined and affects only its own session", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open({ now: () => new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) });
  await store.append("agent:main:direct:a", { role: "user", content: "a" });
  await store.append("agent:main:direct:b", { role: "user", content: "b" });
  const { sessionFile } = (await store.get("agent:main:direct:a"))!;
  fixture.write(sessionFile!, '{"messages": [{"role": "us');
  const other = fixture.open();
  assert.deepEqual((await store.history("agent:main:direct:a"))?.messages, []);
  assert.equal(fixture.read(`${sessionFile}.damaged-20260102030405`), '{"messages": [{"role": "us');
  assert.equal(store.repairs.length, 1);
  await other.append("agent:main:direct:a", { role: "user", content: "again" });
  assert.equal((await other.history("agent:main:direct:a"))?.messages.length, 1);
  assert.equal((await other.history("agent:main:direct:b"))?.messages.length, 1);
});

test("a damaged registry is rebuilt from its readable lines and the histories", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open();
  await store.update("agent:main:direct:a", (entry) => ({ ...entry, totalTokens: 42 }));
  for (const name of ["b", "c"]) {
    await store.append(`agent:main:direct:${name}`, { role: "user", content: name });
  }
  await store.compact("agent:main:direct:b", { summary: "b", keepLast: 0 });
  fixture.write("registry.json5", fixture.read("registry.json5").slice(0, 150));
  assert.deepEqual((await store.list()).map((entry) => entry.key).sort(), [
    "agent:main:direct:a",
    "agent:main:direct:b",
    "agent:main:direct:c",
  ]);
  assert.equal((await store.get("agent:main:direct:b"))?.compactionCount, 1);
  assert.equal((await store.history("agent:main:direct:c"))?.messages[0]?.content, "c");
  assert.equal(store.repairs.length, 1);
  fixture.write("registry.json5", "");
  assert.equal((await store.list()).length, 3);
});

test("a history of version 1, a bare list, and a newer version", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open({ now: () => new Date(99) });
  const messages = [{ role: "user", content: "Old", timestamp: "1970-01-01T00:00:01.000Z" }];
  for (const id of ["one", "list", "newer"])
    await store.update(`agent:main:direct:${id}`, () => ({ sessionId: id }));
  fixture.write("chats/one.json5", JSON.stringify({ sessionId: "one", version: 1, messages, own: true }));
  fixture.write("chats/list.json5", JSON.stringify(messages));
  fixture.write("chats/newer.json5", '{"version": 3, "messages": {}}');
  assert.deepEqual(await store.history("agent:main:direct:one"), {
    sessionId: "one",
    version: 2,
    messages,
    own: true,
    createdAt: 1000,
    updatedAt: 1000,
    compactedHistory: [],
  });
  await store.append("agent:main:direct:list", { role: "user", content: "New" });
  assert.equal((await store.history("agent:main:direct:list"))?.messages.length, 2);
  await assert.rejects(store.append("agent:main:direct:newer", { role: "user", content: "x" }), {
    code: "session-unusable",
  });
  assert.equal(fixture.read("chats/newer.json5"), '{"version": 3, "messages": {}}');
});

test("sessions that another program lists in sessions.json are listed and can be adopted; the file is never written", async (t) => {
  const fixture = makeFixture(t);
  const foreign =
    '{"agent:main:main": {"sessionId": "abc", "updatedAt": 5, "sessionFile": "/tmp/abc.jsonl", "totalTokens": 9}}';
  fixture.write("sessions.json", foreign);
  const store = fixture.open({ now: () => new Date(3) });
  assert.equal((await store.get(key))?.totalTokens, 9);
  assert.deepEqual((await store.history(key))?.messages, []);
  await store.update(key, (entry) => ({ ...entry, totalTokens: 10 }));
  assert.deepEqual(await store.get(key), {
    sessionId: "abc",
    updatedAt: 5,
    sessionFile: "chats/abc.json5",
    totalTokens: 10,
  });
  assert.equal(fixture.read("sessions.json"), foreign);
});

test("the history of a session of OpenClaw is read from its transcript, and continues after it is adopted", async (t) => {
  const fixture = makeFixture(t);
  const said = (id: string, role: string, content: string) => ({ ...openclaw.message(role, content), id });
  const lines = jsonLines(
    openclaw.head("abc"),
    said("1", "user", "When do we ship?"),
    said("2", "assistant", "On Friday."),
    {
      type: "compaction",
      id: "c",
      timestamp: "2026-03-01T11:00:00Z",
      summary: "Friday.",
      firstKeptEntryId: "2",
    },
    said("3", "toolResult", "noon"),
  );
  fixture.write("abc.jsonl", lines);
  fixture.write(
    "sessions.json",
    JSON.stringify({ [key]: { sessionId: "abc", updatedAt: 5, sessionFile: "/home/x/abc.jsonl" } }),
  );
  const store = fixture.open();
  const history = await store.history(key);
  assert.deepEqual(
    history?.messages.map(({ role, content }) => [role, content]),
    [
      ["assistant", "On Friday."],
      ["tool", "noon"],
    ],
  );
  assert.deepEqual(history?.compactedHistory, [
    { role: "system", content: "Friday.", compactedAt: 1772362800000, originalMessageCount: 1 },
  ]);
  const taken = await store.append(key, { role: "user", content: "Thanks." });
  assert.deepEqual(
    taken.messages.map(({ content }) => content),
    ["On Friday.", "noon", "Thanks."],
  );
  assert.equal(fixture.read("abc.jsonl"), lines);
});

test("sessions that OpenClaw keeps in its database are listed, with their history", async (t) => {
  const fixture = makeFixture(t);
  using database = makeOpenclawDatabase(fixture.at("../agent/openclaw-agent.sqlite"));
  database.addSession("abc", { key });
  database.append("abc", [openclaw.head("abc"), openclaw.message("user", "When do we ship?")]);
  const store = fixture.open();
  assert.deepEqual(
    (await store.list()).map(({ key: listed, sessionId }) => [listed, sessionId]),
    [[key, "abc"]],
  );
  assert.equal((await store.history(key))?.messages[0]?.content, "When do we ship?");
});

test("an invalid key, id or message is refused and changes nothing", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open();
  await store.append("__proto__", { role: "user", content: "an odd key is a key" });
  assert.equal((await store.history("__proto__"))?.messages.length, 1);
  const before = fixture.read("registry.json5");
  const invalid = { code: "session-invalid" };
  await assert.rejects(
    store.update("", () => ({})),
    invalid,
  );
  await assert.rejects(
    store.update("a\u0000b", () => ({})),
    invalid,
  );
  await assert.rejects(
    store.update(key, () => ({ sessionId: "../../escape" })),
    invalid,
  );
  await assert.rejects(
    store.update(key, () => undefined as never),
    invalid,
  );
  await assert.rejects(store.append(key, { role: "robot" as "user", content: "x" }), invalid);
  await assert.rejects(store.append(key, { role: "user", content: 5 as never }), invalid);
  await assert.rejects(
    store.update(key, () => {
      throw new Error("mine");
    }),
    /mine/,
  );
  assert.equal(fixture.read("registry.json5"), before);
  assert.throws(() => openSessionStore({ agent: "../x", stateDir: fixture.stateDir }), invalid);
});

test("a registry entry that names a file elsewhere is not followed", async (t) => {
  const fixture = makeFixture(t);
  fixture.write(
    "registry.json5",
    '{"agent:main:main": {"sessionId": "a", "sessionFile": "../../../secret.json5"}}',
  );
  const store = fixture.open();
  await store.append(key, { role: "user", content: "x" });
  assert.deepEqual(readdirSync(fixture.at("chats")), ["a.json5"]);
});

test("the time of an entry never goes backwards", async (t) => {
  const fixture = makeFixture(t);
  await fixture.open({ now: () => new Date(900) }).update(key, (entry) => entry);
  const entry = await fixture.open({ now: () => new Date(100) }).update(key, (before) => before);
  assert.equal(entry.updatedAt, 900);
});

test("a caller that times out waiting learns which process holds the lock", async (t) => {
  const fixture = makeFixture(t);
  const held = fixture.open();
  const { promise: isHeld, resolve: tell } = Promise.withResolvers<void>();
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  const first = held.update(key, async (entry) => {
    tell();
    await isFree;
    return entry;
  });
  await isHeld;
  await assert.rejects(
    fixture.open({ waitMs: 20 }).update(key, (entry) => entry),
    {
      code: "store-busy",
      retryable: true,
    },
  );
  release();
  await first;
});

test("an edit saved during a change is kept, and so is the change", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open();
  await store.append(key, { role: "user", content: "first" });
  let calls = 0;
  const entry = await store.update(key, (before) => {
    if (++calls === 1) {
      // Like editors: a new file replaces the old one.
      fixture.write(
        "registry.tmp",
        fixture.read("registry.json5").replace('"sessionId"', '"label": "by hand", "sessionId"'),
      );
      renameSync(fixture.at("registry.tmp"), fixture.at("registry.json5"));
    }
    return { ...before, channel: "cli" };
  });
  assert.equal(calls, 2);
  assert.deepEqual([entry["label"], entry.channel], ["by hand", "cli"]);
  assert.deepEqual(await store.get(key), entry);
  assert.equal((await store.history(key))?.messages.length, 1);
});

test("a file that is saved on every attempt is not reported as changed", async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open();
  await store.append(key, { role: "user", content: "first" });
  const before = fixture.read("registry.json5");
  let calls = 0;
  const change = store.update(key, (entry) => {
    fixture.write("registry.json5", before.replace("{", `{ // save ${++calls}`));
    return { ...entry, channel: "cli" };
  });
  await assert.rejects(change, { code: "session-unusable", retryable: true, message: /not certain/ });
  assert.match(fixture.read("registry.json5"), new RegExp(`save ${calls}\\b`));
});

test("new folders are made durable in the ones above them", {
  skip: lackOf("strace", ["-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=9999", "true"]) ?? false,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const source = `
    import { openSessionStore } from ${JSON.stringify(new URL("../../open-session-store.ts", import.meta.url).href)};
    const store = openSessionStore({ stateDir: process.argv[1] });
    const refused = await store.append("agent:main:main", { role: "user", content: "x" }).catch((error) => error.message);
    process.stdout.write(JSON.stringify(refused));`;
  for (const [round, above] of ["agents/main/sessions", "agents/main"].entries()) {
    const stateDir = folder.at(`state-${round}`);
    const inject = [
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-P",
      join(stateDir, above),
      "-e",
      "inject=fsync:error=EIO",
    ];
    const program = [process.execPath, "--input-type=module-typescript", "-e", source, "--", stateDir];
    const { stdout, stderr } = await finish(spawn("strace", [...inject, ...program]));
    assert.match(stdout, /cannot be written: EIO/, `${above}: ${stderr}`);
  }
});

test("a folder that cannot be written is an error, and reading continues", {
  skip: skipWithoutModes,
}, async (t) => {
  const fixture = makeFixture(t);
  const store = fixture.open();
  fixture.write("registry.json5", '{"agent:main:main": {"sessionId": "a", "updatedAt": 1}}');
  await asOrdinaryUser(async () => {
    await assert.rejects(
      store.update(key, (entry) => entry),
      { code: "session-unusable" },
    );
  });
  assert.equal((await store.get(key))?.sessionId, "a");
});

test("files are accessible only to their owner", { skip: skipWithoutModes }, async (t) => {
  const fixture = makeFixture(t);
  await fixture.open().append(key, { role: "user", content: "x" });
  assert.equal(statSync(fixture.at("registry.json5")).mode & 0o077, 0);
  assert.equal(statSync(fixture.at("chats")).mode & 0o077, 0);
});

const program = `
import { openSessionStore } from ${JSON.stringify(new URL("../../open-session-store.ts", import.meta.url).href)};
const [stateDir, name, count] = process.argv.slice(-3);
const store = openSessionStore({ agent: "main", stateDir, waitMs: 60_000 });
for (let number = 1; number <= Number(count); number++) {
  await store.update("agent:main:main", (entry) => ({ ...entry, ["by-" + name]: Number(entry["by-" + name] ?? 0) + 1 }));
  if (number % 5 === 0) await store.append("agent:main:direct:" + name, { role: "user", content: String(number) });
  process.stdout.write(number + "\\n");
}
`;

test("several processes change one entry, no change is lost, and the file is complete at every moment", async (t) => {
  const [processes, count] = [3, 15];
  const fixture = makeFixture(t);
  const children = Array.from({ length: processes }, (_, number) =>
    finish(startProgram(t, program, [fixture.stateDir, String(number), String(count)])),
  );
  let isRunning = true;
  const ended = Promise.all(children).finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    // With FUSE, there is a moment in which a replaced file cannot be opened.
    const isReadable = fuseKind === null && existsSync(fixture.at("registry.json5"));
    if (isReadable) json5.parse(fixture.read("registry.json5"));
    await new Promise(setImmediate);
  }
  for (const { code, stderr } of await ended) assert.equal(code, 0, stderr);
  const entry = await fixture.open().get(key);
  for (let number = 0; number < processes; number++) assert.equal(entry?.[`by-${number}`], count);
});

test("a process killed at any moment loses no acknowledged change", async (t) => {
  const random = createRandom(20261115);
  const fixture = makeFixture(t);
  let least = 0;
  for (let round = 0; round < 4; round++) {
    const child = startProgram(t, program, [fixture.stateDir, "x", "100000"]);
    const closed = once(child, "close");
    let told = 0;
    const stopAfter = 1 + Math.floor(random() * 30);
    const delayMs = random() * 12;
    child.stdout!.on("data", (data) => {
      told += String(data).split("\n").length - 1;
      if (told >= stopAfter) setTimeout(() => child.kill("SIGKILL"), delayMs);
    });
    await closed;
    least += told;
    const store = fixture.open();
    const kept = Number((await store.get(key))?.["by-x"]);
    assert.ok(kept >= least, `${kept} kept, ${least} told`);
    least = kept;
    const history = await store.history("agent:main:direct:x");
    if (history) assert.ok(history.messages.every(({ content }) => typeof content === "string"));
    assert.deepEqual(store.repairs, []);
  }
});
