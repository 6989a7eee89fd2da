import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { sha256 } from "../src/text/hash.ts";
import { createConceptEmbedder } from "./support/concept-embedder.ts";
import { makeMemoryFixture, withMemorySearch } from "./support/memory-fixture.ts";
import { cliProgram } from "./support/programs.ts";
import { openCliFixture } from "./support/run-cli.ts";

const secret = "The alarm code of the quokkaberry warehouse is 7741-zebrafinch.";
/** Not the number: four digits occur by chance in a timestamp or a hash, in one of a hundred indexes. */
const needles = [secret, "quokkaberry", "zebrafinch"];

/** Which of the needles occur in any file of a folder, read by a process that has no index open. */
function findInFiles(dir: string): string[] {
  const source = `
    const { readdirSync, readFileSync } = require("node:fs");
    const [dir, ...needles] = process.argv.slice(1);
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const all = files.map((entry) => readFileSync(entry.parentPath + "/" + entry.name).toString("latin1").toLowerCase());
    const isIn = (needle) => all.some((bytes) => bytes.includes(Buffer.from(needle).toString("latin1").toLowerCase()));
    console.log(JSON.stringify(needles.filter(isIn)));`;
  return JSON.parse(execFileSync(process.execPath, ["-e", source, dir, ...needles], { encoding: "utf8" }));
}

/** Long enough for several chunks that overlap. */
function longNote(line: string): string {
  const filler = (from: number) =>
    Array.from(
      { length: 40 },
      (_, i) => `- Entry ${from + i} tells of the weather, of invoices and of week ${i}.`,
    );
  return ["# Log", "", ...filler(0), line, ...filler(100), ""].join("\n");
}

describe("Forgotten text is in no byte of the index", () => {
  for (const kind of ["lines", "note", "query"] as const) {
    test(`by ${kind}, while the memory stays open and after it is closed`, async (t) => {
      const fixture = makeMemoryFixture(t, {
        "MEMORY.md": "# Memory\n\n- We ship on Fridays only.\n",
        "memory/log.md": longNote(`- ${secret}`),
      });
      const memory = await fixture.open({ embedder: createConceptEmbedder() });
      await memory.sync();
      // Earlier forms of the chunk have vectors of their own.
      fixture.write("memory/log.md", `${longNote(`- ${secret}`)}- One more.\n`);
      await memory.sync();
      assert.ok(findInFiles(fixture.stateDir).length > 0, "it was there");
      const file = "memory/log.md";
      const before = readFileSync(fixture.at(file), "utf8");
      const line = before.split("\n").indexOf(`- ${secret}`) + 1;
      const result = await memory.forget(
        kind === "lines"
          ? { path: file, startLine: line, endLine: line, text: `- ${secret}` }
          : kind === "note"
            ? { path: file }
            : { query: "alarm code of the quokkaberry warehouse", minScore: 0.3 },
      );
      assert.equal(result.receipt?.checked, "raw bytes of the index searched: not found");
      assert.equal(result.receipt.complete, true);
      assert.ok(result.chunks >= 1, `${result.chunks} chunks`);
      assert.ok(
        result.cacheEntries >= 1,
        `${result.cacheEntries} cached vectors, of the earlier form at least`,
      );
      const total = before.split("\n").length - 1;
      const whole = { path: file, startLine: 1, endLine: total };
      assert.deepEqual(result.removed, [
        kind === "note" ? whole : { path: file, startLine: line, endLine: line },
      ]);
      const after = before.replace(`- ${secret}\n`, "");
      assert.deepEqual(result.receipt.notes, [
        { path: file, before: sha256(before), after: kind === "note" ? null : sha256(after) },
      ]);
      if (kind === "note") assert.ok(!existsSync(fixture.at(file)));
      else assert.equal(readFileSync(fixture.at(file), "utf8"), after);
      assert.deepEqual(findInFiles(fixture.stateDir), []);

      const hits = await memory.search("quokkaberry alarm code zebrafinch");
      assert.doesNotMatch(JSON.stringify(hits.results), /quokkaberry/);
      await memory.close();
      assert.deepEqual(findInFiles(fixture.stateDir), []);
    });
  }

  test("even if all notes vanish at once, which a sync alone would not believe", async (t) => {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": `- ${secret}\n` });
    const memory = await fixture.open();
    await memory.sync();
    const { receipt, chunks } = await memory.forget({ path: "MEMORY.md" });
    assert.equal(receipt?.complete, true);
    assert.equal(chunks, 1);
    assert.deepEqual(findInFiles(fixture.stateDir), []);
  });

  test("with damaged copies of the index, which are deleted and named", async (t) => {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": `- ${secret}\n- kept\n` });
    const memory = await fixture.open();
    const { dbPath } = await memory.status();
    await memory.sync();
    writeFileSync(`${dbPath}.corrupt-1`, secret);
    writeFileSync(`${dbPath}.corrupt-1-wal`, secret);
    const { receipt } = await memory.forget({ path: "MEMORY.md", startLine: 1 });
    assert.deepEqual(receipt?.deletedFiles, [`${dbPath}.corrupt-1`]);
    assert.deepEqual(findInFiles(fixture.stateDir), []);
    assert.equal(readFileSync(fixture.at("MEMORY.md"), "utf8"), "- kept\n");
  });
});

test("the same text elsewhere stays and is named", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": `- ${secret}\n`,
    "memory/copy.md": `# Copy\n\n* ${secret}\n`,
  });
  const memory = await fixture.open();
  await memory.sync();
  const { receipt } = await memory.forget({ path: "MEMORY.md", startLine: 1, endLine: 1 });
  assert.deepEqual(receipt?.stillIn, [{ path: "memory/copy.md", line: 3 }]);
  assert.equal((await memory.search("quokkaberry")).results.length, 1);
});

test("text that is also in a transcript is named, never edited, and not shown to others", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": `- ${secret}\n`,
    "memory/a.md": `- ${secret}\n`,
    "memory/b.md": `- ${secret}\n`,
  });
  const spoken = path.join(fixture.stateDir, "agents/main/sessions/talk.jsonl");
  mkdirSync(path.dirname(spoken), { recursive: true });
  const head = { type: "session", id: "talk", version: 3, timestamp: "2026-11-01T10:00:00Z", cwd: "/" };
  const content = [{ type: "text", text: secret }];
  const message = {
    type: "message",
    id: "m1",
    timestamp: head.timestamp,
    message: { role: "user", content },
  };
  writeFileSync(spoken, `${JSON.stringify(head)}\n${JSON.stringify(message)}\n`);
  const before = readFileSync(spoken, "utf8");
  const config = withMemorySearch({
    sources: ["memory", "sessions"],
    experimental: { sessionMemory: true },
  });
  const memory = await fixture.open({ agent: "main", config });
  await memory.sync();
  const talk = { path: "sessions/talk.jsonl", line: 2 };
  const first = await memory.forget({ path: "memory/a.md", sessionKey: "agent:main:slack:channel:general" });
  assert.deepEqual(first.receipt?.stillIn, [{ path: "memory/b.md", line: 1 }]);
  await memory.forget({ path: "memory/b.md" });
  const last = await memory.forget({ path: "MEMORY.md" });
  assert.deepEqual(last.receipt?.stillIn, [talk]);
  assert.equal(last.receipt?.checked, "raw bytes of the index searched: found only where it still is");
  const { removed, skipped } = await memory.forget({ query: "quokkaberry" });
  assert.deepEqual([removed, skipped.map((each) => each.path)], [[], [talk.path]]);
  await assert.rejects(memory.forget({ path: talk.path, startLine: 2 }), /it is a transcript/);
  await assert.rejects(memory.forget({} as never), { code: "not-supported" });
  assert.equal(readFileSync(spoken, "utf8"), before);
});

test("a question removes only entries that have every word of it, and names the others", async (t) => {
  const note = "# M\n\n- quokkaberry jam is on the shelf\n- quokkaberries grow in the north\n- kept\n";
  const fixture = makeMemoryFixture(t, { "MEMORY.md": note });
  const memory = await fixture.open();
  const query = "quokkaberries on the shelf";
  const offered = await memory.forget({ query, dryRun: true, words: "any" });
  assert.deepEqual(offered.passages?.map(({ startLine }) => startLine).sort(), [3, 4]);
  const { removed, skipped } = await memory.forget({ query });
  assert.deepEqual(removed, [{ path: "MEMORY.md", startLine: 3, endLine: 3 }]);
  assert.match(skipped.map(({ reason }) => reason).join(), /MEMORY\.md:4 does not have every word/);
  assert.deepEqual((await memory.forget({ query })).removed, []);
  assert.equal(
    readFileSync(fixture.at("MEMORY.md"), "utf8"),
    "# M\n\n- quokkaberries grow in the north\n- kept\n",
  );
});

describe("A question that is to be forgotten", () => {
  test("is answered from all notes, although a search would not wait for the index", async (t) => {
    const notes: Record<string, string> = {};
    for (let i = 0; i < 300; i++) notes[`memory/n${i}.md`] = `- Entry ${i} tells of invoices.\n`;
    const fixture = makeMemoryFixture(t, { "MEMORY.md": `- ${secret}\n`, ...notes });
    const config = withMemorySearch({ sync: { searchWaitMs: 0 } });
    const memory = await fixture.open({ embedder: createConceptEmbedder(), config });
    await memory.sync();
    fixture.write("memory/later.md", longNote(`- ${secret}`));
    const { removed } = await memory.forget({ query: "quokkaberry warehouse zebrafinch" });
    assert.deepEqual(removed.map(({ path: each }) => each).toSorted(), ["MEMORY.md", "memory/later.md"]);
  });

  test("is asked again if lines move between the answer and reading the note", async (t) => {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": `- ${secret}\n` });
    const { embedQuery } = createConceptEmbedder();
    let isMoved = false;
    const embedder = createConceptEmbedder({
      // The index has been synced by then.
      embedQuery(text, options) {
        if (!isMoved) fixture.write("MEMORY.md", `# Memory\n\n- We ship on Fridays only.\n- ${secret}\n`);
        isMoved = true;
        return embedQuery(text, options);
      },
    });
    const memory = await fixture.open({ embedder });
    await memory.sync();
    const { removed } = await memory.forget({ query: "quokkaberry warehouse zebrafinch" });
    assert.ok(isMoved);
    assert.deepEqual(removed, [{ path: "MEMORY.md", startLine: 4, endLine: 4 }]);
  });
});

test("a dry run shows what would go and changes nothing", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": `# M\n\n- kept\n- ${secret}\n  and more of it\n` });
  const memory = await fixture.open();
  const { passages, removed } = await memory.forget({ query: "quokkaberry", dryRun: true });
  assert.deepEqual(passages, [
    { path: "MEMORY.md", startLine: 4, endLine: 5, text: `- ${secret}\n  and more of it` },
  ]);
  assert.deepEqual(removed, []);
  assert.match(readFileSync(fixture.at("MEMORY.md"), "utf8"), /quokkaberry/);
});

test("changed lines, other paths, and private notes in a group stay", async (t) => {
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": `- ${secret}\n`,
    "README.md": "text\n",
    "memory/a.md": "a\n",
  });
  linkSync(fixture.at("memory/a.md"), fixture.at("memory/b.md"));
  const memory = await fixture.open();
  const one = { startLine: 1, endLine: 1 };
  await assert.rejects(memory.forget({ path: "MEMORY.md", ...one, text: "other" }), { code: "note-changed" });
  await assert.rejects(memory.forget({ path: "MEMORY.md", startLine: 1, endLine: 9 }), {
    code: "note-changed",
  });
  await assert.rejects(memory.forget({ path: "README.md" }), { code: "path-outside-memory" });
  await assert.rejects(memory.forget({ path: "memory/none.md" }), { code: "note-changed" });
  await assert.rejects(memory.forget({ path: "memory/a.md" }), { code: "note-unwritable" });
  const sessionKey = "agent:main:slack:channel:general";
  const passages = [{ path: "MEMORY.md", ...one, text: `- ${secret}` }];
  for (const request of [{ path: "MEMORY.md", ...one }, { path: "MEMORY.md" }, { passages }]) {
    await assert.rejects(memory.forget({ ...request, sessionKey }), { code: "path-outside-memory" });
  }
  assert.deepEqual((await memory.forget({ query: "quokkaberry", sessionKey })).removed, []);
  assert.equal(readFileSync(fixture.at("MEMORY.md"), "utf8"), `- ${secret}\n`);
});

describe("longhand forget", () => {
  test("removes lines with --yes, and reports in the documented form", async (t) => {
    const fixture = openCliFixture(t);
    const file = fixture.write("MEMORY.md", `# Memory\n\n- ${secret}\n- kept\n`);
    await fixture.run("index");
    const { code, value } = await fixture.json("forget", "MEMORY.md:3-3", "--yes");
    const { removed, chunks, cacheEntries, receipt } = value as Record<string, unknown>;
    assert.equal(code, 0);
    assert.deepEqual(
      { removed, chunks, cacheEntries },
      {
        removed: [{ path: "MEMORY.md", startLine: 3, endLine: 3 }],
        chunks: 1,
        cacheEntries: 0,
      },
    );
    assert.equal((receipt as { complete: boolean }).complete, true);
    assert.equal(readFileSync(file, "utf8"), "# Memory\n\n- kept\n");
    assert.deepEqual(findInFiles(fixture.stateDir), []);
    assert.doesNotMatch(JSON.stringify(value), /quokkaberry/, "the receipt does not repeat the text");
  });

  test("shows what would be removed with --dry-run, and refuses without a terminal", async (t) => {
    const fixture = openCliFixture(t);
    const file = fixture.write("MEMORY.md", `- ${secret}\u202e\n- kept\n`);
    const mistaken = await fixture.run("forget", "quokkaberry jam", "--dry-run");
    assert.equal(mistaken.code, 2);
    assert.match(mistaken.stderr, /not the path of a note.*--query/s);
    const shown = await fixture.run("forget", "--query", "quokkaberry", "--dry-run");
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /MEMORY\.md:1\n {2}- - The alarm code .*<U\+202E>/);
    for (const argv of [
      ["MEMORY.md"],
      ["MEMORY.md:1"],
      ["--query", "quokkaberry"],
      ["MEMORY.md", "--json"],
    ]) {
      const { code, stdout, stderr } = await fixture.run("forget", ...argv);
      assert.equal(code, 2, argv.join(" "));
      assert.match(stdout + stderr, /--yes/);
    }
    for (const argv of [[], ["MEMORY.md", "--query", "x"], ["--query", " "], ["MEMORY.md:3-1"]]) {
      assert.equal((await fixture.run("forget", ...argv, "--yes")).code, 2, argv.join(" "));
    }
    assert.match(readFileSync(file, "utf8"), /quokkaberry/);
    assert.deepEqual(readdirSync(fixture.project), ["MEMORY.md"]);
  });

  test("asks on a terminal, and takes numbers for an answer", {
    skip: !hasScript() && "needs the program script",
  }, async (t) => {
    const fixture = openCliFixture(t);
    const note = `# M\n\n- alpha quokka one\n- beta\n- gamma quokka two\n`;
    const run = (answer: string, ...argv: string[]) => {
      const file = fixture.write("MEMORY.md", note);
      const command = [process.execPath, cliProgram, "forget", ...argv].map((word) => `'${word}'`).join(" ");
      const output = execFileSync("script", ["-qec", command, "/dev/null"], {
        cwd: fixture.project,
        input: `${answer}\n`,
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          HOME: fixture.home,
          LONGHAND_STATE_DIR: fixture.stateDir,
          TZ: "UTC",
        },
      });
      return { output, left: readFileSync(file, "utf8") };
    };
    const query = ["--query", "quokka", "--min-score", "0"];
    const none = run("", ...query);
    assert.equal(none.left, note);
    assert.match(none.output, /Which ones\?/);
    assert.equal(run("2", ...query).left, "# M\n\n- alpha quokka one\n- beta\n");
    assert.equal(run("all", ...query).left, "# M\n\n- beta\n");
    assert.equal(run("n", "MEMORY.md:4").left, note);
    assert.equal(run("y", "MEMORY.md:4").left, note.replace("- beta\n", ""));
    run("yes", "MEMORY.md:1-5");
    assert.equal(readFileSync(path.join(fixture.project, "MEMORY.md"), "utf8"), "");
  });
});

function hasScript(): boolean {
  try {
    execFileSync("script", ["--version"], { stdio: "ignore" });
    return process.platform === "linux";
  } catch {
    return false;
  }
}
