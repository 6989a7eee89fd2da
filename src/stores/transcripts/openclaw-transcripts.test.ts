import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { folderState } from "../../../test/support/folder-state.ts";
import { makeOpenclawDatabase, type OpenclawDatabase } from "../../../test/support/openclaw-database.ts";
import { contentsOf, freshContents, openSessionsFixture } from "../../../test/support/sessions-fixture.ts";
import { openclaw, talk } from "../../../test/support/transcript-lines.ts";

/** The sessions folder of an agent and, beside it, its database. */
async function openFixture(t: TestContext, options = {}) {
  const fixture = await openSessionsFixture(t, options);
  const file = fixture.folder.at("agent/openclaw-agent.sqlite");
  return {
    ...fixture,
    file,
    /** Writes from another connection, and closes it. */
    write(work: (database: OpenclawDatabase) => void) {
      using database = makeOpenclawDatabase(file);
      work(database);
    },
    async textOf(id: string) {
      const chunks = await fixture.store.chunksOf("sessions", `sessions/${id}.jsonl`);
      return chunks.map(({ text }) => text).join("\n");
    },
  };
}

const [ask, answer] = [
  openclaw.message("user", "Which quokka lives on the island?"),
  openclaw.message("assistant", "The one called Ringo."),
];

suite("Transcripts in OpenClaw's database", () => {
  test("are documents with lines and a date, whether events are compressed or not", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc", "2026-09-10T10:00:00Z"), ask]);
      append("abc", [answer], { compressed: true });
    });
    const report = await fixture.sync();
    assert.deepEqual([report.added, report.failed], [1, []]);
    const [chunk] = await fixture.store.chunksOf("sessions", "sessions/abc.jsonl");
    assert.deepEqual(
      [chunk!.lines, chunk!.text, chunk!.date, chunk!.scope],
      [
        { start: 2, end: 3 },
        "User: Which quokka lives on the island?\nAssistant: The one called Ringo.",
        "2026-09-10",
        "private",
      ],
    );
    assert.equal((await fixture.sync()).unchanged, 1);
  });

  test("are read incrementally, with the same index as in one read", async (t) => {
    const fixture = await openFixture(t, { partChars: 200 });
    fixture.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    await fixture.sync();
    const first = (await fixture.store.versions("sessions")).get("sessions/abc.jsonl")!.version;
    for (let round = 0; round < 5; round++) {
      fixture.write(({ append }) =>
        append("abc", [openclaw.message("user", `Note ${round} about wombats`)], {
          compressed: round % 2 === 0,
        }),
      );
      const grown = await fixture.source.read("sessions/abc.jsonl", { since: first });
      assert.equal(grown?.part?.follows?.version, first, "only new lines are read");
      assert.equal((await fixture.sync()).updated, 1);
    }
    assert.match(await fixture.textOf("abc"), /Ringo.*Note 4 about wombats/s);
    assert.deepEqual(await contentsOf(fixture.store), await freshContents(t, fixture.source));
  });

  test("are read while OpenClaw has the database open and writes to its WAL", async (t) => {
    const fixture = await openFixture(t);
    using database = makeOpenclawDatabase(fixture.file);
    database.addSession("abc");
    database.append("abc", [openclaw.head("abc"), ask]);
    await fixture.sync();
    database.append("abc", [answer]);
    await fixture.sync();
    assert.match(await fixture.textOf("abc"), /Ringo/);
  });

  test("leave OpenClaw's folder unchanged: no byte, no timestamp, no new file", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    const before = folderState(fixture.folder.at("agent"));
    await fixture.sync();
    assert.match(await fixture.textOf("abc"), /Ringo/);
    assert.deepEqual(folderState(fixture.folder.at("agent")), before);
  });

  test("that were rewritten are read again", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    await fixture.sync();
    fixture.write(({ rewrite }) =>
      rewrite("abc", [openclaw.head("abc"), ask, openclaw.message("assistant", "Nobody.")]),
    );
    await fixture.sync();
    assert.doesNotMatch(await fixture.textOf("abc"), /Ringo/);
    assert.match(await fixture.textOf("abc"), /Nobody/);
    assert.deepEqual(await contentsOf(fixture.store), await freshContents(t, fixture.source));
  });

  test("of schedules, of their subagents, and with a tombstone are left out; groups are shared", async (t) => {
    const fixture = await openFixture(t);
    const sessions = {
      own: {},
      job: { key: "agent:main:cron:nightly:run:1" },
      child: { key: "agent:main:subagent:2", spawnedBy: "agent:main:cron:nightly:run:1" },
      grandchild: { key: "agent:main:subagent:3", parentKey: "agent:main:subagent:2" },
      dream: { key: "agent:main:dreaming-narrative-9" },
      gone: {},
      team: { key: "agent:main:discord:channel:7" },
      room: { key: "agent:main:matrix:1", chatType: "group" },
    } as const;
    fixture.write(({ addSession, append, db }) => {
      for (const [id, session] of Object.entries(sessions)) {
        addSession(id, session);
        append(id, [openclaw.head(id), openclaw.message("user", `I am ${id}`)]);
      }
      db.exec("INSERT INTO memory_session_tombstones VALUES ('gone', 'main', 'user', 1)");
    });
    const { entries, skipped } = await fixture.source.list();
    assert.deepEqual(
      entries.map(({ path }) => path),
      ["sessions/own.jsonl", "sessions/room.jsonl", "sessions/team.jsonl"],
    );
    assert.deepEqual(
      skipped.map(({ path, reason }) => `${path} ${reason}`),
      ["child", "dream", "gone", "grandchild", "job"].map((id) => `sessions/${id}.jsonl excluded`),
    );
    await fixture.sync();
    for (const [id, scope] of [
      ["own", "private"],
      ["team", "shared"],
      ["room", "shared"],
    ]) {
      assert.equal((await fixture.store.chunksOf("sessions", `sessions/${id}.jsonl`))[0]?.scope, scope);
    }
  });

  test("take precedence over the older file of the same session", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    fixture.folder.write("sessions/abc.jsonl", talk(["Which quokka lives on the island?"]));
    fixture.folder.write("sessions/old.jsonl", talk(["older than the database"]));
    const { entries, skipped } = await fixture.source.list();
    assert.deepEqual(
      entries.map(({ path }) => path),
      ["sessions/abc.jsonl", "sessions/old.jsonl"],
    );
    assert.deepEqual(
      skipped.map(({ path, reason }) => `${path} ${reason}`),
      ["sessions/abc.jsonl duplicate"],
    );
    await fixture.sync();
    assert.match(await fixture.textOf("abc"), /Ringo/);
  });

  test("stay indexed while the database cannot be read, and the listing says so", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    await fixture.sync();
    fixture.folder.write(
      "agent/openclaw-agent.sqlite",
      "this is no database, but a text of some length ".repeat(40),
    );
    const { skipped } = await fixture.source.list();
    assert.deepEqual(
      skipped.map(({ path, reason }) => `${path} ${reason}`),
      ["sessions unreadable"],
    );
    assert.match(skipped[0]!.detail!, /SQLite says file is not a database/);
    await fixture.sync();
    assert.match(await fixture.textOf("abc"), /Ringo/);
  });
});
