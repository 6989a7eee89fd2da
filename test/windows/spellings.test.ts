import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { resolveSettings } from "../../src/config/settings.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { ignoresCase, isWindows } from "../support/platform.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { openWebFixture } from "../support/web-fixture.ts";

/* One folder or note under the names that Windows has for it, in settings and in calls. */

/** A share of the network, which scripts/windows.sh makes; elsewhere a folder takes its fixture. */
function makeOnShare(t: TestContext): string {
  const share = process.env["LONGHAND_TEST_SHARE"];
  return isWindows && share ? mkdtempSync(path.join(share, "memory-")) : makeTemporaryFolder(t).dir;
}

/** What Windows takes for the same folder. */
function spellingsOf(folder: string): string[] {
  if (!isWindows) return [folder, `${folder}/`, `${folder}/../${path.basename(folder)}`];
  const long = folder.startsWith("\\\\") ? `\\\\?\\UNC\\${folder.slice(2)}` : `\\\\?\\${folder}`;
  const slashes = folder.replaceAll("\\", "/");
  return [folder, `${folder}\\`, slashes, slashes.toLowerCase(), folder.toUpperCase(), long];
}

suite("a workspace is the same memory under every name", () => {
  for (const kind of ["on a drive", "on a share"] as const) {
    test(kind, async (t) => {
      const folder = kind === "on a drive" ? makeTemporaryFolder(t).dir : makeOnShare(t);
      const stateDir = makeTemporaryFolder(t).at("state");
      const ids = new Set<string>();
      for (const [number, workspace] of spellingsOf(folder).entries()) {
        ids.add((await resolveSettings({ workspace, stateDir })).agentId);
        const memory = await openMemory({ workspace, stateDir, config: withMemorySearch({}) });
        const { path: note } = await memory.add(`Kiln number ${number} is fired.`, { to: "memory/kilns.md" });
        assert.equal(note, "memory/kilns.md");
        const found = (await memory.search("kiln fired", { maxResults: 20 })).results;
        assert.deepEqual([...new Set(found.map((hit) => hit.path))], ["memory/kilns.md"], workspace);
        await memory.close();
      }
      assert.equal(ids.size, 1, [...ids].join());
      const indexes = readdirSync(path.join(stateDir, "memory")).filter((name) => name.endsWith(".sqlite"));
      assert.equal(indexes.length, 1, indexes.join());
      const lines = readFileSync(path.join(folder, "memory", "kilns.md"), "utf8").match(/Kiln number/g);
      assert.equal(lines?.length, spellingsOf(folder).length);
    });
  }
});

test("an index may be on a share, and somebody else's file there is left alone", async (t) => {
  const share = makeOnShare(t);
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "The kiln is hot." });
  const stateDir = path.join(share, "state");
  for (const text of ["A boat has two oars.", "The tea is in the blue tin."]) {
    const memory = await fixture.open({ stateDir });
    await memory.add(text);
    assert.equal((await memory.search("kiln")).results[0]?.path, "MEMORY.md");
    await memory.close();
  }
  const foreign = path.join(share, "other.sqlite");
  const database = new DatabaseSync(foreign);
  database.exec("CREATE TABLE theirs(x)");
  database.close();
  const before = readFileSync(foreign);
  const config = withMemorySearch({ store: { path: foreign } });
  const refused = async () => await (await fixture.open({ stateDir, config })).search("kiln");
  await assert.rejects(refused, { code: "index-foreign" });
  assert.deepEqual(readFileSync(foreign), before);
});

test("settings take paths as Windows writes them", async (t) => {
  const folder = makeTemporaryFolder(t);
  const workspace = folder.makeFolder("notes");
  const docs = folder.makeFolder("my docs");
  const share = makeOnShare(t);
  writeFileSync(path.join(docs, "tea.md"), "The tea is in the blue tin.\n");
  writeFileSync(path.join(share, "oars.md"), "A boat has two oars.\n");
  const me = folder.makeFolder("me");
  writeFileSync(path.join(me, "MEMORY.md"), "I prefer tabs over spaces.\n");
  const relative = path.join("..", "my docs");
  for (const [docsName, shareName] of [
    [relative, share],
    ...(isWindows
      ? [
          [docs.replaceAll("\\", "/"), share.replaceAll("\\", "/")],
          [spellingsOf(docs).at(-1)!, spellingsOf(share).at(-1)!],
        ]
      : []),
  ]) {
    const settings = {
      agents: {
        defaults: {
          layers: { user: { path: me } },
          memorySearch: { provider: "none", extraPaths: [docsName, shareName], query: { minScore: 0 } },
        },
      },
    };
    const config = folder.write("longhand.json5", JSON.stringify(settings));
    const memory = await openMemory({ workspace, stateDir: folder.at("state"), config });
    t.after(() => memory.close());
    const ask = async (query: string) => (await memory.search(query)).results[0]?.path;
    assert.equal(await ask("where is the tea?"), "extra/0/tea.md", docsName);
    assert.equal(await ask("how many oars?"), "extra/1/oars.md", shareName);
    assert.equal(await ask("tabs or spaces?"), "user:MEMORY.md");
    await memory.close();
  }
});

test("a note is one under two spellings, for every call that names it", {
  skip: !ignoresCase && "the file system is case-sensitive",
}, async (t) => {
  const fixture = makeMemoryFixture(t, { "memory/Kilns.md": "- The kiln is hot.\n" });
  const memory = await fixture.open();
  const other = "memory/KILNS.md";
  assert.equal((await memory.add("The glaze is blue.", { to: other })).path, "memory/Kilns.md");
  const note = await memory.readNote({ path: other });
  assert.equal(note?.path, "memory/Kilns.md");
  assert.match(note!.text, /kiln is hot[\s\S]*glaze is blue/);
  await memory.editNote({ path: other, text: "- The kiln is cold.\n", expectedHash: note!.hash });
  assert.deepEqual(readdirSync(fixture.at("memory")), ["Kilns.md"]);
  const hits = (await memory.search("kiln cold glaze")).results;
  assert.deepEqual(
    hits.map((hit) => [hit.path, hit.snippet.trim()]),
    [["memory/Kilns.md", "- The kiln is cold."]],
  );
  assert.equal((await memory.links(other)).path, "memory/Kilns.md");
  assert.equal((await memory.usage({ path: other })).notes[0]?.path, "memory/Kilns.md");
  const { removed } = await memory.forget({ path: other });
  assert.deepEqual(
    removed.map((each) => each.path),
    ["memory/Kilns.md"],
  );
  assert.deepEqual(readdirSync(fixture.at("memory")), []);
});

test("a note with CRLF keeps its line ends through add, edit and forget", async (t) => {
  const before = "# Log\r\n\r\n- Lunch with Bo tomorrow.\r\n- The door code is quokkaberry.\r\n- Rain.\r\n";
  const fixture = makeMemoryFixture(t, { "memory/2026-03-09.md": before });
  const memory = await fixture.open();
  const file = fixture.at("memory/2026-03-09.md");
  const lone = /(?<!\r)\n/;
  await memory.add("Deployed 2.1.", { to: "memory/2026-03-09.md" });
  assert.doesNotMatch(readFileSync(file, "utf8"), lone);
  const result = await memory.forget({ query: "door code quokkaberry" });
  assert.equal(result.removed.length, 1);
  const after = readFileSync(file, "utf8");
  assert.doesNotMatch(after, /quokkaberry/);
  assert.doesNotMatch(after, lone);
  assert.ok(after.startsWith("# Log\r\n\r\n- Lunch with Bo tomorrow.\r\n- Rain.\r\n"), JSON.stringify(after));
  const { text, hash } = (await memory.readNote({ path: "memory/2026-03-09.md" }))!;
  assert.equal(text, after);
  const edited = text.replace("Rain", "Sun");
  await memory.editNote({ path: "memory/2026-03-09.md", text: edited, expectedHash: hash });
  assert.equal(readFileSync(file, "utf8"), edited);
});

test("over HTTP too, no note can have a name that Windows gives to something else", async (t) => {
  const fixture = await openWebFixture(t, { notes: { "memory/a.md": "x\n" } });
  mkdirSync(fixture.folder.at("notes/memory/sub"));
  for (const name of [
    "CON.md",
    "nul.md",
    "sub/Aux.md",
    "dot./a.md",
    "space /a.md",
    "a.md ",
    "a.md.",
    "a.md:x.md",
  ]) {
    const named = `memory/${name}`;
    const calls = [
      fixture.api(`/api/notes/source?path=${encodeURIComponent(named)}`),
      fixture.api("/api/add", { method: "POST", body: { text: "y", to: named } }),
      fixture.api("/api/notes/source", {
        method: "PUT",
        body: { path: named, text: "y", expectedHash: "0" },
      }),
    ];
    for (const { status, json } of await Promise.all(calls)) {
      assert.equal(status, 403, named);
      assert.equal(json.error.code, "path-outside-memory", named);
    }
  }
  assert.deepEqual(readdirSync(fixture.folder.at("notes/memory")), ["a.md", "sub"]);
  assert.equal(readFileSync(fixture.folder.at("notes/memory/a.md"), "utf8"), "x\n");
});
