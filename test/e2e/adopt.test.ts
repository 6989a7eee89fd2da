import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { skipOnWindows, skipWithoutLinks } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

/** A typical vault, beside things that do not belong in a memory. */
function openVault(t: TestContext) {
  const fixture = openCliFixture(t);
  fixture.write(".obsidian/daily-notes.json", '{"folder": "Journal", "format": "YYYY/YYYY-MM-DD"}');
  fixture.write(".obsidian/templates.json", '{"folder": "Templates"}');
  fixture.write(".obsidian/plugins/x/README.md", "# Quokka plugin\n");
  fixture.write(".trash/Old.md", "An old quokka.\n");
  fixture.write("Templates/Person.md", "# {{title}} quokka\n");
  fixture.write("Attachments/quokka.png", "x");
  fixture.write(
    "People/Mara.md",
    '---\naliases: ["the night baker"]\ntags: [person]\n---\n# Mara\n\n> [!warning] Allergy\n> No [[Walnut|walnuts]] for her.\n\n- [x] returned the baskets\n',
  );
  fixture.write(
    "Journal/2025/2025-03-04.md",
    "<< [[2025-03-03]] | [[2025-03-05]] >>\n\n- repaired the heater\n",
  );
  fixture.write("sessions/Workshop.md", "# Workshop\n\nThe quokka workshop is on Thursday.\n");
  const search = async (query: string) => {
    const { value } = await fixture.json("search", query);
    return (value as { results: { path: string; startLine: number; date?: string }[] }).results;
  };
  return { ...fixture, search };
}

const notesOf = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => [name, readFileSync(path.join(dir, name), "utf8")]);

test("search, status and doctor report a folder that is not adopted, with the command", async (t) => {
  const { run, json, project, stateDir } = openVault(t);
  const said = /4 Markdown files here are not part of this memory\. Include them with: longhand adopt/;
  assert.match((await run("search", "the night baker")).stderr, said);
  assert.match((await run("status")).stderr, said);
  const { value } = await json("status");
  assert.deepEqual((value as { unadopted: unknown }).unadopted, { dir: project, files: 4, isComplete: true });
  const doctor = await run("doctor");
  assert.match(doctor.stdout, /✗ notes +there are none yet, but 4 Markdown files .*\n.*longhand adopt/);
  assert.ok(!existsSync(path.join(stateDir, "longhand.json5")));
});

test("an adopted folder is found, written, edited and forgotten like any memory, and left alone otherwise", async (t) => {
  const { run, json, runWith, search, project } = openVault(t);
  const before = notesOf(project);
  const { code, value, stderr } = await json("adopt");
  assert.equal(code, 0, stderr);
  const { agent, index, config, ...rest } = value as Record<string, unknown>;
  assert.match(String(agent), /^project-[0-9a-f]{6}$/);
  assert.equal((index as { added: number }).added, 3);
  assert.match(String(config), /longhand\.json5$/);
  assert.deepEqual(rest, {
    ...{ workspace: project, tool: "Obsidian", notes: 3, folders: 3, skipped: 0, changed: true },
    newNotes: "Journal/{date:YYYY/YYYY-MM-DD}.md",
    exclude: ["/Templates/", "*.excalidraw.md"],
  });
  assert.deepEqual(notesOf(project), before, "no file of the folder is changed");

  assert.equal((await search("who is the night baker"))[0]?.path, "People/Mara.md");
  const [day] = await search("what did I do on 4 March 2025");
  assert.deepEqual([day?.path, day?.date], ["Journal/2025/2025-03-04.md", "2025-03-04"]);
  assert.deepEqual(
    (await search("quokka")).map((hit) => hit.path),
    ["sessions/Workshop.md"],
    "neither hidden folders nor templates",
  );
  const shown = await run("search", "what is Mara allergic to, walnuts");
  assert.match(shown.stdout, /> Warning: Allergy\n {2}> No walnuts for her\.\n {2}- ☑ returned the baskets/);
  assert.doesNotMatch(shown.stdout, /aliases:/);

  const added = await runWith({ cwd: path.join(project, "People") }, "add", "The marmot moved in.", "--json");
  const { path: to } = JSON.parse(added.stdout) as { path: string };
  assert.match(to, /^Journal\/\d{4}\/\d{4}-\d\d-\d\d\.md$/);
  assert.equal((await search("marmot"))[0]?.path, to);
  assert.equal((await run("add", "Likes tea.", "--to", "People/Mara.md")).code, 0);
  assert.match((await run("get", "sessions/Workshop.md:3")).stdout, /Thursday/);
  const forgotten = await run("forget", "sessions/Workshop.md:3", "--yes");
  assert.equal(forgotten.code, 0, forgotten.stderr);
  assert.doesNotMatch(readFileSync(path.join(project, "sessions/Workshop.md"), "utf8"), /Thursday/);
  assert.equal((await run("get", "Templates/Person.md")).code, 1);
  assert.equal(((await json("verify")).value as { equal: boolean }).equal, true);

  const again = (await json("adopt", "--no-index")).value as { changed: boolean };
  assert.equal(again.changed, false);
  const undone = (await json("adopt", "--undo")).value as { changed: boolean };
  assert.equal(undone.changed, true);
  assert.deepEqual(await search("the night baker"), []);
});

test("the settings apply to the folder alone, and the rest of the configuration is kept", async (t) => {
  const { run, json, home, stateDir, project } = openVault(t);
  const config = path.join(stateDir, "longhand.json5");
  mkdirSync(stateDir);
  writeFileSync(config, "{\n  // mine\n  agents: { defaults: { userTimezone: 'UTC' } }, // kept\n}\n");
  const { code } = await json("adopt", "--new-notes", "Inbox.md", "--no-index");
  assert.equal(code, 0);
  const text = readFileSync(config, "utf8");
  assert.match(text, /\/\/ mine\n {2}agents: \{ defaults: \{ userTimezone: 'UTC' \}, list: .*\/\/ kept/s);
  const other = path.join(home, "other");
  mkdirSync(path.join(other, "memory"), { recursive: true });
  const here = (await json("config", "get", "notes.daily")).value as { value: string };
  const there = (await json("config", "get", "notes.daily", "--workspace", other)).value as { value: string };
  assert.deepEqual([here.value, there.value], ["Inbox.md", "memory/{date}.md"]);
  await run("add", "The marmot moved in.");
  assert.match(readFileSync(path.join(project, "Inbox.md"), "utf8"), /marmot/);
});

test("undo restores the configuration that adopt found, and nothing else", async (t) => {
  const { run, json, project, stateDir } = openVault(t);
  const config = path.join(stateDir, "longhand.json5");
  const undo = async () => ((await json("adopt", "--undo")).value as { changed: boolean }).changed;
  mkdirSync(stateDir);
  const own = "{\n  // mine\n  agents: { defaults: { userTimezone: 'UTC' } }, // kept\n}\n";
  writeFileSync(config, own);
  await json("adopt", "--no-index");
  await json("adopt", "--no-index", "--new-notes", "Inbox.md");
  assert.equal(await undo(), true);
  assert.equal(readFileSync(config, "utf8"), own, "every byte, also after it was adopted twice");
  assert.equal(await undo(), false);

  const patterns = async () =>
    ((await json("config", "get", "memorySearch.exclude")).value as { value: string[] }).value;
  await run(
    "config",
    "set",
    "memorySearch.exclude",
    '["/Templates/", "Archive/"]',
    "--project",
    "--workspace",
    project,
  );
  await run(
    "config",
    "set",
    "notes.daily",
    "memory/{date:YYYY}/{date}.md",
    "--project",
    "--workspace",
    project,
  );
  const before = readFileSync(config, "utf8");
  await json("adopt", "--no-index", "--new-notes", "Inbox.md");
  assert.deepEqual(await patterns(), ["/Templates/", "Archive/", "*.excalidraw.md"]);
  assert.equal(await undo(), true);
  assert.equal(readFileSync(config, "utf8"), before, "patterns and a daily note that were there before stay");

  await json("adopt", "--no-index");
  await run(
    "config",
    "set",
    "memorySearch.exclude",
    '["Archive/", "Later/", "*.excalidraw.md"]',
    "--project",
  );
  await undo();
  assert.deepEqual(await patterns(), ["Archive/", "Later/"], "what was set since stays");
});

test("a folder that was adopted before records existed is undone by the exclusions of its program", async (t) => {
  const { json, stateDir } = openVault(t);
  await json("adopt", "--no-index");
  rmSync(path.join(stateDir, "adopted-folders.json"));
  await json("adopt", "--undo");
  const { value } = (await json("config", "get", "memorySearch.exclude")).value as { value: string[] };
  assert.deepEqual(value, []);
});

test("nothing outside the folder is read or written, whatever links and patterns there are", {
  skip: skipWithoutLinks || skipOnWindows("no name has a line break there"),
}, async (t) => {
  const { run, write, home, project, search } = openVault(t);
  writeFileSync(path.join(home, "secret.md"), "The wombat is secret.\n");
  mkdirSync(path.join(home, "outside"));
  writeFileSync(path.join(home, "outside", "far.md"), "The wombat is far.\n");
  symlinkSync(path.join(home, "secret.md"), path.join(project, "linked.md"));
  symlinkSync(path.join(home, "outside"), path.join(project, "Linked"));
  write("it's $HOME `x`\nnew.md", "The wombat has a strange name.\n");
  for (const where of ["../outside", "/tmp", ".obsidian", "Daily/{title}.md", "{date:ww}.md", "Inbox.txt"]) {
    const { code, stderr } = await run("adopt", "--new-notes", where);
    assert.equal(code, 2, where);
    assert.match(stderr, /--new-notes cannot be/);
  }
  assert.equal((await run("adopt", "--new-notes", "Linked")).code, 0);
  assert.deepEqual(await search("wombat"), []);
  const refused = await run("add", "Into the link.");
  assert.equal(refused.code, 1);
  assert.deepEqual(readdirSync(path.join(home, "outside")), ["far.md"]);
  assert.equal((await run("get", "linked.md")).code, 1);
});

test("the home folder, a file and a missing folder are refused", async (t) => {
  const { runWith, run, home, write } = openVault(t);
  assert.equal((await runWith({ cwd: home }, "adopt")).code, 2);
  assert.equal((await run("adopt", write("a.md", ""))).code, 1);
  assert.equal((await run("adopt", "nowhere")).code, 1);
});
