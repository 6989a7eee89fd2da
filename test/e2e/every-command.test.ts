import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "../../src/cli/commands.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";

/** Arguments with which each command succeeds in a memory; null for those that serve until they are stopped. */
const words: Readonly<Record<string, readonly string[] | null>> = {
  init: [],
  adopt: [],
  search: ["when do we ship?"],
  links: ["MEMORY.md"],
  usage: [],
  get: ["MEMORY.md"],
  add: ["The cluster for staging is in Helsinki now."],
  forget: ["memory/old.md:1", "--yes"],
  consolidate: [],
  index: [],
  status: [],
  verify: [],
  migrate: ["--to", "sqlite"],
  doctor: [],
  mcp: null,
  serve: null,
  tools: [],
  hook: null,
  sessions: ["list"],
  eval: [],
  config: [],
  trust: [],
  models: ["list"],
  completion: ["bash"],
};

/** These need no workspace, or create one. */
const worksAnywhere = new Set(["init", "config", "models", "completion", "tools"]);

function fill(fixture: CliFixture): void {
  fixture.write("MEMORY.md", "# Memory\n\n- We ship on Fridays only.\n");
  fixture.write("memory/old.md", "The office was in Turku.\n");
}

test("every command prints one JSON value with --json", async (t) => {
  assert.deepEqual(
    Object.keys(words).sort(),
    commands.map(({ name }) => name).sort(),
    "a new command needs words here",
  );
  const fixture = openCliFixture(t);
  fill(fixture);
  for (const { name } of commands) {
    const given = words[name];
    // An index that is moved to its own store is refused; test/migrate.test.ts moves one.
    if (given === null || given === undefined || name === "migrate") continue;
    const { code, value, stderr } = await fixture.json(name, ...given);
    assert.equal(code, 0, `${name}: ${JSON.stringify(value)} ${stderr}`);
    assert.ok(typeof value === "object" && value !== null && !("error" in value), name);
  }
});

test("every command that needs a workspace names the missing one, and creates none", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  for (const { name } of commands) {
    const given = words[name];
    if (given === null || given === undefined || worksAnywhere.has(name)) continue;
    const { code, value, stderr } = await fixture.json(name, ...given, "--workspace", "nowhere");
    assert.equal(code, 1, name);
    assert.doesNotMatch(stderr, /\n\s+at /, name);
    if (name === "doctor") continue;
    const { error } = value as { error: { code: string; message: string; hint: string } };
    assert.equal(error.code, "workspace-missing", name);
    assert.match(error.message, /nowhere/, name);
    assert.notEqual(error.hint, "", name);
  }
  assert.equal((await fixture.run("status", "--workspace", "nowhere")).code, 1);
});
