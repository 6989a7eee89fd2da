import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { finish } from "../support/child-process.ts";
import { skipOnWindows } from "../support/platform.ts";
import { cliProgram } from "../support/programs.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const skip = skipOnWindows("the commands of the page are for bash");
const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "migrate.md"), "utf8");

function block(name: string): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`sh ${name}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  assert.ok(found.length > 0, `docs/migrate.md has no block ${name}`);
  return found.map(([, text]) => text).join("\n");
}

/** A home folder with the data of another tool, in which commands of the page are run verbatim. */
function openHome(t: TestContext) {
  const folder = makeTemporaryFolder(t);
  const program = folder.write(
    "bin/longhand",
    `#!/bin/sh\nexec "${process.execPath}" "${cliProgram}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  const PATH = `${folder.at("bin")}:${dirname(process.execPath)}:${process.env["PATH"]}`;
  const run = async (script: string, cwd: string): Promise<string> => {
    const env = { PATH, HOME: folder.dir, TZ: "UTC" };
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: folder.at(cwd), env });
    const { code, stdout, stderr } = await finish(child);
    assert.equal(code, 0, `${stdout}${stderr}`);
    return stdout;
  };
  return { ...folder, run };
}

test("folders that qmd has as collections are adopted", { skip }, async (t) => {
  const home = openHome(t);
  home.write("notes/releases.md", "# Releases\n\nWe ship on Fridays only.\n");
  home.write("meetings/monday.md", "# Monday\n\nAt the meeting were Ada and Bea.\n");
  const shown = await home.run(block("qmd"), ".");
  assert.match(shown, /releases\.md/);
  assert.match(shown, /Ada and Bea/);
});

test("notes of basic-memory are adopted unchanged", { skip }, async (t) => {
  const home = openHome(t);
  home.write(
    "basic-memory/coffee/pour-over.md",
    "---\ntitle: Pour over\ntype: note\npermalink: coffee/pour-over\ntags: [coffee]\n---\n\n## Observations\n" +
      "- [technique] The water should be 96 degrees hot #brewing (from a class)\n\n## Relations\n- requires [[Grinder]]\n",
  );
  assert.match(await home.run(block("basic-memory"), "."), /pour-over\.md[\s\S]*96 degrees/);
});

test("facts that mem0 exports become notes by day", { skip }, async (t) => {
  const home = openHome(t);
  home.write("here/MEMORY.md", "# Memory\n");
  const facts = [
    { id: "1", memory: "Prefers aisle seats", created_at: "2026-03-02T09:00:00Z", categories: ["travel"] },
    { id: "2", memory: "Works at\nthe harbour", created_at: null },
  ];
  for (const shape of [{ results: facts }, facts, { data: facts }]) {
    home.write("here/mem0.json", JSON.stringify(shape));
    home.write("here/memory/mem0/2026-03-02.md", "");
    home.write("here/memory/mem0/undated.md", "");
    await home.run(block("mem0"), "here");
    const read = (name: string) => readFileSync(home.at(`here/memory/mem0/${name}`), "utf8");
    assert.equal(read("2026-03-02.md"), "- Prefers aisle seats #travel\n");
    assert.equal(read("undated.md"), "- Works at the harbour\n");
  }
  assert.match(await home.run('longhand search "which seat?"', "here"), /aisle seats/);
});

test("observations of claude-mem become notes by day and project", { skip }, async (t) => {
  const home = openHome(t);
  home.write("here/MEMORY.md", "# Memory\n");
  home.makeFolder(".claude-mem");
  const db = new DatabaseSync(home.at(".claude-mem/claude-mem.db"));
  db.exec(
    "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, " +
      "created_at TEXT, created_at_epoch INTEGER, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT)",
  );
  const at = Date.parse("2026-03-02T09:00:00Z");
  const insert = db.prepare(
    "INSERT INTO observations (project, text, type, created_at, created_at_epoch, title, facts, narrative) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const facts = JSON.stringify(["The pool has 20 connections"]);
  insert.run("web shop", "", "decision", "", at, "Pool size", facts, "We raised the pool to 20.");
  insert.run("web shop", "Plain text of an old version", "change", "", at + 1, null, null, null);
  db.close();
  await home.run(block("claude-mem"), "here");
  assert.equal(
    readFileSync(home.at("here/memory/claude-mem/2026-03-02-web-shop.md"), "utf8"),
    "## Pool size\n\nWe raised the pool to 20.\n\n- The pool has 20 connections\n\n## change\n\nPlain text of an old version\n\n",
  );
  assert.match(await home.run('longhand search "how large is the pool?"', "here"), /20 connections/);
});
