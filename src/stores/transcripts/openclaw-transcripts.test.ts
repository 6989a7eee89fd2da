import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { folderState } from "../../../test/support/folder-state.ts";
import { makeOpenclawDatabase, type OpenclawDatabase } from "../../../test/support/openclaw-database.ts";
import { contentsOf, freshContents, openSessionsPlace } from "../../../test/support/sessions-place.ts";
import { openclaw, talk } from "../../../test/support/transcript-lines.ts";

/** The sessions folder of an agent and, beside it, its database. */
async function openPlace(t: TestContext, options = {}) {
  const place = await openSessionsPlace(t, options);
  const file = place.folder.at("agent/openclaw-agent.sqlite");
  return {
    ...place,
    file,
    /** Writes as another program does, and closes the database again. */
    write(work: (database: OpenclawDatabase) => void) {
      using database = makeOpenclawDatabase(file);
      work(database);
    },
    async textOf(id: string) {
      const chunks = await place.store.chunksOf("sessions", `sessions/${id}.jsonl`);
      return chunks.map(({ text }) => text).join("\n");
    },
  };
}

const [ask, answer] = [
  openclaw.message("user", "Which quokka lives on the island?"),
  openclaw.message("assistant", "The one called Ringo."),
];

suite("Transcripts in OpenClaw's database", () => {
  test("are documents with lines and a day, whether an event is compressed or not", async (t) => {
    const place = await openPlace(t);
    place.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc", "2026-09-10T10:00:00Z"), ask]);
      append("abc", [answer], { compressed: true });
    });
    const report = await place.sync();
    assert.deepEqual([report.added, report.failed], [1, []]);
    const [chunk] = await place.store.chunksOf("sessions", "sessions/abc.jsonl");
    assert.deepEqual(
      [chunk!.lines, chunk!.text, chunk!.date, chunk!.scope],
      [
        { start: 2, end: 3 },
        "User: Which quokka lives on the island?\nAssistant: The one called Ringo.",
        "2026-09-10",
        "private",
      ],
    );
    assert.equal((await place.sync()).unchanged, 1);
  });

  test("are read on from where the last reading stopped, to the same index as at once", async (t) => {
    const place = await openPlace(t, { partChars: 200 });
    place.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    await place.sync();
    const first = (await place.store.versions("sessions")).get("sessions/abc.jsonl")!.version;
    for (let round = 0; round < 5; round++) {
      place.write(({ append }) =>
        append("abc", [openclaw.message("user", `Note ${round} about wombats`)], {
          compressed: round % 2 === 0,
        }),
      );
      const grown = await place.source.read("sessions/abc.jsonl", { since: first });
      assert.equal(grown?.part?.follows?.version, first, "only what came since is read");
      assert.equal((await place.sync()).updated, 1);
    }
    assert.match(await place.textOf("abc"), /Ringo.*Note 4 about wombats/s);
    assert.deepEqual(await contentsOf(place.store), await freshContents(t, place.source));
  });

  test("are seen while OpenClaw has the database open and writes to its log", async (t) => {
    const place = await openPlace(t);
    using database = makeOpenclawDatabase(place.file);
    database.addSession("abc");
    database.append("abc", [openclaw.head("abc"), ask]);
    await place.sync();
    database.append("abc", [answer]);
    await place.sync();
    assert.match(await place.textOf("abc"), /Ringo/);
  });

  test("leave the folder of OpenClaw as it was: no byte, no time, no new file", async (t) => {
    const place = await openPlace(t);
    place.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    const before = folderState(place.folder.at("agent"));
    await place.sync();
    assert.match(await place.textOf("abc"), /Ringo/);
    assert.deepEqual(folderState(place.folder.at("agent")), before);
  });

  test("that were rewritten are read anew", async (t) => {
    const place = await openPlace(t);
    place.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    await place.sync();
    place.write(({ rewrite }) =>
      rewrite("abc", [openclaw.head("abc"), ask, openclaw.message("assistant", "Nobody.")]),
    );
    await place.sync();
    assert.doesNotMatch(await place.textOf("abc"), /Ringo/);
    assert.match(await place.textOf("abc"), /Nobody/);
    assert.deepEqual(await contentsOf(place.store), await freshContents(t, place.source));
  });

  test("of schedules, of what these started, and what was to be forgotten are left out; groups are shared", async (t) => {
    const place = await openPlace(t);
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
    place.write(({ addSession, append, db }) => {
      for (const [id, session] of Object.entries(sessions)) {
        addSession(id, session);
        append(id, [openclaw.head(id), openclaw.message("user", `I am ${id}`)]);
      }
      db.exec("INSERT INTO memory_session_tombstones VALUES ('gone', 'main', 'user', 1)");
    });
    const { entries, skipped } = await place.source.list();
    assert.deepEqual(
      entries.map(({ path }) => path),
      ["sessions/own.jsonl", "sessions/room.jsonl", "sessions/team.jsonl"],
    );
    assert.deepEqual(
      skipped.map(({ path, reason }) => `${path} ${reason}`),
      ["child", "dream", "gone", "grandchild", "job"].map((id) => `sessions/${id}.jsonl excluded`),
    );
    await place.sync();
    for (const [id, scope] of [
      ["own", "private"],
      ["team", "shared"],
      ["room", "shared"],
    ]) {
      assert.equal((await place.store.chunksOf("sessions", `sessions/${id}.jsonl`))[0]?.scope, scope);
    }
  });

  test("win over the older file of the same session", async (t) => {
    const place = await openPlace(t);
    place.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    place.folder.write("sessions/abc.jsonl", talk(["Which quokka lives on the island?"]));
    place.folder.write("sessions/old.jsonl", talk(["older than the database"]));
    const { entries, skipped } = await place.source.list();
    assert.deepEqual(
      entries.map(({ path }) => path),
      ["sessions/abc.jsonl", "sessions/old.jsonl"],
    );
    assert.deepEqual(
      skipped.map(({ path, reason }) => `${path} ${reason}`),
      ["sessions/abc.jsonl duplicate"],
    );
    await place.sync();
    assert.match(await place.textOf("abc"), /Ringo/);
  });

  test("stay indexed while the database cannot be read, and the listing says so", async (t) => {
    const place = await openPlace(t);
    place.write(({ addSession, append }) => {
      addSession("abc");
      append("abc", [openclaw.head("abc"), ask, answer]);
    });
    await place.sync();
    place.folder.write(
      "agent/openclaw-agent.sqlite",
      "this is no database, but a text of some length ".repeat(40),
    );
    const { skipped } = await place.source.list();
    assert.deepEqual(
      skipped.map(({ path, reason }) => `${path} ${reason}`),
      ["sessions unreadable"],
    );
    assert.match(skipped[0]!.detail!, /SQLite says file is not a database/);
    await place.sync();
    assert.match(await place.textOf("abc"), /Ringo/);
  });
});
