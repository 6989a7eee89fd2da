// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are tested here.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import json5 from "json5";
import { type EmbeddingServer, openEmbeddingServer } from "../support/embedding-server.ts";
import { folderState } from "../support/folder-state.ts";
import { makeOpenclawDatabase } from "../support/openclaw-database.ts";
import { openCliFixture } from "../support/run-cli.ts";
import { openclaw, talk } from "../support/transcript-lines.ts";

const notes = {
  "MEMORY.md": "# Memory\n\nThe quokka is called Ringo.\n",
  "memory/2026-03-01.md": "We ship on Fridays only.\n",
  "memory/2026-03-02.md": "The boiler was serviced.",
};

/** A home folder in which OpenClaw has been used: settings, notes, transcripts and an index with paid vectors. */
async function openHome(t: TestContext, { layout }: { layout: "2026.9" | "2026.4" }) {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const fixture = openCliFixture(t);
  const stateDir = join(fixture.home, ".openclaw");
  const workspace = join(fixture.home, "clawd");
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const search = {
    provider: "openai",
    model: "text-embedding-3-small",
    remote: { baseUrl: server.baseUrl("openai"), apiKey: "sk-in-the-file" },
    sources: ["memory", "sessions"],
    experimental: { sessionMemory: true },
  };
  const agents =
    layout === "2026.9" ? { defaults: { workspace } } : { defaults: { workspace, memorySearch: search } };
  const config = { gateway: { port: 18789 }, agents, ...(layout === "2026.9" && { memory: { search } }) };
  write(join(stateDir, "openclaw.json"), `// mine\n${JSON.stringify(config)}`);
  for (const [name, text] of Object.entries(notes)) write(join(workspace, name), text);
  write(join(stateDir, "agents/main/sessions/old.jsonl"), talk(["the wombat digs at night"]));
  const database = join(stateDir, "agents/main/agent/openclaw-agent.sqlite");
  if (layout === "2026.9") {
    using opened = makeOpenclawDatabase(database);
    opened.addSession("abc");
    opened.append("abc", [openclaw.head("abc"), openclaw.message("user", "the numbat eats termites")]);
    addVectors(opened.db, { table: "memory_embedding_cache", server });
  } else {
    mkdirSync(join(stateDir, "memory"), { recursive: true });
    using db = new DatabaseSync(join(stateDir, "memory/main.sqlite"));
    addVectors(db, { table: "embedding_cache", server });
  }
  const env = { LONGHAND_STATE_DIR: join(fixture.home, ".longhand") };
  const run = (...argv: string[]) => fixture.runWith({ env, cwd: fixture.home }, ...argv);
  return { ...fixture, server, stateDir, workspace, env, run };
}

/** OpenClaw's format for short notes: the whole file with its final line break. */
function addVectors(db: DatabaseSync, { table, server }: { table: string; server: EmbeddingServer }): void {
  db.exec(
    `CREATE TABLE ${table} (provider TEXT, model TEXT, provider_key TEXT, hash TEXT, embedding, dims INTEGER, updated_at INTEGER)`,
  );
  const insert = db.prepare(
    `INSERT INTO ${table} VALUES ('openai', 'text-embedding-3-small', 'k', ?, ?, ?, 1)`,
  );
  for (const [name, text] of Object.entries(notes)) {
    if (name === "memory/2026-03-01.md") continue;
    const vector = server.vectorOf(text.trim());
    const hash = createHash("sha256").update(text).digest("hex");
    const packed = new Uint8Array(Float64Array.from(vector).buffer);
    insert.run(hash, table === "embedding_cache" ? JSON.stringify(vector) : packed, vector.length);
  }
}

suite("Moving in from OpenClaw", () => {
  for (const layout of ["2026.9", "2026.4"] as const) {
    test(`imports settings, transcripts and vectors of ${layout} without a request to a service, and changes nothing there`, async (t) => {
      const home = await openHome(t, { layout });
      const before = folderState(home.stateDir);
      const notesBefore = folderState(home.workspace);
      const env = { ...home.env, OPENAI_API_KEY: "sk-exported" };
      const moved = await home.runWith({ env, cwd: home.home }, "init", "--from-openclaw");
      assert.deepEqual([moved.code, home.server.requests.length], [0, 0], moved.stderr);
      // Documents without a vector: one note, and the transcripts.
      const transcripts = layout === "2026.9" ? 2 : 1;
      assert.match(moved.stdout, /2 vectors imported, so their texts need not be sent/);
      assert.match(moved.stdout, new RegExp(`; ${transcripts + 1} texts have none yet`));
      assert.match(moved.stdout, new RegExp(`${transcripts} transcripts? searched in place\n`));
      assert.match(
        moved.stderr,
        /Export them where longhand runs:\n {2}OPENAI_API_KEY {2}\(.*remote\.apiKey/,
      );
      assert.match(moved.stderr, /Not about memory, and not read: gateway/);

      const config = readFileSync(join(home.home, ".longhand/longhand.json5"), "utf8");
      assert.doesNotMatch(config, /sk-/);
      const { agents } = json5.parse(config);
      assert.equal(agents.defaults.workspace, home.workspace);
      assert.equal(agents.defaults.memorySearch.model, "text-embedding-3-small");

      const index = await home.runWith({ env, cwd: home.home }, "index");
      assert.equal(index.code, 0, index.stderr);
      const sent = home.server.requests.flatMap(({ texts }) => texts);
      const notesSent = sent.filter((text) => /Ringo|Fridays|boiler/.test(text));
      assert.deepEqual(notesSent, ["We ship on Fridays only."], "only the text without a vector");
      const found = await home.runWith({ env, cwd: home.home }, "search", "wombat", "--json");
      assert.match(found.stdout, /sessions\/old\.jsonl/);
      if (layout === "2026.9") {
        const numbat = await home.runWith({ env, cwd: home.home }, "search", "numbat termites", "--json");
        assert.match(numbat.stdout, /sessions\/abc\.jsonl/);
      }
      assert.deepEqual(folderState(home.stateDir), before);
      assert.deepEqual(folderState(home.workspace), notesBefore);

      const again = await home.runWith({ env, cwd: home.home }, "init", "--from-openclaw");
      assert.equal(again.code, 0, again.stderr);
      assert.doesNotMatch(again.stdout, /created/);
    });
  }

  test("works in place: the state folder is OpenClaw's, and its configuration is used", async (t) => {
    const home = await openHome(t, { layout: "2026.4" });
    const before = readFileSync(join(home.stateDir, "openclaw.json"), "utf8");
    const run = (...argv: string[]) =>
      home.runWith({ env: { LONGHAND_STATE_DIR: home.stateDir }, cwd: home.home }, ...argv);
    const found = await run("search", "what is the quokka called?");
    assert.match(found.stdout, /Ringo/, found.stderr);
    const { stdout } = await run("config", "get", "workspace", "--json");
    assert.equal(JSON.parse(stdout).value, home.workspace);
    const moved = await run("init", "--from-openclaw", "--json");
    assert.equal(JSON.parse(moved.stdout).agents[0].vectors.provider, "openai", moved.stderr);
    assert.equal((await run("init", "--provider", "openai", ".")).code !== 0, true);
    assert.equal(readFileSync(join(home.stateDir, "openclaw.json"), "utf8"), before);
    assert.equal(existsSync(join(home.stateDir, "longhand.json5")), false);
  });

  test("prints what it would write, never overwrites a configuration, and lists where it searched in vain", async (t) => {
    const home = await openHome(t, { layout: "2026.9" });
    const printed = await home.run("init", "--from-openclaw", "--print");
    assert.equal(json5.parse(printed.stdout).agents.defaults.memorySearch.provider, "openai");
    assert.equal(existsSync(join(home.home, ".longhand")), false);

    mkdirSync(join(home.home, ".longhand"));
    writeFileSync(join(home.home, ".longhand/longhand.json5"), "{memory: {citations: 'on'}}");
    const refused = await home.run("init", "--from-openclaw");
    assert.match(refused.stderr, /A configuration already exists/);
    assert.notEqual(refused.code, 0);

    const missing = await home.run("init", "--from-openclaw", "nowhere");
    assert.match(missing.stderr, /OpenClaw was not found in .*nowhere/);
  });

  test("writes the configuration without a key, and says which one to export", async (t) => {
    const home = await openHome(t, { layout: "2026.9" });
    const file = join(home.home, ".openclaw/openclaw.json");
    writeFileSync(file, JSON.stringify({ memory: { search: { provider: "mistral" } } }));
    const first = await home.run("init", "--from-openclaw");
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /left out: transcripts and vectors.*Set MISTRAL_API_KEY in the environment/);
    const search = json5.parse(readFileSync(join(home.home, ".longhand/longhand.json5"), "utf8")).agents
      .defaults.memorySearch;
    assert.deepEqual(search, {
      provider: "openai",
      model: "mistral-embed",
      remote: { baseUrl: "https://api.mistral.ai/v1", apiKey: "${MISTRAL_API_KEY}" },
    });
  });

  test("accepts a workspace alone, such as ~/clawd", async (t) => {
    const home = await openHome(t, { layout: "2026.9" });
    const { stdout, stderr } = await home.run("init", "--from-openclaw", "clawd", "--json");
    assert.deepEqual(
      JSON.parse(stdout).agents.map(({ id, workspace }: Record<string, unknown>) => [id, workspace]),
      [["main", home.workspace]],
      stderr,
    );
    const found = await home.run("search", "quokka");
    assert.match(found.stdout, /Ringo/);
  });

  test("`sessions import` finds OpenClaw by itself", async (t) => {
    const home = await openHome(t, { layout: "2026.9" });
    const { stdout } = await home.run("sessions", "import", "--workspace", home.workspace, "--json");
    assert.match(stdout, /openclaw-agent\.sqlite/);
    assert.match(stdout, /agents[\\/]+main[\\/]+sessions/);
  });
});
