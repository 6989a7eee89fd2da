import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readOptions } from "../../examples/agent/options.ts";
import { openSessionStore } from "../../src/open-session-store.ts";
import { type ChatRequest, type ChatServerOptions, openChatServer } from "../support/chat-server.ts";
import { finish } from "../support/child-process.ts";
import { homeVariables } from "../support/platform.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = path.join(import.meta.dirname, "..", "..");
const loader = pathToFileURL(path.join(root, "scripts", "longhand-from-source.ts"));
const program = path.join(root, "examples", "agent", "chat.ts");
const apiKey = "test-key-of-this-server";

const decision = "We decided that the harbour of Visby gets gauge firmware 4.2 in May.";
const privateLine = "The spare keys hang behind the boiler.";
const mainKey = "agent:main:main";

/** Small talk that is not worth keeping: only the planted decision is. */
const chatter = Array.from({ length: 20 }, (_, number) =>
  `Tell me another story (${number + 1}) about rain and the colour of water. `.repeat(30).trim(),
);
const talk = (from: number, to: number) => chatter.slice(from, to);

interface FixtureOptions extends Partial<Omit<ChatServerOptions, "answer">> {
  answer?(request: ChatRequest, child: ChildProcess | undefined): ReturnType<ChatServerOptions["answer"]>;
}

async function openAgentFixture(t: TestContext, options: FixtureOptions = {}) {
  const folder = makeTemporaryFolder(t);
  const workspace = folder.makeFolder("notes");
  const stateDir = folder.makeFolder("state");
  folder.write("notes/MEMORY.md", `# Memory\n\n- ${privateLine}\n`);
  let current: ChildProcess | undefined;
  const server = await openChatServer(t, {
    contextWindow: 8000,
    apiKey,
    ...options,
    answer: (request) => options.answer?.(request, current) ?? answerPlainly(request),
  });

  function start(lines: readonly string[], flags: readonly string[] = []): ChildProcess {
    const given = ["--model", "script", "--workspace", workspace, "--state-dir", stateDir];
    const argv = ["--import", loader.href, program, ...given, "--context-window", "7850", ...flags];
    const env = { PATH: process.env["PATH"], ...homeVariables(folder.dir), TZ: "UTC" };
    const child = spawn(process.execPath, argv, {
      cwd: folder.dir,
      env: { ...env, OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: server.url },
      stdio: ["pipe", "pipe", "pipe"],
    });
    t.after(() => child.kill("SIGKILL"));
    child.stdin.on("error", () => {});
    child.stdin.end(lines.map((line) => `${line}\n`).join(""));
    current = child;
    return child;
  }

  return {
    server,
    folder,
    run: (lines: readonly string[], ...flags: string[]) => finish(start(lines, flags)),
    store: openSessionStore({ stateDir }),
    /** All daily notes, so that midnight does not matter. */
    notes: () =>
      readdirSync(workspace, { recursive: true, encoding: "utf8" })
        .filter((name) => /^memory.\d{4}-\d{2}-\d{2}\.md$/.test(name))
        .map((name) => readFileSync(path.join(workspace, name), "utf8"))
        .join("\n"),
    of: (kind: ChatRequest["kind"]) => server.requests.filter((request) => request.kind === kind),
  };
}

function answerPlainly({ kind, last, messages }: ChatRequest): ReturnType<ChatServerOptions["answer"]> {
  if (kind === "summary") return { say: "They told each other stories about rain." };
  if (kind === "flush") return { say: "NO_REPLY" };
  if (last.role === "tool") return { say: `Memory says: ${last.content}` };
  if (/^Which firmware/.test(last.content)) return { call: "memory_search", input: { query: last.content } };
  return { say: `Story ${messages.length}: it rained, and the water was grey. `.repeat(6).trim() };
}

const rememberIt: NonNullable<FixtureOptions["answer"]> = (request) =>
  request.kind === "flush" && request.last.role === "user"
    ? { call: "memory_add", input: { text: `- ${decision} Linnea installs it.` } }
    : answerPlainly(request);

const countOf = (text: string, part: string) => text.split(part).length - 1;
/** Counts silent turns, not the steps in them. */
const turnsOf = (requests: readonly ChatRequest[]) => requests.filter(({ last }) => last.role === "user");

for (const [who, answer] of [
  ["the model writes it down", rememberIt],
  ["the model forgets it", answerPlainly],
] as const) {
  test(`a decision outlives the compaction of its conversation when ${who}`, async (t) => {
    const { server, run, store, notes, of } = await openAgentFixture(t, { answer });
    const first = await run(["Good morning.", decision, ...talk(0, 10)]);
    assert.deepEqual([first.code, server.faults], [0, []], first.stderr);
    assert.match(first.stderr, /Compacted \d+ messages/);
    assert.equal(countOf(notes(), "gauge firmware 4.2"), 1, notes());
    assert.equal(/Linnea/.test(notes()), answer === rememberIt);
    const begin = of("chat")[0]!;
    assert.ok(begin.system.includes(privateLine), "the agent has read MEMORY.md");
    assert.match(begin.system, /## Memory Recall/);
    assert.deepEqual(begin.tools, ["memory_search", "memory_get", "memory_add"]);
    const after = of("chat").at(-1)!;
    assert.ok(!JSON.stringify(after.messages).includes("firmware"), "the decision was compacted away");
    assert.match(after.system, /## Earlier in this conversation\n\nThey told each other stories/);

    // Another process continues the same conversation, until it is compacted once more.
    const second = await run(talk(10, 18));
    assert.deepEqual([second.code, server.faults], [0, []], second.stderr);
    const { compactionCount = 0, memoryFlushCompactionCount } = (await store.get(mainKey))!;
    assert.ok(compactionCount >= 2, `${compactionCount} compactions`);
    const flushes = turnsOf(of("flush")).length;
    assert.ok(flushes >= 2 && flushes === memoryFlushCompactionCount! + 1, `asked ${flushes} times`);
    assert.equal(countOf(notes(), "gauge firmware 4.2"), 1, "nothing is written twice");

    const before = server.requests.length;
    const third = await run(["Which firmware does Visby get?"], "--new");
    assert.deepEqual([third.code, server.faults], [0, []], third.stderr);
    const [asked, answered] = server.requests.slice(before);
    assert.equal(asked!.messages.length, 1, "a new conversation");
    assert.ok(asked!.system.includes(privateLine) && asked!.system.includes(decision));
    assert.match(answered!.last.content, /not as instructions/);
    assert.ok(answered!.last.content.includes(decision), "memory_search finds it");
    assert.match(third.stdout, /Memory says: .*gauge firmware 4\.2/s);
  });
}

test("a group never sees MEMORY.md, whatever the model asks for", async (t) => {
  const asks = [
    { call: "memory_get", input: { path: "MEMORY.md" } },
    { call: "memory_search", input: { query: "Where do the spare keys hang?", minScore: 0 } },
  ];
  const { server, run, notes, of } = await openAgentFixture(t, {
    answer: (request) =>
      request.kind === "chat" ? (asks.shift() ?? answerPlainly(request)) : answerPlainly(request),
  });
  const group = ["--session", "agent:main:harbour:group:7"];
  const { code, stderr } = await run(["Where are the keys?", decision, ...talk(0, 9)], ...group);
  assert.deepEqual([code, server.faults, asks], [0, [], []], stderr);
  assert.ok(of("flush").length > 0);
  assert.match(of("chat")[0]!.system, /Do not mention paths/);
  for (const { body } of server.requests) assert.ok(!body.includes("boiler"));
  assert.equal(countOf(notes(), "gauge firmware 4.2"), 1, "what a group decides is kept all the same");
});

test("a request that does not fit is shortened: sentences are kept, the rest is summarised, and the answer arrives", async (t) => {
  const { server, run, store, notes, of } = await openAgentFixture(t, {
    countsTokens: false,
    contextWindow: 5000,
  });
  const lines = ["Good morning.", decision, ...talk(0, 9)];
  const { code, stdout, stderr } = await run(lines, "--context-window", "1000000");
  assert.deepEqual([code, server.faults], [0, []], stderr);
  assert.ok(server.refused.length > 0);
  assert.equal(stdout.trim().split("\n").length, lines.length, "every line was answered");
  assert.equal(of("flush").length, 0, "there is no room to ask the model");
  assert.equal(countOf(notes(), "gauge firmware 4.2"), 1);
  const entry = (await store.get(mainKey))!;
  assert.ok(entry.compactionCount! >= 1);
  const { body } = of("chat").at(-1)!;
  const estimated = Math.abs(entry.inputTokens! - Buffer.byteLength(body) / 4);
  assert.ok(estimated < 2, "tokens are estimated where the endpoint counts none");
});

test("an agent that is killed before, in or after the silent turn continues where it stopped", {
  concurrency: true,
}, async (t) => {
  const moments: Record<string, (request: ChatRequest) => boolean> = {
    "when the model is asked": ({ kind, last }) => kind === "flush" && last.role === "user",
    "when it has written": ({ kind, last }) => kind === "flush" && last.role === "tool",
    "when the summary is written": ({ kind }) => kind === "summary",
  };
  const trials = Object.entries(moments).map(async ([name, isMoment]) => {
    await t.test(name, async (t) => {
      let isArmed = true;
      const { server, run, store, notes, of } = await openAgentFixture(t, {
        answer(request, child) {
          if (!isArmed || !isMoment(request)) return rememberIt(request, child);
          isArmed = false;
          child!.kill("SIGKILL");
          return "silence";
        },
      });
      const lines = ["Good morning.", decision, ...talk(0, 9)];
      const killed = await run(lines);
      assert.equal(killed.signal, "SIGKILL", killed.stderr);
      const history = (await store.history(mainKey))!;
      const said = history.messages.filter(({ role }) => role === "user").map(({ content }) => content);
      assert.deepEqual(said, lines.slice(0, said.length), "nothing that was said is lost");
      const isRecorded = (await store.get(mainKey))!.memoryFlushCompactionCount === 0;
      assert.equal(isRecorded, name === "when the summary is written");

      const again = await run([]);
      assert.deepEqual([again.code, server.faults], [0, []], again.stderr);
      assert.equal(countOf(notes(), "gauge firmware 4.2"), 1, notes());
      assert.equal((await store.get(mainKey))!.memoryFlushCompactionCount, 0);
      const asked = turnsOf(of("flush")).length;
      assert.equal(asked, isRecorded ? 1 : 2);
      await run(["Thank you."]);
      assert.equal(turnsOf(of("flush")).length, asked, "not asked a third time");
      assert.deepEqual(server.faults, []);
    });
  });
  await Promise.all(trials);
});

test("invalid options are refused, and the error says what would be valid", () => {
  const refused: [argv: string[], message: RegExp][] = [
    [[], /Which model\?/],
    [["--model", "x", "--colour"], /Unknown option '--colour'\.$/],
    [["--model", "x", "--context-window", "12"], /4000 or more/],
    [["--model", "x", "--base-url", "localhost"], /begins with http/],
  ];
  for (const [argv, message] of refused) {
    assert.throws(() => readOptions(argv, {}), { name: "Error", message }, argv.join(" "));
  }
  assert.equal(readOptions(["--help"], {}), null);
  const fromEnvironment = { OPENAI_MODEL: "a", OPENAI_BASE_URL: "http://b/v1", OPENAI_API_KEY: "c" };
  const { modelId, baseUrl, apiKey: key } = readOptions(["--model", "d"], fromEnvironment)!;
  assert.deepEqual([modelId, baseUrl, key], ["d", "http://b/v1", "c"]);
});

test("a failure is reported in a sentence or two, without the key and without a stack trace", async (t) => {
  const { run, folder, server } = await openAgentFixture(t, { apiKey: "another" });
  const { port } = await findClosedPort();
  const cases: [flags: string[], code: number, message: RegExp][] = [
    [["--context-window", "12"], 2, /4000 or more.*Usage/s],
    [["--workspace", folder.at("nowhere")], 1, /nowhere/],
    [["--base-url", `http://127.0.0.1:${port}`], 1, /cannot be reached: ECONNREFUSED.*--base-url/],
    [["--base-url", server.url], 1, /status 401: Wrong key: Bearer \[key\].*Check OPENAI_API_KEY/],
  ];
  for (const [flags, code, message] of cases) {
    const { code: exitCode, stderr } = await run(["Hello."], ...flags);
    assert.equal(exitCode, code, `${flags}: ${stderr}`);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.ok(!stderr.includes(apiKey));
  }
});

async function findClosedPort(): Promise<{ port: number }> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { port };
}

test("a message whose turn failed is answered together with the next one", async (t) => {
  let isDown = true;
  const { server, run } = await openAgentFixture(t, {
    answer: (request) => (isDown ? { status: 400, error: { message: "not today" } } : answerPlainly(request)),
  });
  const failed = await run(["One."]);
  assert.match(failed.stderr, /not today/);
  isDown = false;
  const { code } = await run(["Two."]);
  assert.equal(code, 0);
  assert.equal(server.requests.at(-1)!.last.content, "One.\n\nTwo.");
  assert.deepEqual(server.faults, []);
});

test("a message that is too long by itself is refused, and the conversation continues after it", async (t) => {
  const { server, run, of } = await openAgentFixture(t, { contextWindow: 5000 });
  const { stdout, stderr } = await run([talk(0, 15).join(" "), "Good morning."]);
  assert.match(stderr, /too long for the model's context window, even alone/);
  assert.match(stdout, /^Story 1: /);
  assert.ok(of("summary").length >= 2, "it is summarised in parts");
  assert.equal(of("chat").at(-1)!.last.content, "Good morning.");
  assert.deepEqual(server.faults, []);
});
