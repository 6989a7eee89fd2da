import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openCliFixture } from "../support/run-cli.ts";

test("a setting is changed for all or for this project, is validated first, and comments are kept", async (t) => {
  const { run, runWith, json, stateDir, home, write } = openCliFixture(t);
  write("memory/a.md", "x");
  const file = path.join(stateDir, "longhand.json5");
  mkdirSync(stateDir);
  writeFileSync(
    file,
    "{\n  // how many\n  agents: { defaults: { memorySearch: { query: { maxResults: 5 } } } },\n}\n",
  );
  assert.equal((await run("config", "set", "memorySearch.query.maxResults", "9")).code, 0);
  assert.equal(
    readFileSync(file, "utf8"),
    "{\n  // how many\n  agents: { defaults: { memorySearch: { query: { maxResults: 9 } } } },\n}\n",
  );

  const own = (await json("config", "set", "memorySearch.query.maxResults", "3", "--project"))
    .value as object;
  assert.deepEqual(
    { ...own, agent: "", path: "", origin: "" },
    {
      ...{
        key: "memorySearch.query.maxResults",
        value: 3,
        origin: "",
        scope: "project",
        agent: "",
        path: "",
        changed: true,
      },
    },
  );
  const here = await run("config", "get", "memorySearch.query.maxResults");
  const there = await runWith({ cwd: home }, "config", "get", "memorySearch.query.maxResults");
  assert.deepEqual([here.stdout, there.stdout], ["3\n", "9\n"]);
  assert.match(
    (await run("config", "set", "memorySearch.query.maxResults", "7", "--user")).stderr,
    /uses another value/,
  );
  assert.equal(
    (await run("config", "unset", "memorySearch.query.maxResults")).stdout.split("  #")[0],
    "memorySearch.query.maxResults = 7",
  );

  const before = readFileSync(file, "utf8");
  await run("config", "set", "memorySearch.remote.batch.enabled", "true", "--user");
  assert.notEqual(readFileSync(file, "utf8"), before);
  await run("config", "unset", "memorySearch.remote.batch.enabled", "--user");
  assert.equal(readFileSync(file, "utf8"), before, "no empty block is left");
  for (const words of [
    ["set", "memorySearch.query.maxResult", "3"],
    ["set", "memorySearch.query.maxResults", "0"],
    ["set", "memorySearch.chunking.overlap", "4000"],
    ["set", "memorySearch.model", "${" + "NOT_SET_ANYWHERE}"],
    ["set", "tools.forget", "true", "--project"],
    ["set", "tools.forget"],
    ["get", "tools.forget", "true"],
  ]) {
    const { code, stdout } = await run("config", ...words);
    assert.deepEqual([code, stdout], [2, ""], words.join(" "));
  }
  assert.equal(readFileSync(file, "utf8"), before, "nothing that is refused is written");
});

test("a key is read from standard input into a file for its owner alone, and never shown", async (t) => {
  const { runWith, stateDir } = openCliFixture(t);
  const { code, stdout, stderr } = await runWith(
    { input: "sk-wombat-1\n" },
    "config",
    "set",
    "models.providers.openai.apiKey",
    "-",
  );
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout + stderr, /wombat/);
  const file = path.join(stateDir, "longhand.json5");
  assert.match(readFileSync(file, "utf8"), /apiKey: "sk-wombat-1"/);
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
  // Windows PowerShell may start piped text with a byte order mark, and ends it with CRLF.
  const piped = { input: "\ufeffsk-wombat-2\r\n" };
  assert.equal((await runWith(piped, "config", "set", "models.providers.openai.apiKey", "-")).code, 0);
  assert.match(readFileSync(file, "utf8"), /apiKey: "sk-wombat-2"/);
});
