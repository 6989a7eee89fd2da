import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { openMemory } from "../memory/open-memory.ts";
import { openFlushProgress } from "./flush-progress.ts";
import { createTranscriptFlush, type TranscriptFlushOptions } from "./flush-transcript.ts";

const said = (content: string, more: object = {}) =>
  `${JSON.stringify({ type: "user", uuid: "u", message: { role: "user", content }, ...more })}\n`;
const compaction = said("The summary of what was before.", { isCompactSummary: true });

async function openFixture(t: TestContext) {
  const folder = makeTemporaryFolder(t);
  folder.write("notes/MEMORY.md", "# Memory\n");
  const workspace = folder.at("notes");
  const memory = await openMemory({ workspace, stateDir: folder.at("state") });
  t.after(() => memory.close());
  const progressDir = folder.at("flushes");
  const session = { transcript: folder.write("t.jsonl", ""), sessionId: "s1" };
  const notes = () =>
    existsSync(folder.at("notes/memory"))
      ? readdirSync(folder.at("notes/memory"))
          .map((name) => readFileSync(folder.at(`notes/memory/${name}`), "utf8"))
          .join("\n")
      : "";
  return {
    folder,
    memory,
    session,
    say: (...lines: string[]) => appendFileSync(session.transcript, lines.join("")),
    count: (text: string) => notes().split(text).length - 1,
    /** Simulates another process: only files are shared. */
    start: (more: Partial<TranscriptFlushOptions> = {}) =>
      createTranscriptFlush({ memory, progress: openFlushProgress(progressDir), ...more }),
    pending: () => openFlushProgress(progressDir).pending(),
    progressDir,
  };
}

test("sentences pending when a process ends are written once by the next one", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  fixture.start().markPending(fixture.session);
  fixture.say(compaction, said("We decided to use Redis 8 for the queue."));
  assert.equal(fixture.pending().length, 1);
  const { written, isComplete, problems } = await fixture.start().finish();
  assert.deepEqual([written.length, isComplete, problems], [1, true, []]);
  assert.deepEqual([fixture.count("PostgreSQL 17"), fixture.count("Redis 8")], [1, 0]);
  assert.deepEqual(fixture.pending(), []);
  assert.deepEqual((await fixture.start().finish()).written, []);
  assert.equal(fixture.count("PostgreSQL 17"), 1);
});

test("a sentence that was removed from the notes after its flush does not come back", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  fixture.start().begin(fixture.session);
  fixture.start().markPending(fixture.session);
  await fixture.start().finish();
  rmSync(fixture.folder.at("notes/memory"), { recursive: true });
  fixture.say(compaction, said("We decided to use Redis 8 for the queue."));
  fixture.start().markPending(fixture.session);
  await fixture.start().finish();
  assert.deepEqual([fixture.count("PostgreSQL 17"), fixture.count("Redis 8")], [0, 1]);
});

test("a compaction whose hook never ran is caught up on, in known and in new sessions", async (t) => {
  for (const isBegun of [true, false]) {
    const fixture = await openFixture(t);
    fixture.say(said("We decided to use SQLite for everything."), isBegun ? "" : compaction);
    if (isBegun) fixture.start().begin(fixture.session);
    fixture.say(said("We decided to use PostgreSQL 17 for the ledger."), compaction, said("Go on."));
    fixture.start().markCompactedPending(fixture.session);
    await fixture.start().finish();
    assert.equal(fixture.count("PostgreSQL 17"), 1, `${isBegun}`);
    assert.equal(
      fixture.count("SQLite"),
      isBegun ? 1 : 0,
      "what came before the session is not looked at again",
    );
    fixture.start().markCompactedPending(fixture.session);
    assert.deepEqual(fixture.pending(), []);
  }
});

test("two compactions without a flush are both caught up on", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  fixture.start().markPending(fixture.session);
  fixture.say(compaction, said("We decided to use Redis 8 for the queue."));
  fixture.start().markPending(fixture.session);
  await fixture.start().finish();
  assert.deepEqual([fixture.count("PostgreSQL 17"), fixture.count("Redis 8")], [1, 1]);
});

test("without time to read everything, the sentences found are written and the rest stays pending", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  const filler = "Look at this file again and run it, then tell me what you see there. ".repeat(20);
  fixture.say(...Array.from({ length: 3000 }, (_, number) => said(`${number} ${filler}`)));
  fixture.start().markPending(fixture.session);
  const hurried = await fixture.start({ readUntil: AbortSignal.abort() }).finish();
  assert.equal(hurried.isComplete, false);
  assert.match(hurried.problems.join(), /were not read for lack of time/);
  assert.equal(fixture.pending().length, 1);
  assert.equal((await fixture.start().finish()).isComplete, true);
  assert.equal(fixture.count("PostgreSQL 17"), 1);
});

test("a flush that runs out of time each time continues where it stopped, and finally completes", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  const filler = "Look at this file again and run it, then tell me what you see there. ".repeat(20);
  fixture.say(...Array.from({ length: 1500 }, (_, number) => said(`${number} ${filler}`)));
  fixture.start().markPending(fixture.session);
  const read = [];
  while (!(await fixture.start({ readUntil: AbortSignal.abort() }).finish()).isComplete) {
    read.push(fixture.pending()[0]!.read!.turns);
    assert.ok(read.length <= 1501, "each time at least one message is read");
  }
  assert.ok(read.length > 0, "it ran out of time at least once");
  assert.deepEqual(
    read,
    read.toSorted((a, b) => a - b),
  );
  assert.equal(fixture.count("PostgreSQL 17"), 1);
  assert.equal(openFlushProgress(fixture.progressDir).get(fixture.session.transcript)!.read, undefined);
});

test("a copy of a transcript is removed when it is flushed, and kept until then", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  const copy = { ...fixture.session, isCopy: true };
  fixture.start().markPending(copy);
  assert.ok(existsSync(copy.transcript));
  assert.equal((await fixture.start().finish()).isComplete, true);
  assert.equal(fixture.count("PostgreSQL 17"), 1);
  assert.ok(!existsSync(copy.transcript));
  assert.deepEqual(readdirSync(fixture.progressDir), []);
});

test("the sentences are written to the notes of the workspace in which they were said", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  fixture.start().markPending(fixture.session);
  fixture.folder.write("other/MEMORY.md", "# Memory\n");
  await using other = await openMemory({
    workspace: fixture.folder.at("other"),
    stateDir: fixture.folder.at("state"),
  });
  assert.deepEqual((await fixture.start({ memory: other }).finish()).written, []);
  assert.equal(fixture.pending().length, 1);
  await fixture.start().finish();
  assert.equal(fixture.count("PostgreSQL 17"), 1);
});

test("a missing transcript and damaged records are reported, and do not block other flushes", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."));
  const gone = fixture.folder.write("gone.jsonl", said("We decided to use Redis 8 for the queue."));
  fixture.start().markPending({ transcript: gone });
  fixture.start().markPending(fixture.session);
  rmSync(gone);
  writeFileSync(`${fixture.progressDir}/damaged.pending.json`, "{ half");
  const { problems, written } = await fixture.start().finish();
  assert.deepEqual([problems, written.length], [[`there is no transcript at ${gone}`], 1]);
  assert.deepEqual((await fixture.start().finish()).problems, []);
});

test("a file that was replaced by a shorter one is read from its beginning", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(said("Hello, look at all of this again for me please, and then go on."));
  fixture.start().begin(fixture.session);
  fixture.start().markPending(fixture.session);
  await fixture.start().finish();
  writeFileSync(fixture.session.transcript, said("I prefer tea."));
  fixture.start().markPending(fixture.session);
  await fixture.start().finish();
  assert.equal(fixture.count("I prefer tea."), 1);
});

test("a line that the host is still writing does not affect those before it", async (t) => {
  const fixture = await openFixture(t);
  const half = said("We decided to use Redis 8 for the queue.");
  fixture.say(said("We decided to use PostgreSQL 17 for the ledger."), half.slice(0, 60));
  fixture.start().markPending(fixture.session);
  assert.equal((await fixture.start().finish()).isComplete, true);
  assert.deepEqual([fixture.count("PostgreSQL 17"), fixture.count("Redis 8")], [1, 0]);
  fixture.say(half.slice(60));
  fixture.start().markPending(fixture.session);
  await fixture.start().finish();
  assert.deepEqual([fixture.count("PostgreSQL 17"), fixture.count("Redis 8")], [1, 1]);
});

test("lone surrogates and control characters do not keep a sentence out of the notes", async (t) => {
  const fixture = await openFixture(t);
  fixture.say(
    said("We decided to use PostgreSQL 17 for the ledger \ud83d."),
    said("We decided to use \u001b[1mRedis 8\u001b[0m for the queue.\u0000"),
  );
  fixture.start().markPending(fixture.session);
  const { isComplete, problems } = await fixture.start().finish();
  assert.deepEqual([isComplete, problems], [true, []]);
  assert.deepEqual([fixture.count("PostgreSQL 17"), fixture.count("Redis 8")], [1, 1]);
});
