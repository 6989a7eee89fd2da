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

async function openPlace(t: TestContext) {
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
    /** As another process: nothing is shared but files. */
    start: (more: Partial<TranscriptFlushOptions> = {}) =>
      createTranscriptFlush({ memory, progress: openFlushProgress(progressDir), ...more }),
    owed: () => openFlushProgress(progressDir).owed(),
    progressDir,
  };
}

test("what is owed when a process ends is written by the next one, once", async (t) => {
  const place = await openPlace(t);
  place.say(said("We decided to use PostgreSQL 17 for the ledger."));
  place.start().owe(place.session);
  place.say(compaction, said("We decided to use Redis 8 for the queue."));
  assert.equal(place.owed().length, 1);
  const { written, isComplete, problems } = await place.start().finish();
  assert.deepEqual([written.length, isComplete, problems], [1, true, []]);
  assert.deepEqual([place.count("PostgreSQL 17"), place.count("Redis 8")], [1, 0]);
  assert.deepEqual(place.owed(), []);
  assert.deepEqual((await place.start().finish()).written, []);
  assert.equal(place.count("PostgreSQL 17"), 1);
});

test("a sentence that was removed from the notes after its flush does not come back", async (t) => {
  const place = await openPlace(t);
  place.say(said("We decided to use PostgreSQL 17 for the ledger."));
  place.start().begin(place.session);
  place.start().owe(place.session);
  await place.start().finish();
  rmSync(place.folder.at("notes/memory"), { recursive: true });
  place.say(compaction, said("We decided to use Redis 8 for the queue."));
  place.start().owe(place.session);
  await place.start().finish();
  assert.deepEqual([place.count("PostgreSQL 17"), place.count("Redis 8")], [0, 1]);
});

test("a compaction whose hook never ran is made good, in a session that was begun and in one that was not", async (t) => {
  for (const isBegun of [true, false]) {
    const place = await openPlace(t);
    place.say(said("We decided to use SQLite for everything."), isBegun ? "" : compaction);
    if (isBegun) place.start().begin(place.session);
    place.say(said("We decided to use PostgreSQL 17 for the ledger."), compaction, said("Go on."));
    place.start().oweCompacted(place.session);
    await place.start().finish();
    assert.equal(place.count("PostgreSQL 17"), 1, `${isBegun}`);
    assert.equal(
      place.count("SQLite"),
      isBegun ? 1 : 0,
      "what came before the session is not looked at again",
    );
    place.start().oweCompacted(place.session);
    assert.deepEqual(place.owed(), []);
  }
});

test("two compactions that nothing was written of are both made good", async (t) => {
  const place = await openPlace(t);
  place.say(said("We decided to use PostgreSQL 17 for the ledger."));
  place.start().owe(place.session);
  place.say(compaction, said("We decided to use Redis 8 for the queue."));
  place.start().owe(place.session);
  await place.start().finish();
  assert.deepEqual([place.count("PostgreSQL 17"), place.count("Redis 8")], [1, 1]);
});

test("with no time to read everything, what was found is written and the rest stays owed", async (t) => {
  const place = await openPlace(t);
  place.say(said("We decided to use PostgreSQL 17 for the ledger."));
  const filler = "Look at this file again and run it, then tell me what you see there. ".repeat(20);
  place.say(...Array.from({ length: 3000 }, (_, number) => said(`${number} ${filler}`)));
  place.start().owe(place.session);
  const hurried = await place.start({ readUntil: AbortSignal.abort() }).finish();
  assert.equal(hurried.isComplete, false);
  assert.match(hurried.problems.join(), /were not read for lack of time/);
  assert.equal(place.owed().length, 1);
  assert.equal((await place.start().finish()).isComplete, true);
  assert.equal(place.count("PostgreSQL 17"), 1);
});

test("the sentences are written to the notes of the workspace in which they were said", async (t) => {
  const place = await openPlace(t);
  place.say(said("We decided to use PostgreSQL 17 for the ledger."));
  place.start().owe(place.session);
  place.folder.write("other/MEMORY.md", "# Memory\n");
  await using other = await openMemory({
    workspace: place.folder.at("other"),
    stateDir: place.folder.at("state"),
  });
  assert.deepEqual((await place.start({ memory: other }).finish()).written, []);
  assert.equal(place.owed().length, 1);
  await place.start().finish();
  assert.equal(place.count("PostgreSQL 17"), 1);
});

test("a transcript that is gone, and records that were damaged, end in words and keep nothing else waiting", async (t) => {
  const place = await openPlace(t);
  place.say(said("We decided to use PostgreSQL 17 for the ledger."));
  const gone = place.folder.write("gone.jsonl", said("We decided to use Redis 8 for the queue."));
  place.start().owe({ transcript: gone });
  place.start().owe(place.session);
  rmSync(gone);
  writeFileSync(`${place.progressDir}/damaged.owed.json`, "{ half");
  const { problems, written } = await place.start().finish();
  assert.deepEqual([problems, written.length], [[`there is no transcript at ${gone}`], 1]);
  assert.deepEqual((await place.start().finish()).problems, []);
});

test("a file that was replaced by a shorter one is read from its beginning", async (t) => {
  const place = await openPlace(t);
  place.say(said("Hello, look at all of this again for me please, and then go on."));
  place.start().begin(place.session);
  place.start().owe(place.session);
  await place.start().finish();
  writeFileSync(place.session.transcript, said("I prefer tea."));
  place.start().owe(place.session);
  await place.start().finish();
  assert.equal(place.count("I prefer tea."), 1);
});

test("a line that the host is still writing does not cost those before it", async (t) => {
  const place = await openPlace(t);
  const half = said("We decided to use Redis 8 for the queue.");
  place.say(said("We decided to use PostgreSQL 17 for the ledger."), half.slice(0, 60));
  place.start().owe(place.session);
  assert.equal((await place.start().finish()).isComplete, true);
  assert.deepEqual([place.count("PostgreSQL 17"), place.count("Redis 8")], [1, 0]);
  place.say(half.slice(60));
  place.start().owe(place.session);
  await place.start().finish();
  assert.deepEqual([place.count("PostgreSQL 17"), place.count("Redis 8")], [1, 1]);
});

test("half a character and control characters do not keep a sentence out of the notes", async (t) => {
  const place = await openPlace(t);
  place.say(
    said("We decided to use PostgreSQL 17 for the ledger \ud83d."),
    said("We decided to use \u001b[1mRedis 8\u001b[0m for the queue.\u0000"),
  );
  place.start().owe(place.session);
  const { isComplete, problems } = await place.start().finish();
  assert.deepEqual([isComplete, problems], [true, []]);
  assert.deepEqual([place.count("PostgreSQL 17"), place.count("Redis 8")], [1, 1]);
});
