import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { folderState } from "../../../test/support/folder-state.ts";
import { makeOpencodeDatabase, type OpencodeDatabase } from "../../../test/support/opencode-database.ts";
import { contentsOf, freshContents, openSessionsFixture } from "../../../test/support/sessions-fixture.ts";
import { addImports } from "../../sessions/transcripts/imports.ts";

/** An agent that reads OpenCode's database as its own transcripts. */
async function openFixture(t: TestContext) {
  const fixture = await openSessionsFixture(t);
  const file = fixture.folder.at("share/opencode/opencode.db");
  addImports(fixture.sessionsDir, [file]);
  return {
    ...fixture,
    write(work: (database: OpencodeDatabase) => void) {
      using database = makeOpencodeDatabase(file);
      work(database);
    },
    file,
    async textOf(id: string) {
      const chunks = await fixture.store.chunksOf("sessions", `sessions/${id}.jsonl`);
      return chunks.map(({ text }) => text).join("\n");
    },
  };
}

const text = (said: string, more: object = {}) => ({ type: "text", text: said, ...more });

suite("Transcripts in OpenCode's database", () => {
  test("contain what was said, one message per line, without tool calls, reasoning and text of plugins", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append }) => {
      addSession("ses_a");
      append("ses_a", {
        role: "user",
        parts: [text("Which quokka lives on the island?"), text("Memory holds this.", { synthetic: true })],
      });
      append("ses_a", {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "Hm." },
          { type: "tool", tool: "read", state: { output: "secret" } },
          text("The one called Ringo."),
        ],
      });
      append("ses_a", { role: "user", parts: [{ type: "compaction", auto: true }] });
      append("ses_a", { role: "assistant", isSummary: true, parts: [text("It was about quokkas.")] });
    });
    const report = await fixture.sync();
    assert.deepEqual([report.added, report.failed], [1, []]);
    const [chunk] = await fixture.store.chunksOf("sessions", "sessions/ses_a.jsonl");
    assert.deepEqual(
      [chunk!.lines, chunk!.text, chunk!.date, chunk!.scope],
      [
        { start: 1, end: 4 },
        "User: Which quokka lives on the island?\nAssistant: The one called Ringo.\n\nSummary: It was about quokkas.",
        "2026-11-15",
        "private",
      ],
    );
    assert.equal((await fixture.sync()).unchanged, 1);
  });

  test("are read incrementally; an answer that is still being written waits", async (t) => {
    const fixture = await openFixture(t);
    using database = makeOpencodeDatabase(fixture.file);
    database.addSession("ses_a");
    database.append("ses_a", { role: "user", parts: [text("Which quokka?")] });
    await fixture.sync();
    const first = (await fixture.store.versions("sessions")).get("sessions/ses_a.jsonl")!.version;
    const running = database.append("ses_a", {
      role: "assistant",
      isRunning: true,
      parts: [text("The one")],
    });
    await fixture.sync();
    assert.doesNotMatch(await fixture.textOf("ses_a"), /The one/);
    database.finish(running, [text("called Ringo.")]);
    const grown = await fixture.source.read("sessions/ses_a.jsonl", { since: first });
    assert.equal(grown?.part?.follows?.version, first, "only new lines are read");
    await fixture.sync();
    assert.match(await fixture.textOf("ses_a"), /The one called Ringo\./);
    assert.deepEqual(await contentsOf(fixture.store), await freshContents(t, fixture.source));
  });

  test("that were reverted are read again, and sessions of subagents are left out", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append, db }) => {
      addSession("ses_a");
      addSession("ses_b", { parent: "ses_a" });
      append("ses_a", { role: "user", parts: [text("Keep this.")] });
      const id = append("ses_a", { role: "assistant", parts: [text("Take this back.")] });
      append("ses_b", { role: "user", parts: [text("I am a subagent.")] });
      db.exec(`UPDATE message SET time_updated = time_updated + 1 WHERE id = '${id}'`);
    });
    await fixture.sync();
    fixture.write(({ db }) => db.exec("DELETE FROM message WHERE data LIKE '%assistant%'"));
    await fixture.sync();
    const kept = await fixture.textOf("ses_a");
    assert.deepEqual([/Keep this/.test(kept), /Take this back/.test(kept)], [true, false]);
    const { entries, skipped } = await fixture.source.list();
    assert.deepEqual(
      [entries.map(({ path }) => path), skipped.map(({ path, reason }) => `${path} ${reason}`)],
      [["sessions/ses_a.jsonl"], ["sessions/ses_b.jsonl excluded"]],
    );
  });

  test("leave OpenCode's folder unchanged: no byte, no timestamp, no new file", async (t) => {
    const fixture = await openFixture(t);
    fixture.write(({ addSession, append }) => {
      addSession("ses_a");
      append("ses_a", { role: "user", parts: [text("Which quokka?")] });
    });
    const before = folderState(fixture.folder.at("share/opencode"));
    await fixture.sync();
    assert.match(await fixture.textOf("ses_a"), /quokka/);
    assert.deepEqual(folderState(fixture.folder.at("share/opencode")), before);
  });
});
