import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { finish, startProgram } from "../../test/support/child-process.ts";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { createRandom } from "../eval/compare.ts";
import { openSessionStore } from "../open-session-store.ts";
import type { MemoryTool } from "../tools/tool.ts";
import { decideFlush } from "./decide-flush.ts";
import { beforeCompact, type RunTurn, runFlush } from "./run-flush.ts";

const key = "agent:main:main";
const now = () => new Date("2026-03-02T12:00:00Z");
const daily = "memory/2026-03-02.md";
const decision = "We decided to use PostgreSQL 17 for the ledger.";

async function openFixture(t: TestContext) {
  const fixture = makeMemoryFixture(t);
  const memory = await fixture.open({
    now,
    config: { agents: { defaults: { userTimezone: "UTC", memorySearch: { provider: "none" } } } },
  });
  const store = openSessionStore({ stateDir: fixture.stateDir, now });
  await store.append(key, { role: "user", content: `Hello there. ${decision}` });
  await store.append(key, { role: "assistant", content: "Understood, I'll change it." });
  await store.append(key, { role: "user", content: "Thanks, that is all for today." });
  const read = () => (existsSync(fixture.at(daily)) ? readFileSync(fixture.at(daily), "utf8") : "");
  return { fixture, memory, store, session: { key, store }, read };
}

const remember =
  (...texts: string[]): RunTurn =>
  async ({ tools }) => {
    const add = tools.find(({ name }) => name === "memory_add")!;
    for (const text of texts) await add.execute({ text });
    return "NO_REPLY";
  };

test("the turn gets prompts and tools that only read and append to today's note; the flush is recorded", async (t) => {
  const { memory, session, store, read } = await openFixture(t);
  const result = await runFlush({
    session,
    memory,
    now,
    async runTurn({ systemPrompt, prompt, tools, path, signal }) {
      assert.ok(systemPrompt.length > 0 && prompt.includes(daily) && path === daily && !signal.aborted);
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["memory_search", "memory_get", "memory_add"],
      );
      assert.deepEqual(Object.keys(tools[2]!.inputSchema.properties), ["text"], "today's note is no choice");
      await tools[2]!.execute({
        text: "- Ledger uses PostgreSQL 17.\n- token=ghp_abcdefghijklmnopqrstuvwxyz0123456789",
      });
      return { text: "`NO_REPLY`" };
    },
  });
  assert.deepEqual(
    { ...result, written: result.written.length },
    {
      flushed: true,
      reason: "written",
      silent: true,
      written: 1,
      record: { memoryFlushAt: now().getTime(), memoryFlushCompactionCount: 0 },
      unread: 0,
      problems: [],
    },
  );
  assert.match(read(), /Ledger uses PostgreSQL 17\./);
  assert.doesNotMatch(read(), /ghp_/);
  const entry = (await store.get(key))!;
  assert.equal(entry.memoryFlushAt, now().getTime());
  assert.equal(
    decideFlush({ ...entry, totalTokens: 190_000, contextWindow: 200_000 }).reason,
    "already-flushed",
  );
});

test("the second flush of a day does not write again what the first wrote", async (t) => {
  const { memory, session, store, read } = await openFixture(t);
  const runTurn = remember("- One thing.\n- Another thing.", "A third thing.");
  await runFlush({ session, memory, now, runTurn, fallback: "extract" });
  const before = read();
  await store.compact(key, { summary: "x", keepLast: 1 });
  await store.append(key, { role: "user", content: `${decision} And one more: I prefer tea.` });
  const again = await runFlush({
    session,
    memory,
    now,
    runTurn: remember("- Another thing.\n- A fourth thing.", "A third thing."),
    fallback: "extract",
  });
  assert.equal(again.flushed, true);
  const added = read().slice(before.length);
  assert.ok(read().startsWith(before), "a note is only appended to");
  assert.match(
    added,
    /^- A fourth thing\. <!-- from: flush agent:main:main 12:00 -->\n- And one more: I prefer tea\. <!-- from: session \S+ line 4 -->\n$/,
  );
});

test("what a flush wrote days ago, in the same conversation, is not written again", async (t) => {
  const { fixture, session, memory, read } = await openFixture(t);
  await runFlush({ session, memory, now, fallback: "extract" });
  assert.match(read(), /PostgreSQL 17/);
  const later = () => new Date("2026-03-09T12:00:00Z");
  const reopened = await fixture.open({ now: later });
  const { written } = await beforeCompact({ session, memory: reopened, now: later, fallback: "extract" });
  assert.deepEqual(written, []);
});

test("with the fallback, a planted decision is in the note whatever the model does", async (t) => {
  const turns: Record<string, RunTurn | undefined> = {
    silent: async () => "NO_REPLY",
    talkative: async () => "I have nothing to say.",
    failing: () => Promise.reject(new Error("model is down")),
    broken: async () => undefined as never,
    hanging: () => new Promise(() => {}),
    elsewhere: remember("Something else entirely."),
    absent: undefined,
  };
  for (const [name, runTurn] of Object.entries(turns)) {
    await t.test(name, async (t) => {
      const { memory, session, store, read } = await openFixture(t);
      const result = await beforeCompact({
        session,
        memory,
        now,
        runTurn,
        fallback: "extract",
        keepLast: 1,
        timeoutMs: 50,
      });
      assert.equal(result.flushed, true, JSON.stringify(result));
      const { sessionId } = (await store.get(key))!;
      assert.ok(read().includes(`- ${decision} <!-- from: session ${sessionId} line 1 -->\n`), read());
      if (name === "failing") assert.match(result.problems.join(), /model is down/);
    });
  }
});

test("a host that throws immediately, or was aborted before, does no harm; listeners on its signal are removed", async (t) => {
  const { memory, session } = await openFixture(t);
  const host = new AbortController();
  let turns = 0;
  const thrown = await runFlush({
    session,
    memory,
    now,
    signal: host.signal,
    runTurn: (() => {
      turns++;
      throw new Error("no model");
    }) as unknown as RunTurn,
  });
  assert.deepEqual(thrown.problems, ["The turn failed: no model"]);
  // Nobody awaits the turn any more, so this must not become an unhandled rejection.
  host.abort();
  await new Promise((resolve) => setImmediate(resolve));
  await runFlush({ session, memory, now, signal: host.signal, runTurn: async () => `${turns++}` });
  assert.equal(turns, 1);
});

test("keys of the configuration are masked in what a flush writes, by the model and by the fallback", async (t) => {
  const fixture = makeMemoryFixture(t);
  const apiKey = "correcthorsebatterystaple";
  const memory = await fixture.open({
    now,
    config: {
      agents: { defaults: { userTimezone: "UTC", memorySearch: { provider: "none" } } },
      models: { providers: { openai: { apiKey } } },
    },
  });
  const messages = [{ role: "user" as const, content: `We decided to use ${apiKey} for the gate.` }];
  const runTurn = remember(`The gate opens with ${apiKey}.`);
  await runFlush({ session: { key, messages }, memory, now, fallback: "extract", runTurn });
  const note = readFileSync(fixture.at(daily), "utf8");
  assert.equal(note.match(/\[redacted:configured-key\]/g)?.length, 2);
  assert.ok(!note.includes(apiKey));
});

test("when the time to read is over, the latest user messages have been read", async (t) => {
  const { memory } = await openFixture(t);
  const messages = Array.from({ length: 20_000 }, (_, number) => ({
    role: number % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `We decided to use plan ${number}. ${"It is a long story. ".repeat(5)}`,
  }));
  const { problems, flushed } = await runFlush({
    session: { key, messages, record: () => {} },
    memory,
    now,
    fallback: "extract",
    readUntil: AbortSignal.abort(),
  });
  assert.ok(flushed);
  assert.match(problems.join(), /^\d+ messages were not read for lack of time\.$/);
  const { text } = await memory.readFile({ relPath: daily });
  assert.match(text, /plan 19998\./);
});

test("without the fallback a failed turn is not recorded and does not reject", async (t) => {
  const { memory, session, store } = await openFixture(t);
  const runTurn = () => Promise.reject(new Error("down"));
  const result = await runFlush({ session, memory, now, runTurn });
  assert.deepEqual(result, {
    flushed: false,
    reason: "failed",
    silent: true,
    written: [],
    unread: 0,
    problems: ["The turn failed: down"],
  });
  assert.equal((await store.get(key))?.memoryFlushAt, undefined);
});

test("beforeCompact respects the guards, asks the model once per compaction, and reads the messages since", async (t) => {
  const { memory, session, store, read } = await openFixture(t);
  let asked = 0;
  const options = {
    session,
    memory,
    now,
    runTurn: async () => {
      asked++;
      return "NO_REPLY";
    },
  };
  for (const [guard, reason] of [
    [{ enabled: false }, "disabled"],
    [{ heartbeat: true }, "heartbeat"],
    [{ cliProvider: true }, "cli-provider"],
    [{ readOnly: true }, "read-only"],
  ] as const) {
    assert.equal((await beforeCompact({ ...options, ...guard })).reason, reason);
  }
  assert.equal(asked, 0);
  await beforeCompact(options);
  assert.equal((await beforeCompact(options)).reason, "already-flushed");
  assert.equal(asked, 1);
  await store.append(key, { role: "user", content: "My name is Ada Nowak." });
  await beforeCompact({ ...options, fallback: "extract" });
  assert.equal(asked, 1);
  assert.match(read(), /My name is Ada Nowak\./);
  await store.compact(key, { summary: "x", keepLast: 0 });
  await beforeCompact(options);
  assert.equal(asked, 2);
});

test("a host with its own sessions passes messages and keeps the record", async (t) => {
  const { memory, read } = await openFixture(t);
  const kept: unknown[] = [];
  const result = await runFlush({
    memory,
    now,
    fallback: "extract",
    session: {
      key: "agent:main:direct:x",
      sessionId: "own",
      compactionCount: 4,
      messages: [{ role: "user", content: [{ type: "text", text: decision }, { type: "image" }] }],
      record: (record) => void kept.push(record),
    },
  });
  assert.equal(result.flushed, true);
  assert.deepEqual(kept, [{ memoryFlushAt: now().getTime(), memoryFlushCompactionCount: 4 }]);
  assert.match(read(), /from: session own line 1/);
});

test("an unusable store or memory is a problem in the result, never an error", async (t) => {
  const { memory, session } = await openFixture(t);
  const broken = {
    ...session,
    store: { ...session.store, get: () => Promise.reject(new Error("no store")) },
  };
  assert.equal(
    (await runFlush({ session: broken, memory, now, fallback: "extract" })).reason,
    "session-unreadable",
  );
  await memory.close();
  const result = await beforeCompact({ session, memory, now, fallback: "extract" });
  assert.equal(result.flushed, false);
  assert.ok(result.problems.length > 0);
});

test("a call without what it needs is a problem in the result, never an error", async (t) => {
  const { memory, session } = await openFixture(t);
  const cases: readonly [options: unknown, problem: RegExp][] = [
    [undefined, /needs an opened memory, not undefined/],
    [null, /needs an opened memory/],
    [{}, /needs an opened memory/],
    [{ session, memory: Promise.resolve(memory) }, /needs an opened memory, not a promise/],
    [{ memory }, /needs a session with a key/],
    [{ memory, session: {} }, /needs a session with a key/],
    [{ memory, session: { key: 5 } }, /needs a session with a key/],
  ];
  for (const call of [runFlush, beforeCompact]) {
    for (const [options, problem] of cases) {
      const { problems, ...result } = await call(options as never);
      assert.deepEqual(result, { flushed: false, reason: "failed", silent: true, written: [], unread: 0 });
      assert.match(problems.join(), problem);
    }
  }
});

test("an option that cannot be used is a problem in the result, and the flush goes on without it", async (t) => {
  const { memory, session, read } = await openFixture(t);
  const cases: [object, RegExp][] = [
    [{ runturn: remember("x") }, /^beforeCompact has no option "runturn"; did you mean runTurn\?$/],
    [{ runTurn: 5 }, /^beforeCompact cannot use its option runTurn: it must be a function, not a number\.$/],
    [{ fallback: "extrakt" }, /option fallback: it must be one of "off", "extract", not "extrakt"\.$/],
    [{ readOnly: "no" }, /option readOnly: it must be a boolean, not a string\.$/],
  ];
  for (const [wrong, problem] of cases) {
    const { flushed, reason, problems } = await beforeCompact({ session, memory, now, ...wrong });
    assert.deepEqual([flushed, reason, problems.length], [false, "failed", 1]);
    assert.match(problems[0]!, problem);
  }
  const wrong = { now: 5, tools: 5, signal: {}, fallback: "extract" };
  const { flushed, reason, problems } = await runFlush({ session, memory, ...wrong } as never);
  assert.deepEqual([flushed, reason, problems.length], [true, "written", 3]);
  assert.ok(read().includes(decision));
});

test("a keepLast that is no count loses nothing, and is a problem in the result", async (t) => {
  for (const keepLast of [Number.NaN, -1, 1.5, "2", null]) {
    const { memory, session, read } = await openFixture(t);
    const options = { session, memory, now, fallback: "extract", keepLast: keepLast as number } as const;
    const { flushed, problems } = await runFlush(options);
    assert.equal(flushed, true);
    assert.match(problems.join(), /^keepLast cannot be \S+; all messages were read\.$/);
    assert.ok(read().includes(decision));
  }
  const { memory, session, read } = await openFixture(t);
  const keepLast = Number.POSITIVE_INFINITY;
  const kept = await runFlush({ session, memory, now, fallback: "extract", keepLast });
  assert.deepEqual([kept.problems, read()], [[], ""]);
});

test("a line or a count of a host that is no number is counted here", async (t) => {
  const { memory, read } = await openFixture(t);
  const records: unknown[] = [];
  const lines = [Number.NaN, 1.5, -3, Number.POSITIVE_INFINITY, 70];
  const { flushed } = await runFlush({
    memory,
    now,
    fallback: "extract",
    session: {
      key,
      sessionId: "own",
      compactionCount: Number.NaN,
      messages: lines.map((line, at) => ({
        role: "user",
        content: `We decided to use plan ${at} for the ledger of ${["Ada", "Bob", "Cem", "Dan", "Eve"][at]}.`,
        line,
      })),
      record: (record) => void records.push(record),
    },
  });
  assert.equal(flushed, true);
  const origins = [...read().matchAll(/from: session own line (\S+) -->/g)].map(([, line]) => line);
  assert.deepEqual(origins, ["1", "2", "3", "4", "70"]);
  assert.deepEqual(records, [{ memoryFlushAt: now().getTime(), memoryFlushCompactionCount: 0 }]);
});

test("a session that is never read or recorded ends the flush at the timeout", async (t) => {
  const { memory, session, read } = await openFixture(t);
  const never = (): Promise<never> => new Promise(() => {});
  const options = { memory, now, fallback: "extract", timeoutMs: 20 } as const;
  const store = { ...session.store, get: never };
  const unread = { ...options, session: { ...session, store } };
  const [unrecorded, ...unreadable] = await Promise.all([
    runFlush({ ...options, session: { ...session, record: never } }),
    runFlush(unread),
    beforeCompact(unread),
  ]);
  assert.deepEqual([unrecorded.flushed, unrecorded.reason], [false, "not-recorded"]);
  assert.deepEqual(unrecorded.problems, ["The flush could not be recorded: it took longer than 2000 ms"]);
  assert.ok(read().includes(decision));
  for (const { reason, problems } of unreadable) {
    assert.equal(reason, "session-unreadable");
    assert.deepEqual(problems, ["The session could not be read: it took longer than 2000 ms"]);
  }
});

test("a tool that is called after the turn writes nothing, and what was begun is in the result", async (t) => {
  const { memory, session, read } = await openFixture(t);
  for (const isTimedOut of [true, false]) {
    const called = Promise.withResolvers<readonly MemoryTool[]>();
    const begun: Promise<unknown>[] = [];
    const result = await runFlush({
      session,
      memory,
      now,
      timeoutMs: isTimedOut ? 20 : 60_000,
      async runTurn({ tools }) {
        called.resolve(tools);
        begun.push(tools[2]!.execute({ text: `Begun in time: ${isTimedOut}.` }).catch(() => {}));
        return isTimedOut ? await new Promise<never>(() => {}) : "Done.";
      },
    });
    await Promise.all(begun);
    assert.equal(read().split(`Begun in time: ${isTimedOut}.`).length - 1, result.written.length);
    const before = read();
    const tools = await called.promise;
    await assert.rejects(tools[2]!.execute({ text: "Much too late." }), { code: "aborted" });
    await assert.rejects(tools[0]!.execute({ query: "ledger" }), { code: "aborted" });
    assert.equal(read(), before);
  }
});

test("a timeout that is no time is not taken for none at all", async (t) => {
  const { memory, session } = await openFixture(t);
  const runTurn = async () => await new Promise<string>((resolve) => setImmediate(resolve, "NO_REPLY"));
  for (const timeoutMs of [Number.NaN, -1, "soon"]) {
    const { flushed, problems } = await runFlush({
      session,
      memory,
      now,
      runTurn,
      timeoutMs: timeoutMs as number,
    });
    assert.equal(flushed, true);
    assert.match(problems.join(), /^timeoutMs cannot be \S+; it was taken for 120000\.$/);
  }
});

const program = `
import { openMemory, openSessionStore, beforeCompact } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
const [workspace, stateDir] = process.argv.slice(-2);
const now = () => new Date("2026-03-02T12:00:00Z");
const config = { agents: { defaults: { userTimezone: "UTC", memorySearch: { provider: "none" } } } };
const memory = await openMemory({ workspace, stateDir, now, config });
const store = openSessionStore({ stateDir, now });
process.stdout.write("ready\\n");
const runTurn = async ({ tools }) => {
  for (let number = 0; number < 8; number++) {
    await tools[2].execute({ text: "- Fact " + number + " of the model.\\n- Fact " + number + " again in other words." });
  }
  return "NO_REPLY";
};
const { flushed } = await beforeCompact({ session: { key: "agent:main:main", store }, memory, runTurn, fallback: "extract", now });
process.stdout.write(flushed ? "flushed" : "not");
await memory.close();
`;

test("a flush that is killed at any moment loses nothing and writes nothing twice", async (t) => {
  const random = createRandom(97);
  for (let round = 0; round < 2; round++) {
    const { fixture, store, read } = await openFixture(t);
    for (let attempt = 0; attempt < 2; attempt++) {
      const child = startProgram(t, program, [fixture.workspace, fixture.stateDir]);
      const closed = once(child, "close");
      const delayMs = random() * 120;
      child.stdout!.once("data", () => setTimeout(() => child.kill("SIGKILL"), delayMs));
      await closed;
    }
    const { stdout, stderr } = await finish(startProgram(t, program, [fixture.workspace, fixture.stateDir]));
    assert.match(stdout, /flushed|already|not/, stderr);
    const lines = read()
      .split("\n")
      .filter((line) => line.startsWith("- "))
      .map((line) => line.replace(/ <!--.*/, ""));
    assert.equal(new Set(lines).size, lines.length, "no line is there twice");
    for (let number = 0; number < 8; number++)
      assert.ok(lines.includes(`- Fact ${number} of the model.`), read());
    assert.ok(lines.includes(`- ${decision}`));
    assert.equal((await store.get(key))?.memoryFlushCompactionCount, 0);
  }
});

test("in an adopted vault the turn names the vault's daily note, and nothing that it says is copied again", async (t) => {
  const fixture = makeMemoryFixture(t, { "Journal/2026-03-02.md": `- ${decision}\n` });
  const memory = await fixture.open({
    now,
    config: {
      agents: {
        defaults: {
          userTimezone: "UTC",
          notes: { include: "all", daily: "Journal/{date}.md" },
          memorySearch: { provider: "none" },
        },
      },
    },
  });
  const store = openSessionStore({ stateDir: fixture.stateDir, now });
  await store.append(key, { role: "user", content: `Hello there. ${decision}` });
  const asked = await runFlush({
    session: { key, store },
    memory,
    now,
    async runTurn({ prompt, path }) {
      assert.equal(path, "Journal/2026-03-02.md");
      assert.match(prompt, /Journal\/2026-03-02\.md/);
      return "NO_REPLY";
    },
  });
  assert.deepEqual(asked.problems, []);
  await store.append(key, { role: "user", content: decision });
  const copied = await beforeCompact({ session: { key, store }, memory, now, fallback: "extract" });
  assert.deepEqual(copied.written, []);
});
