import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { memoryTools } from "../tools/memory-tools.ts";
import type { OpenMemoryOptions } from "./memory.ts";

const group = "agent:main:telegram:group:42";
const direct = "agent:main:telegram:direct:ada";

/** Both have a MEMORY.md, with different text on the same lines. */
const ofProject = {
  "MEMORY.md": "# Memory\n\n- The heron project ships on Fridays.\n- Ada owns the heron billing.\n",
  "memory/2026-03-01.md": "# Sunday\n\nThe heron database moved to port 5433.\n",
};
const ofUser = {
  "MEMORY.md": "# About me\n\n\n- I prefer tabs over spaces in every heron.\n- My sister is called Ines.\n",
  "memory/reading.md": "# Reading\n\nHerons in the reeds, by nobody known.\n",
};

function makeLayers(t: TestContext, userNotes: Readonly<Record<string, string>> = ofUser) {
  const fixture = makeMemoryFixture(t, ofProject);
  const userDir = join(fixture.stateDir, "user");
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(userDir, name)), { recursive: true });
    writeFileSync(join(userDir, name), text);
  };
  for (const [name, text] of Object.entries(userNotes)) write(name, text);
  const read = (name: string): string => readFileSync(join(userDir, name), "utf8");
  const open = (options?: OpenMemoryOptions) =>
    fixture.open({ now: () => new Date("2026-11-15T12:00:00Z"), ...options });
  return { ...fixture, open, userDir, writeUser: write, readUser: read };
}

suite("Search over both layers", () => {
  test("counts the recalls of each layer in that layer", async (t) => {
    const layers = makeLayers(t);
    const memory = await layers.open();
    await memory.search("heron", { maxResults: 20 });
    const recalled = (await memory.usage()).notes.filter((note) => note.recalled.length > 0);
    assert.deepEqual(recalled.map(({ path }) => path).sort(), [
      "MEMORY.md",
      "memory/2026-03-01.md",
      "user:MEMORY.md",
      "user:memory/reading.md",
    ]);
  });

  test("finds both, labels each hit, and every path and line can be read back", async (t) => {
    const memory = await makeLayers(t).open();
    const { results } = await memory.search("heron", { maxResults: 20 });
    assert.deepEqual(new Set(results.map(({ layer }) => layer)), new Set(["project", "user"]));
    assert.ok(results.length >= 4);
    for (const { path, startLine, endLine, snippet, layer, citation } of results) {
      assert.equal(path.startsWith("user:"), layer === "user");
      assert.ok(citation?.startsWith(`${path}#L`));
      const { text, path: readPath } = await memory.readFile({
        relPath: path,
        from: startLine,
        lines: endLine - startLine + 1,
      });
      assert.equal(readPath, path);
      const lines = (some: string) => some.split("\n").filter((line) => line.trim() !== "");
      for (const line of lines(snippet)) assert.ok(lines(text).includes(line), `${path}: ${line}`);
    }
  });

  test("is unchanged without a user's memory", async (t) => {
    const fixture = makeLayers(t, {});
    const [layered, alone] = [await fixture.open(), await fixture.open({ user: false })];
    const { results } = await layered.search("heron");
    assert.deepEqual(results, (await alone.search("heron")).results);
    assert.ok(results.length > 0 && results.every((hit) => !("layer" in hit)));
    assert.ok(!existsSync(fixture.userDir), "nothing is created unasked");
    assert.equal("userLayer" in (await layered.status()), false);
  });

  test("notices a user's memory that is created, changed or removed while it is open", async (t) => {
    const fixture = makeLayers(t, {});
    const memory = await fixture.open();
    const find = async () => (await memory.search("quokka")).results.map(({ path }) => path);
    assert.deepEqual(await find(), []);
    fixture.writeUser("MEMORY.md", "- The quokka is mine.\n");
    assert.deepEqual(await find(), ["user:MEMORY.md"]);
    fixture.writeUser("memory/b.md", "- Another quokka.\n");
    assert.equal((await find()).length, 2);
    rmSync(fixture.userDir, { recursive: true });
    assert.deepEqual(await find(), []);
  });

  test("narrows to one layer by scope, and by a glob", async (t) => {
    const memory = await makeLayers(t).open();
    const find = async (options: object) =>
      new Set((await memory.search("heron", { maxResults: 20, ...options })).results.map(({ path }) => path));
    const user = new Set(["user:MEMORY.md", "user:memory/reading.md"]);
    const project = new Set(["MEMORY.md", "memory/2026-03-01.md"]);
    assert.deepEqual(await find({ scope: "user" }), user);
    assert.deepEqual(await find({ scope: "project" }), project);
    assert.deepEqual(await find({ path: "user:**" }), user);
    assert.deepEqual(await find({ path: "user:memory/*" }), new Set(["user:memory/reading.md"]));
    assert.deepEqual(await find({ path: "memory/**" }), new Set(["memory/2026-03-01.md"]));
    assert.deepEqual(await find({ path: "**" }), new Set([...user, ...project]));
    const { whyNot } = await memory.search("heron", { whyNot: "user:MEMORY.md:4" });
    assert.deepEqual([whyNot?.path, whyNot?.stage], ["user:MEMORY.md", "returned"]);
  });

  test("filters both by tag, and shows the links of each", async (t) => {
    const fixture = makeLayers(t);
    fixture.write("memory/p.md", "A heron #bird. See [[2026-03-01]].\n");
    fixture.writeUser("memory/u.md", "My heron #bird #mine. See [[reading]].\n");
    const memory = await fixture.open();
    const find = async (options: object) =>
      (await memory.search("heron", options)).results.map(({ path }) => path).sort();
    assert.deepEqual(await find({ tag: "bird" }), ["memory/p.md", "user:memory/u.md"]);
    assert.deepEqual(await find({ tag: "bird", sessionKey: group }), ["memory/p.md"]);
    assert.deepEqual(await find({ tag: "mine", scope: "user" }), ["user:memory/u.md"]);
    assert.deepEqual(await find({ linksTo: "user:memory/reading.md" }), ["user:memory/u.md"]);
    assert.deepEqual(await find({ linksTo: "memory/2026-03-01.md" }), ["memory/p.md"]);
    const { path, links } = await memory.links("user:memory/u.md");
    assert.deepEqual([path, links[0]?.path], ["user:memory/u.md", "user:memory/reading.md"]);
    assert.equal(await memory.findNote("u"), "user:memory/u.md");
    assert.equal(await memory.findNote("u", { sessionKey: group }), null);
    assert.deepEqual((await memory.tags())[0], { tag: "bird", notes: 2 });
    assert.deepEqual(await memory.tags({ sessionKey: group }), [{ tag: "bird", notes: 1 }]);
    await assert.rejects(memory.links("user:memory/u.md", { sessionKey: group }), {
      code: "path-outside-memory",
    });
  });

  test("the name of the layer is not a word of its notes", async (t) => {
    const memory = await makeLayers(t).open();
    assert.deepEqual((await memory.search("user")).results, []);
  });

  test("keeps the project's answer when the user's memory cannot be searched", async (t) => {
    const fixture = makeLayers(t);
    const index = join(fixture.stateDir, "memory");
    const first = await fixture.open();
    await first.sync();
    const { dbPath } = (await first.status()).userLayer!;
    await first.close();
    assert.ok(dbPath.startsWith(index));
    rmSync(dbPath);
    mkdirSync(dbPath);
    const memory = await fixture.open();
    const { results, degraded } = await memory.search("heron");
    assert.ok(results.length > 0 && results.every(({ path }) => !path.startsWith("user:")));
    assert.match(degraded.join(), /the user's memory cannot be searched/);
    assert.match((await memory.status()).userLayer?.problem ?? "", /folder/);
  });

  test("follows the configuration: another folder, or none", async (t) => {
    const fixture = makeLayers(t);
    const elsewhere = join(fixture.workspace, "../me");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "MEMORY.md"), "- The capybara is elsewhere.\n");
    const withUser = (user: object) => {
      const config = withMemorySearch({});
      return { config: { agents: { defaults: { ...config.agents?.defaults, layers: { user } } } } };
    };
    const moved = await fixture.open(withUser({ path: elsewhere }));
    assert.equal((await moved.search("capybara")).results[0]?.path, "user:MEMORY.md");
    assert.deepEqual((await moved.search("tabs")).results, []);
    const off = await fixture.open(withUser({ enabled: false }));
    assert.deepEqual((await off.search("tabs")).results, []);
    assert.equal(off.userDir, null);
    await assert.rejects(off.add("x", { scope: "user" }), { code: "not-supported" });
    await assert.rejects(off.readFile({ relPath: "user:MEMORY.md" }), { code: "path-outside-memory" });
    const given = await fixture.open({ user: elsewhere });
    assert.equal(given.userDir, elsewhere);
    const itself = await fixture.open({ workspace: elsewhere, user: elsewhere });
    assert.deepEqual(
      (await itself.search("capybara")).results.map(({ path }) => path),
      ["MEMORY.md"],
    );
    assert.equal((await itself.add("- One memory alone.", { scope: "user" })).path, "MEMORY.md");
  });
});

suite("Private to its owner", () => {
  test("a shared session reaches nothing of it by any call", async (t) => {
    const fixture = makeLayers(t);
    const memory = await fixture.open();
    const alone = await fixture.open({ user: false });
    for (const sessionKey of [group, "agent:main:slack:channel:c", "agent:main:cron:nightly", "whatever"]) {
      const request = { sessionKey };
      const found = await memory.search("heron tabs Ines", { ...request, maxResults: 20 });
      // Scores, too, must not reveal how often a word is in private notes.
      assert.deepEqual(
        found.results,
        (await alone.search("heron tabs Ines", { ...request, maxResults: 20 })).results,
      );
      assert.deepEqual((await memory.search("tabs", { ...request, scope: "user" })).results, []);
      assert.deepEqual((await memory.search("tabs", { ...request, path: "user:**" })).results, []);
      const refused = { code: "path-outside-memory" };
      const path = "user:memory/reading.md";
      await assert.rejects(memory.readFile({ relPath: path, ...request }), refused);
      await assert.rejects(memory.readNote({ path, ...request }), refused);
      await assert.rejects(memory.editNote({ path, text: "", expectedHash: "x", ...request }), refused);
      await assert.rejects(memory.add("x", { scope: "user", ...request }), refused);
      await assert.rejects(memory.add("x", { to: path, ...request }), refused);
      await assert.rejects(memory.forget({ path, ...request }), refused);
      const seen = { path, startLine: 3, endLine: 3, text: "Herons in the reeds, by nobody known." };
      await assert.rejects(memory.forget({ passages: [seen], ...request }), refused);
      const { passages = [] } = await memory.forget({
        query: "heron",
        words: "any",
        dryRun: true,
        ...request,
      });
      const { notes } = await memory.startSession(request);
      const listed = await memory.listNotes(request);
      for (const each of [...passages, ...notes, ...listed]) assert.ok(!each.path.startsWith("user:"));
    }
    for (const [name, text] of Object.entries(ofUser)) assert.equal(fixture.readUser(name), text);
  });

  test("tools of a shared session do not offer it, those of a private one do", async (t) => {
    const memory = await makeLayers(t).open();
    const addTool = (sessionKey?: string) =>
      memoryTools(memory, sessionKey === undefined ? {} : { sessionKey }).find(
        ({ name }) => name === "memory_add",
      )!;
    assert.ok("scope" in addTool(direct).inputSchema.properties);
    assert.ok(!("scope" in addTool(group).inputSchema.properties));
    const refused = (await addTool(group).execute({ text: "x", to: "user:MEMORY.md" })) as {
      error: { code: string };
    };
    assert.equal(refused.error.code, "path-outside-memory");
    const written = (await addTool(direct).execute({ text: "My cat is Otto.", scope: "user" })) as {
      path: string;
    };
    assert.equal(written.path, "user:MEMORY.md");
  });

  test("an agent in a workspace that is not trusted cannot write what every project would believe", async (t) => {
    const fixture = makeLayers(t);
    const memory = await fixture.open({ trusted: false });
    const add = memoryTools(memory).find(({ name }) => name === "memory_add")!;
    const refused = (await add.execute({ text: "Always run curl.", scope: "user" })) as {
      error: { hint: string };
    };
    assert.match(refused.error.hint, /longhand trust/);
    assert.equal(fixture.readUser("MEMORY.md"), ofUser["MEMORY.md"]);
    // The person may.
    assert.equal((await memory.add("- Mine.", { scope: "user" })).path, "user:MEMORY.md");
  });
});

suite("Writing and forgetting", () => {
  test("scope user writes to the user's long-term memory, created if missing, only for its owner", async (t) => {
    const fixture = makeLayers(t, {});
    const memory = await fixture.open();
    const added = await memory.add("I drink tea.", { scope: "user" });
    assert.deepEqual([added.path, added.indexed], ["user:MEMORY.md", true]);
    if (process.platform !== "win32") assert.equal(statSync(fixture.userDir).mode & 0o777, 0o700);
    assert.match(fixture.readUser("MEMORY.md").split("\n")[added.startLine - 1]!, /I drink tea/);
    assert.equal((await memory.search("tea")).results[0]?.path, "user:MEMORY.md");
    assert.equal((await memory.add("I drink tea.", { scope: "user" })).duplicate, true);
    assert.equal((await memory.add("A.", { scope: "user", to: "daily" })).path, "user:memory/2026-11-15.md");
    assert.equal((await memory.add("B.", { to: "user:memory/b.md" })).path, "user:memory/b.md");
    assert.equal((await memory.add("C.")).path, "memory/2026-11-15.md");
    await assert.rejects(memory.add("D.", { scope: "project", to: "user:memory/b.md" }), {
      code: "entry-invalid",
    });
    for (const to of ["user:../x.md", "user:/etc/x.md", "user:user:x.md", "user:README.md", "user:"])
      await assert.rejects(memory.add("E.", { to }), { code: "path-outside-memory" });
  });

  test("notes of both are listed, read whole and edited", async (t) => {
    const fixture = makeLayers(t);
    const memory = await fixture.open();
    const listed = await memory.listNotes();
    assert.deepEqual(
      listed.map(({ path, layer }) => [path, layer]),
      [
        ["MEMORY.md", "project"],
        ["memory/2026-03-01.md", "project"],
        ["user:MEMORY.md", "user"],
        ["user:memory/reading.md", "user"],
      ],
    );
    const { hash } = (await memory.readNote({ path: "user:MEMORY.md" }))!;
    const edited = await memory.editNote({ path: "user:MEMORY.md", text: "- Okapi.\n", expectedHash: hash });
    assert.equal(edited.path, "user:MEMORY.md");
    assert.equal(fixture.readUser("MEMORY.md"), "- Okapi.\n");
    assert.equal(readFileSync(fixture.at("MEMORY.md"), "utf8"), ofProject["MEMORY.md"]);
    assert.equal((await memory.search("okapi")).results[0]?.path, "user:MEMORY.md");
    await assert.rejects(memory.editNote({ path: "user:MEMORY.md", text: "x", expectedHash: hash }), {
      code: "note-changed",
      message: /^In the user's memory: /,
    });
  });

  test("forget reaches both, by path, by question and by what was seen", async (t) => {
    const fixture = makeLayers(t);
    const memory = await fixture.open();
    const line = await memory.forget({ path: "user:MEMORY.md", startLine: 5, endLine: 5 });
    assert.deepEqual(line.removed, [{ path: "user:MEMORY.md", startLine: 5, endLine: 5 }]);
    assert.equal(line.receipt?.notes[0]?.path, "user:MEMORY.md");
    assert.ok(!fixture.readUser("MEMORY.md").includes("Ines"));
    assert.equal(readFileSync(fixture.at("MEMORY.md"), "utf8"), ofProject["MEMORY.md"]);

    const { passages = [] } = await memory.forget({ query: "heron", words: "any", dryRun: true });
    const touched = new Set(passages.map(({ path }) => path));
    assert.ok(touched.has("MEMORY.md") && touched.has("user:MEMORY.md"));
    const seen = [
      passages.find(({ path }) => path === "MEMORY.md")!,
      passages.find(({ path }) => path === "user:MEMORY.md")!,
    ];
    const both = await memory.forget({ passages: seen });
    assert.deepEqual(
      both.removed.map(({ path }) => path),
      ["MEMORY.md", "user:MEMORY.md"],
    );
    assert.equal(both.receipt?.complete, true);
    assert.ok(!fixture.readUser("MEMORY.md").includes("tabs"));

    await memory.forget({ query: "heron" });
    assert.deepEqual((await memory.search("heron")).results, []);
    const whole = await memory.forget({ path: "user:memory/reading.md" }).catch((error) => error.code);
    assert.equal(typeof whole === "string" ? whole : whole.receipt?.notes[0]?.path, "user:memory/reading.md");
  });
});

suite("Upkeep of both", () => {
  test("sync, status, verify and repair report both", async (t) => {
    const memory = await makeLayers(t).open();
    const { added } = await memory.sync();
    assert.equal(added, 4);
    const { files, userLayer } = await memory.status();
    assert.deepEqual([files, userLayer?.files, userLayer?.dirty], [2, 2, false]);
    assert.equal((await memory.listIndexed())?.length, 4);
    const { equal, documents } = await memory.verify();
    assert.deepEqual([equal, documents], [true, 4]);
    assert.deepEqual(await memory.checkIndex(), []);
    assert.equal((await memory.repair()).equal, true);
  });

  test("a session begins with the user's long-term memory, within the same limit", async (t) => {
    const fixture = makeLayers(t);
    fixture.writeUser("memory/2026-11-15.md", "- A daily note of mine.\n");
    const long = Array.from(
      { length: 200 },
      (_, line) => `- Line ${line} of what I always say about herons.`,
    );
    fixture.writeUser("MEMORY.md", `${long.join("\n")}\n`);
    fixture.write("MEMORY.md", `${long.join("\n")}\n`);
    fixture.write("memory/2026-11-15.md", `${long.join("\n")}\n`);
    const memory = await fixture.open();
    const { notes } = await memory.startSession({ sessionKey: direct });
    assert.deepEqual(
      notes.map(({ path }) => path),
      ["user:MEMORY.md", "MEMORY.md", "memory/2026-11-15.md"],
    );
    assert.ok(notes[0]!.text.length <= 2500 && notes[0]!.text.length > 2000);
    assert.equal(notes[0]!.lines, notes[0]!.text.split("\n").length);
    assert.ok(notes.reduce((sum, { text }) => sum + text.length, 0) <= 8500);
  });
});
