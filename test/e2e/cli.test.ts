import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { skipWithoutLinks, skipWithoutModes } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

function errorOf(value: unknown): { code: string; message: string; hint: string; retryable: boolean } {
  return (value as { error: { code: string; message: string; hint: string; retryable: boolean } }).error;
}

test("without a command, the help is shown on stderr and the exit code is 2", async (t) => {
  const fixture = openCliFixture(t);
  const { code, stdout, stderr } = await fixture.run();
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /^Usage: longhand/);
  const asJson = await fixture.json();
  assert.equal(asJson.code, 2);
  assert.equal(errorOf(asJson.value).code, "usage");
});

test("help and version are printed on stdout", async (t) => {
  const fixture = openCliFixture(t);
  const help = await fixture.run("help", "search");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /Usage: longhand search/);
  assert.match((await fixture.run("--version")).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("for an invalid command line, the nearest valid one is suggested, with exit code 2 and no stack trace", async (t) => {
  const fixture = openCliFixture(t);
  const { code, stdout, stderr } = await fixture.run("serach", "x");
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.equal(stderr.split("\n").length, 3);
  assert.match(stderr, /Did you mean search\?/);
  const asJson = await fixture.json("search", "x", "-n", "many");
  assert.equal(asJson.code, 2);
  assert.equal(errorOf(asJson.value).code, "usage");
  assert.match(errorOf(asJson.value).hint, /whole number from 1/);
});

test("init creates a memory in the current folder, and changes nothing the second time", async (t) => {
  const fixture = openCliFixture(t);
  const first = await fixture.json("init");
  const configPath = path.join(fixture.stateDir, "longhand.json5");
  assert.deepEqual(first.value, {
    workspace: fixture.project,
    created: ["MEMORY.md", "memory/", configPath],
  });
  assert.ok(statSync(path.join(fixture.project, "memory")).isDirectory());
  writeFileSync(path.join(fixture.project, "MEMORY.md"), "mine\n");
  writeFileSync(configPath, "{}");
  const second = await fixture.json("init");
  assert.deepEqual(second.value, { workspace: fixture.project, created: [] });
  assert.equal(readFileSync(path.join(fixture.project, "MEMORY.md"), "utf8"), "mine\n");
  assert.equal(readFileSync(configPath, "utf8"), "{}");
});

test("init takes a folder, or the one that the environment or the configuration names", async (t) => {
  const fixture = openCliFixture(t);
  const deep = path.join(fixture.home, "a", "b");
  assert.equal(((await fixture.json("init", deep)).value as { workspace: string }).workspace, deep);
  const named = path.join(fixture.home, "named");
  await fixture.runWith({ env: { LONGHAND_WORKSPACE: named } }, "init");
  assert.ok(existsSync(path.join(named, "MEMORY.md")));
  const configured = path.join(fixture.home, "configured");
  const config = path.join(fixture.home, "c.json5");
  writeFileSync(config, `{ agents: { defaults: { workspace: ${JSON.stringify(configured)} } } }`);
  await fixture.run("init", "--config", config);
  assert.ok(existsSync(path.join(configured, "MEMORY.md")));
  assert.ok(!existsSync(path.join(fixture.project, "MEMORY.md")));
});

test("init creates a missing configuration file that was named", async (t) => {
  const fixture = openCliFixture(t);
  const config = path.join(fixture.home, "deep", "mine.json5");
  assert.equal((await fixture.run("init", "--config", config)).code, 0);
  if (skipWithoutModes === false) assert.equal(statSync(config).mode & 0o777, 0o600);
  assert.equal((await fixture.run("config", "--config", config)).code, 0);
});

test("init reports a configuration file that cannot be where it was named", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("file", "");
  const { code, value } = await fixture.json("init", "--config", path.join("file", "my.json5"));
  assert.notEqual(code, 0);
  const { error } = value as { error: { code: string; message: string } };
  assert.equal(error.code, "config-invalid");
  assert.match(error.message, /my\.json5 cannot be written/);
});

test("init keeps a memory.md, and reports what is in the way", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("memory.md", "lower case\n");
  const kept = (await fixture.json("init")).value as { created: string[] };
  assert.ok(!kept.created.includes("MEMORY.md"));
  const file = path.join(fixture.home, "file");
  writeFileSync(file, "");
  for (const dir of [file, path.join(file, "below")]) {
    const { code, value } = await fixture.json("init", dir);
    assert.equal(code, 1);
    assert.equal(errorOf(value).code, "workspace-missing");
  }
  assert.equal((await fixture.run("init", "")).code, 2);
  assert.equal((await fixture.run("init", "x", "--workspace", "y")).code, 2);
});

test("config shows values with their origin, one value, the schema and the path", async (t) => {
  const fixture = openCliFixture(t);
  await fixture.run("init");
  writeFileSync(
    path.join(fixture.stateDir, "longhand.json5"),
    "{ agents: { defaults: { memorySearch: { query: { maxResults: 9 } } } } }",
  );
  const key = "memorySearch.query.maxResults";
  assert.equal((await fixture.run("config", "get", key)).stdout, "9\n");
  const one = (await fixture.json("config", "get", key)).value as {
    key: string;
    value: number;
    origin: string;
  };
  assert.equal(one.value, 9);
  assert.match(one.origin, /longhand\.json5/);
  const all = (await fixture.json("config")).value as { key: string; origin: string }[];
  assert.equal(all.find((setting) => setting.key === "memorySearch.query.minScore")?.origin, "default");
  assert.match(
    (await fixture.run("config")).stdout,
    /^memorySearch\.query\.maxResults = 9 {2}# .*longhand\.json5/m,
  );
  const schema = (await fixture.json("config", "schema")).value as { type: string };
  assert.equal(schema.type, "object");
  assert.equal(
    (await fixture.run("config", "path")).stdout,
    `${path.join(fixture.stateDir, "longhand.json5")}\n`,
  );
});

test("with a broken configuration, every command exits with 2 and reports the position of the fault", async (t) => {
  const fixture = openCliFixture(t);
  await fixture.run("init");
  writeFileSync(path.join(fixture.stateDir, "longhand.json5"), "{\n  agents: {\n    oops\n");
  for (const argv of [
    ["config"],
    ["search", "x"],
    ["status"],
    ["index"],
    ["add", "x"],
    ["get", "MEMORY.md"],
    ["init"],
  ]) {
    const { code, value } = await fixture.json(...argv);
    assert.equal(code, 2, argv[0]);
    assert.equal(errorOf(value).code, "config-invalid");
  }
  const { stderr } = await fixture.run("status");
  assert.match(stderr, /line|:\d+/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

test("config reports what is wrong with its arguments", async (t) => {
  const fixture = openCliFixture(t);
  for (const argv of [["get"], ["get", "no.such.key"], ["frobnicate"], ["path", "x"]]) {
    const { code, value } = await fixture.json("config", ...argv);
    assert.equal(code, 2, argv.join(" "));
    assert.equal(errorOf(value).code, "usage");
  }
});

test("completion prints a script, and refuses a shell it does not know", async (t) => {
  const fixture = openCliFixture(t);
  assert.match((await fixture.run("completion", "bash")).stdout, /complete .* longhand/);
  assert.equal((await fixture.run("completion", "tcsh")).code, 2);
});

test("--debug adds the code and the stack, nothing else does", async (t) => {
  const fixture = openCliFixture(t);
  const quiet = await fixture.run("config", "get", "nope");
  assert.doesNotMatch(quiet.stderr, /\n\s+at /);
  const debug = await fixture.run("config", "get", "nope", "--debug");
  assert.match(debug.stderr, /code: usage/);
  assert.match(debug.stderr, /\n\s+at /);
});

test("the tools are shown for people, and in the format of each API", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Facts\n");
  const { stdout } = await fixture.run("tools");
  assert.match(stdout, /memory_search\nSearch notes from earlier conversations[\s\S]*memory_add/);
  const names = async (...argv: string[]) =>
    [...(await fixture.run("tools", ...argv)).stdout.matchAll(/"name": "(memory_\w+)"/g)].map(
      ([, name]) => name,
    );
  for (const format of ["openai", "openai-responses", "anthropic", "gemini", "mcp"]) {
    assert.deepEqual(await names("--format", format), ["memory_search", "memory_get", "memory_add"], format);
  }
  assert.deepEqual(await names("--format", "mcp", "--read-only"), ["memory_search", "memory_get"]);
  const { value } = await fixture.json("tools", "--format", "gemini");
  assert.equal((value as { functionDeclarations: unknown[] }[])[0]?.functionDeclarations.length, 3);
  assert.equal((await fixture.run("tools", "--format", "cobol")).code, 2);
});

test("a search with no time to check the notes warns only when an edit is missing from its answer", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("memory/a.md", "The quokka sleeps.\n");
  await fixture.run("index");
  await fixture.run("config", "set", "memorySearch.sync.searchWaitMs", "0", "--user");
  const unchanged = await fixture.run("search", "quokka");
  assert.match(unchanged.stdout, /quokka/);
  assert.doesNotMatch(unchanged.stderr, /note:/);
  fixture.write("memory/b.md", "The wallaby hops.\n");
  const edited = await fixture.run("search", "wallaby");
  assert.ok(
    /hops/.test(edited.stdout) || /note: some notes were not indexed in time/.test(edited.stderr),
    edited.stderr,
  );
});

test("usage reports if no line, or every line, was recalled", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "The zebra sleeps.\n");
  await fixture.run("search", "zebra");
  assert.match((await fixture.run("usage")).stdout, /^MEMORY\.md:1 {2}1 recall/);
  assert.match(
    (await fixture.run("usage", "--never")).stderr,
    /^Every line has been recalled\. Counted since/,
  );
  fixture.write("MEMORY.md", "The heron wades.\n");
  assert.match((await fixture.run("usage")).stderr, /^No line of the current notes has been recalled\./);
});

test("hits of MEMORY.md do not hide that the other notes are behind a symbolic link", {
  skip: skipWithoutLinks,
}, async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "The zebra sleeps.\n");
  fixture.write("real/animals.md", "The zebra eats.\n");
  symlinkSync("real", path.join(fixture.project, "memory"));
  const { stdout, stderr } = await fixture.run("search", "zebra");
  assert.match(stdout, /The zebra sleeps/);
  assert.match(stderr, /note: memory\/ is a symbolic link, which is not followed/);
});

test("a search that finds nothing names the symbolic links that were not followed", {
  skip: skipWithoutLinks,
}, async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# Boats\n");
  fixture.write("real/animals.md", "The zebra sleeps.\n");
  symlinkSync("real", path.join(fixture.project, "memory"));
  const { stderr } = await fixture.run("search", "zebra");
  assert.match(stderr, /symbolic links are not followed: memory\n/);
});
