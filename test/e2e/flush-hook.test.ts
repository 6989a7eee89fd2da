import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { hookEvents } from "../../src/cli/hooks/answers.ts";
import { localTime } from "../../src/notes/local-time.ts";
import { finish } from "../support/child-process.ts";
import { openCliFixture } from "../support/run-cli.ts";

/*
 * The flush as hosts run it: what is about to be compacted away reaches today's note, whatever happens to the hook.
 */

/** Enough time on a busy machine. */
const patient = ["--within", "120"];

async function openHookFixture(t: TestContext) {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Memory\n");
  await fixture.trust();
  const noteFile = path.join(fixture.project, "memory", `${localTime(new Date(), "UTC").day}.md`);
  return {
    ...fixture,
    note: () => (existsSync(noteFile) ? readFileSync(noteFile, "utf8") : ""),
    count(text: string) {
      return this.note().split(text).length - 1;
    },
    async hook(event: string, input: object) {
      const text = JSON.stringify({ cwd: fixture.project, session_id: "s1", ...input });
      const result = await fixture.runWith({ cwd: fixture.home, input: text }, "hook", event, ...patient);
      assert.equal(result.code, 0, result.stderr);
      return result;
    },
  };
}

const claude = (content: string, more: object = {}) =>
  `${JSON.stringify({ type: "user", uuid: "u", sessionId: "s1", message: { role: "user", content }, ...more })}\n`;
const summary = claude("The summary.", { isCompactSummary: true });
const decision = "We decided to use PostgreSQL 17 for the ledger.";

test("a decision is in today's note when the hook exits, and the index is not opened for it", async (t) => {
  const fixture = await openHookFixture(t);
  const transcript = fixture.write("t.jsonl", claude(decision));
  const { stdout, stderr } = await fixture.hook("pre-compact", {
    transcript_path: transcript,
    trigger: "auto",
  });
  assert.equal(stderr, "");
  assert.match(stdout, /^Keep in the summary.*Sentences from this conversation were also kept/s);
  assert.equal(fixture.count(decision), 1);
  assert.ok(!existsSync(path.join(fixture.stateDir, "memory")), "there is no index yet");
  const { results } = (await fixture.json("search", "which database for the ledger?")).value as {
    results: object[];
  };
  assert.equal(results.length > 0, true, "the next search takes it in");
});

test("a hook that is killed immediately loses nothing: the next session start completes it, once", async (t) => {
  const fixture = await openHookFixture(t);
  const transcript = fixture.write("t.jsonl", claude(decision));
  const child = fixture.start({ keepInputOpen: true }, "hook", "pre-compact");
  child.kill("SIGKILL");
  await finish(child);
  appendFileSync(transcript, summary);
  for (const source of ["compact", "resume", "compact"]) {
    const { stdout } = await fixture.hook("session-start", { transcript_path: transcript, source });
    assert.match(stdout, /PostgreSQL 17/, "it is part of what the session begins with");
    assert.equal(fixture.count(decision), 1);
  }
});

test("a server completes pending flushes when it starts", async (t) => {
  const fixture = await openHookFixture(t);
  const transcript = fixture.write("t.jsonl", claude(decision));
  await fixture.hook("session-start", { transcript_path: transcript, source: "startup" });
  const agents = path.join(fixture.stateDir, "agents");
  const folder = path.join(agents, readdirSync(agents)[0]!, "flushes");
  const [name] = readdirSync(folder);
  const record = JSON.parse(readFileSync(path.join(folder, name!), "utf8")) as object;
  const pending = { ...record, pending: [readFileSync(transcript).length] };
  writeFileSync(path.join(folder, name!.replace(".json", ".pending.json")), JSON.stringify(pending));
  const { code, stderr } = await fixture.runWith({ input: "" }, "mcp");
  assert.equal(code, 0, stderr);
  assert.equal(fixture.count(decision), 1);
});

test("Gemini CLI asks before every request: nothing is written or shown until it has compacted", async (t) => {
  const fixture = await openHookFixture(t);
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const said = (id: string, type: string, text: string) =>
    line({ id, type, timestamp: "2026-11-15T21:24:31.884Z", content: [{ text }] });
  const head = line({
    sessionId: "s1",
    projectHash: "p",
    startTime: "2026-11-15T21:24:31.840Z",
    kind: "main",
  });
  const transcript = fixture.write(
    "session-2026-11-15T21-24-f913b866.jsonl",
    head + said("a", "user", decision),
  );
  const ask = (trigger: string) =>
    fixture.hook("pre-compact", {
      hook_event_name: "PreCompress",
      timestamp: new Date().toISOString(),
      trigger,
      transcript_path: transcript,
    });
  for (let turn = 0; turn < 2; turn++) {
    assert.deepEqual([(await ask("auto")).stdout, fixture.note()], ["", ""]);
    appendFileSync(transcript, said(`g${turn}`, "gemini", "I see."));
  }
  const snapshot = {
    id: "c",
    type: "user",
    content: [{ text: "<state_snapshot>The ledger.</state_snapshot>" }],
  };
  appendFileSync(transcript, line({ $set: { messages: [snapshot] } }) + said("b", "user", "Go on."));
  assert.equal((await ask("auto")).stdout, "");
  assert.equal(fixture.count(decision), 1);
  appendFileSync(transcript, said("d", "user", "The codename of the release is heron-lagoon."));
  assert.match((await ask("manual")).stdout, /^Keep in the summary/);
  assert.deepEqual([fixture.count("heron-lagoon"), fixture.count(decision)], [1, 1]);
});

test("hosts grant more time than a hook takes on its own", async (t) => {
  const fixture = await openHookFixture(t);
  await fixture.run("init", "--claude-code");
  const { hooks } = JSON.parse(
    readFileSync(path.join(fixture.project, ".claude", "settings.json"), "utf8"),
  ) as {
    hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
  };
  const commands = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  assert.equal(commands.length, 4);
  for (const { command, timeout } of commands) {
    const [, event, within] = /hook (\S+)(?: --within (\d+))?/.exec(command)!;
    assert.ok(Number(within ?? hookEvents[event!]!.withinSeconds) < timeout, event);
  }
});

test("a hook that runs out of time reports it, and the rest is completed later", async (t) => {
  const fixture = await openHookFixture(t);
  const filler = "Look at this file again and run it, then tell me what you see there. ".repeat(40);
  const lines = Array.from({ length: 2500 }, (_, number) => claude(`${number} ${filler}`)).join("");
  const transcript = fixture.write("t.jsonl", claude(decision) + lines);
  const input = JSON.stringify({ cwd: fixture.project, session_id: "s1", transcript_path: transcript });
  const { code, stdout } = await fixture.runWith({ input }, "hook", "pre-compact", "--within", "1");
  assert.equal(code, 0);
  assert.match(stdout, /could not save all key sentences|Keep in the summary|^$/);
  writeFileSync(transcript, readFileSync(transcript, "utf8") + summary);
  await fixture.hook("session-start", { transcript_path: transcript, source: "compact" });
  assert.equal(fixture.count(decision), 1);
});
