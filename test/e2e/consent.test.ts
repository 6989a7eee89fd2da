import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { suite, type TestContext, test } from "node:test";
import { commands } from "../../src/cli/commands.ts";
import { serviceHosts } from "../../src/config/provider-access.ts";
import { openEmbeddingServer } from "../support/embedding-server.ts";
import { connect, type ServerFixture } from "../support/mcp-clients.ts";
import { homeVariables } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

const trap = new URL("../support/refuse-network.mjs", import.meta.url).href;

const keys = {
  OPENAI_API_KEY: "sk-lying-about-1",
  GEMINI_API_KEY: "lying-about-2",
  GOOGLE_API_KEY: "lying-about-3",
  VOYAGE_API_KEY: "pa-lying-about-4",
};

/** A memory, every key in the environment, and a network that blocks everything but records who tried. */
function openClosedFixture(t: TestContext) {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n\nWe ship on Fridays only.\n");
  fixture.write("memory/zoo.md", "# Zoo\n\nThe quokka moved in.\n");
  const log = path.join(fixture.home, "network.log");
  const env = { ...keys, NODE_OPTIONS: `--import ${trap}`, NETWORK_LOG: log };
  // In an untrusted workspace, hooks would do little that could reach the network.
  const trusted = fixture.trust();
  const run = async (argv: readonly string[], input?: string) => {
    await trusted;
    return await fixture.runWith({ env, ...(input !== undefined && { input }) }, ...argv);
  };
  const attempts = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  return { ...fixture, env, run, attempts };
}

/** Every command but servers, which have their own tests. New commands must be added here. */
const tried: Readonly<Record<string, readonly (readonly [argv: string, input?: object])[]>> = {
  init: [["init"], ["init --claude-code"]],
  search: [["search when do we ship"], ["search quokka --explain"], ["search quokka --why-not MEMORY.md:3"]],
  get: [["get MEMORY.md"]],
  add: [["add A_new_fact"]],
  forget: [["forget --query quokka --dry-run"], ["forget memory/zoo.md --yes"]],
  sessions: [["sessions list"], ["sessions import"]],
  index: [["index"], ["index --force"]],
  status: [["status"], ["status --deep"], ["status --fix"]],
  verify: [["verify"]],
  migrate: [["migrate --to lancedb"]],
  doctor: [["doctor"]],
  trust: [["trust"], ["trust --list"]],
  hook: [
    ["hook session-start --within 120", { source: "startup" }],
    ["hook user-prompt --within 120", { prompt: "when do we ship?" }],
    ["hook pre-compact --within 120", { trigger: "auto" }],
    ["hook session-end --within 120", { reason: "exit" }],
  ],
  tools: [["tools"]],
  eval: [["eval"]],
  config: [["config"]],
  adopt: [["adopt --no-index"], ["adopt --undo"]],
  models: [["models list"], ["models path"]],
  completion: [["completion bash"]],
  links: [["links MEMORY.md"]],
  usage: [["usage"]],
  consolidate: [["consolidate"]],
};
const servers = ["mcp", "serve"];

suite("With every key in the environment and no choice made, nothing is sent:", () => {
  test("the list of commands is complete", () => {
    assert.deepEqual(
      commands.map(({ name }) => name).toSorted(),
      [...Object.keys(tried), ...servers].toSorted(),
    );
  });

  test("by any command", async (t) => {
    const fixture = openClosedFixture(t);
    for (const [argv, input] of Object.values(tried).flat()) {
      const text = input && JSON.stringify({ cwd: fixture.project, session_id: "s1", ...input });
      const { code, stderr } = await fixture.run(argv.split(" "), text);
      assert.deepEqual(fixture.attempts(), [], argv);
      assert.notEqual(code, 2, `${argv}: ${stderr}`);
      assert.doesNotMatch(stderr, /ERR_/, `${argv}: did the trap load?`);
    }
  });

  test("by the MCP server", async (t) => {
    const fixture = openClosedFixture(t);
    const env = {
      PATH: process.env["PATH"]!,
      ...homeVariables(fixture.home),
      LONGHAND_STATE_DIR: fixture.stateDir,
      ...fixture.env,
    };
    const server: ServerFixture = { kind: "stdio", argv: [], cwd: fixture.project, env };
    const client = await connect("newer protocol", server);
    t.after(() => client.close());
    const { content } = await client.callTool({ name: "memory_search", arguments: { query: "quokka" } });
    assert.match(content[0]!.text, /moved in/);
    assert.deepEqual(fixture.attempts(), []);
  });

  test("by the HTTP server", async (t) => {
    const fixture = openClosedFixture(t);
    const child = fixture.start({ env: fixture.env, keepInputOpen: true }, "serve", "--port", "0", "--json");
    const [line] = await once(child.stdout!, "data");
    const { url, tokenFile } = JSON.parse(String(line)) as { url: string; tokenFile: string };
    const headers = { authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
    for (const route of ["search?query=quokka", "status", "notes", "config"]) {
      assert.equal((await fetch(`${url}/api/${route}`, { headers })).status, 200, route);
    }
    assert.deepEqual(fixture.attempts(), []);
  });
});

test("a choice is respected: the same trap sees requests to the named service, at the configured address", async (t) => {
  for (const [provider, host] of [...Object.entries(serviceHosts), ["auto", serviceHosts.openai] as const]) {
    const fixture = openClosedFixture(t);
    assert.equal((await fixture.run(["init", "--provider", provider])).code, 0);
    await fixture.run(["index"]);
    assert.ok(fixture.attempts().length > 0);
    assert.ok(
      fixture.attempts().every((attempt) => attempt.includes(host)),
      `${provider}: ${fixture.attempts()[0]}`,
    );
  }
});

suite("A key in the environment", () => {
  test("is mentioned once by status, doctor and init, with what would use it and what would be sent where", async (t) => {
    const fixture = openClosedFixture(t);
    for (const argv of ["init", "status", "doctor"]) {
      const { stdout, stderr } = await fixture.run([argv]);
      const lines = `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
      assert.equal(lines.split("OPENAI_API_KEY").length, 2, argv);
      assert.match(lines, /longhand init --provider openai/, argv);
      assert.match(lines, /notes and questions, .* sent to api\.openai\.com/, argv);
      assert.ok(!Object.values(keys).some((key) => lines.includes(key)));
    }
  });

  test("is not mentioned once the user has chosen, whatever the choice was", async (t) => {
    const fixture = openClosedFixture(t);
    await fixture.run(["init", "--provider", "builtin"]);
    const { stdout } = await fixture.run(["status"]);
    assert.doesNotMatch(stdout, /API_KEY/);
  });
});

test("settings of a service without a provider are not a choice, and doctor reports that", async (t) => {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n\nWe ship on Fridays only.\n");
  await fixture.run("init");
  const config = path.join(fixture.stateDir, "longhand.json5");
  const remote = { baseUrl: server.baseUrl("openai"), apiKey: "sk-in-a-file" };
  const models = { providers: { google: { apiKey: "in-a-file" } } };
  const memorySearch = { remote, model: "text-embedding-3-large" };
  writeFileSync(config, JSON.stringify({ agents: { defaults: { memorySearch } }, models }));
  await fixture.run("index");
  const { stdout } = await fixture.run("doctor");
  for (const name of [
    "remote.apiKey",
    "remote.baseUrl",
    "memorySearch.model",
    "models.providers.google.apiKey",
  ])
    assert.match(stdout, new RegExp(name.replaceAll(".", "\\.")));
  assert.match(stdout, /not used, nothing is sent/);
  assert.deepEqual(server.requests, []);

  const chosen = { ...memorySearch, provider: "openai" };
  writeFileSync(config, JSON.stringify({ agents: { defaults: { memorySearch: chosen } } }));
  await fixture.run("index");
  assert.ok(server.requests.length > 0);
});

test("init --provider keeps the rest of the configuration, and refuses what an agent's own setting would override", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n");
  await fixture.run("init");
  const config = path.join(fixture.stateDir, "longhand.json5");
  const before = readFileSync(config, "utf8");
  const chosen = await fixture.run("init", "--provider", "voyage");
  assert.match(
    chosen.stderr,
    /voyage is set, but has no key, so the builtin model is used until you set VOYAGE_API_KEY/,
  );
  const after = readFileSync(config, "utf8");
  assert.match(after, /provider: ?"voyage"|"provider": ?"voyage"/);
  assert.ok(before.split("\n").every((line) => after.includes(line.trim())));
  const { value } = await fixture.json("config", "get", "memorySearch.provider");
  assert.equal((value as { value: string }).value, "voyage");

  const list = [{ id: "main", workspace: fixture.project, memorySearch: { provider: "none" } }];
  writeFileSync(config, JSON.stringify({ agents: { list } }));
  const refused = await fixture.run("init", "--provider", "voyage");
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /agents\.list\[0\]\.memorySearch\.provider/);
});

test("with auto, hooks follow the index instead of the keys of their host", async (t) => {
  const server = await openEmbeddingServer();
  t.after(() => server[Symbol.asyncDispose]());
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n\nWe ship on Fridays only.\n");
  await fixture.run("init");
  const config = path.join(fixture.stateDir, "longhand.json5");
  const models = {
    providers: {
      openai: { baseUrl: server.baseUrl("openai") },
      google: { baseUrl: server.baseUrl("gemini") },
    },
  };
  writeFileSync(
    config,
    JSON.stringify({ agents: { defaults: { memorySearch: { provider: "auto" } } }, models }),
  );
  const ask = async (env: Record<string, string>) => {
    const input = JSON.stringify({ cwd: fixture.project, session_id: "s1", prompt: "when do we ship?" });
    const { stdout } = await fixture.runWith({ env, input }, "hook", "user-prompt", "--within", "120");
    assert.match(stdout, /ship on Fridays/);
    assert.doesNotMatch(stdout, /Weaker|chunks have their vectors|API_KEY/);
  };
  const { GEMINI_API_KEY, OPENAI_API_KEY } = keys;
  // No provider has been chosen for this index yet, and a hook does not choose.
  await ask({ GEMINI_API_KEY });
  assert.deepEqual(server.requests, []);

  await fixture.runWith({ env: { OPENAI_API_KEY } }, "index");
  const asked = server.requests.length;
  assert.ok(asked > 0);
  // A hook contacts no service, whatever keys its host passes on.
  for (const env of [{ GEMINI_API_KEY }, {}, { OPENAI_API_KEY, GEMINI_API_KEY }]) await ask(env);
  assert.equal(server.requests.length, asked);

  const { stdout } = await fixture.runWith({ env: { GEMINI_API_KEY } }, "status");
  assert.match(stdout, /the index was made with openai, which this process cannot use/);
});
