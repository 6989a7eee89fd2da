import assert from "node:assert/strict";
import { chmodSync, rmSync } from "node:fs";
import { test } from "node:test";
import { asOrdinaryUser } from "../../../test/support/ordinary-user.ts";
import { skipWithoutModes } from "../../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSessions } from "./sessions.ts";
import { createTranscripts } from "./transcripts.ts";

test("Titles of known transcripts are read without listing all of them again", async (t) => {
  const folder = makeTemporaryFolder(t);
  const say = (text: string) =>
    `${JSON.stringify({ type: "user", sessionId: "s", message: { role: "user", content: text } })}\n`;
  folder.write("first.jsonl", say("Where do we keep the invoices?"));
  folder.write("second.jsonl", say("Which port does staging use?"));
  const transcripts = createTranscripts({
    sessionsDir: folder.dir,
    literals: [],
    readDatabase: () => null,
  });
  let listings = 0;
  const { titlesOf } = createSessions({
    transcripts: {
      ...transcripts,
      find: () => {
        listings++;
        return transcripts.find();
      },
    },
    dayOf: (moment) => moment.toISOString().slice(0, 10),
    locations: () => assert.fail("no place is needed for a title"),
    withLock: async (work) => work(),
    indexed: async () => new Map(),
  });

  assert.deepEqual(await titlesOf([]), new Map());
  assert.equal(listings, 0);
  const first = new Map([["sessions/first.jsonl", "Where do we keep the invoices?"]]);
  assert.deepEqual(await titlesOf([...first.keys()]), first);
  assert.deepEqual(await titlesOf(["sessions/second.jsonl", ...first.keys()]).then((all) => all.size), 2);
  assert.equal(listings, 1);

  folder.write("third.jsonl", say("Who reviews the contract?"));
  assert.deepEqual(
    await titlesOf(["sessions/third.jsonl"]),
    new Map([["sessions/third.jsonl", "Who reviews the contract?"]]),
  );
  rmSync(folder.at("first.jsonl"));
  assert.deepEqual(await titlesOf([...first.keys()]), new Map());
});

test("An unreadable sessions folder is reported, and everything else continues", {
  skip: skipWithoutModes,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("closed/sessions.json", "{}");
  const transcripts = createTranscripts({
    sessionsDir: folder.at("closed"),
    literals: [],
    readDatabase: () => null,
  });
  chmodSync(folder.at("closed"), 0);
  const { found, skipped } = await asOrdinaryUser(() => transcripts.find());
  chmodSync(folder.at("closed"), 0o700);
  assert.deepEqual([found.length, skipped[0]?.reason], [0, "unreadable"]);
});

test("A conversation of one message in the session store is listed in the store's own format", async (t) => {
  const folder = makeTemporaryFolder(t);
  const history = {
    sessionId: "s",
    version: 2,
    messages: [{ role: "user", content: "When do we ship?", timestamp: 1700000000000 }],
  };
  // As the store writes it: one message per line.
  const lines = JSON.stringify(history).replace(/(?<=\[)(.*)(?=\])/, "\n    $1\n  ");
  folder.write("chats/s.json5", `${lines}\n`);
  const sessions = createSessions({
    transcripts: createTranscripts({ sessionsDir: folder.dir, literals: [], readDatabase: () => null }),
    dayOf: (moment) => moment.toISOString().slice(0, 10),
    locations: () => assert.fail("no place is needed for a list"),
    withLock: async (work) => work(),
    indexed: async () => new Map(),
  });
  assert.deepEqual(
    (await sessions.list()).map(({ format }) => format),
    ["longhand"],
  );
});

test("A shown turn keeps its lines and their indentation, and its title is one line", async (t) => {
  const folder = makeTemporaryFolder(t);
  const content = "Two steps:\r\n- stop  \n  - wait\n\n\n\n- start\u0007\n";
  folder.write(
    "steps.jsonl",
    `${JSON.stringify({ type: "user", sessionId: "s", message: { role: "user", content } })}\n`,
  );
  const { show } = createSessions({
    transcripts: createTranscripts({ sessionsDir: folder.dir, literals: [], readDatabase: () => null }),
    dayOf: (moment) => moment.toISOString().slice(0, 10),
    locations: () => assert.fail("no place is needed to show one"),
    withLock: async (work) => work(),
    indexed: async () => new Map(),
  });
  const { turns, title } = await show({ id: "steps" });
  assert.deepEqual(turns, [{ line: 1, text: "User: Two steps:\n- stop\n  - wait\n\n- start" }]);
  assert.equal(title, "Two steps: - stop - wait - start");
});
