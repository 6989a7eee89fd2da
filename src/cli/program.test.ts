import assert from "node:assert/strict";
import { test } from "node:test";
import { LonghandError } from "../errors.ts";
import { commands } from "./commands.ts";
import { globalOptions } from "./global-options.ts";
import { parseCommandLine } from "./program.ts";

const table = { version: "1.2.3", commands, globalOptions };
const plain = (_: unknown, text: string) => text;

function parse(...argv: string[]) {
  return parseCommandLine(argv, table, plain);
}

function run(...argv: string[]) {
  const invocation = parse(...argv);
  assert.equal(invocation.kind, "run");
  return { name: invocation.command.name, input: invocation.input, globals: invocation.globals };
}

function refusal(...argv: string[]): LonghandError {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof LonghandError) return error;
  }
  return assert.fail(`${argv.join(" ")} was not refused`);
}

test("words of a query are joined, and options get their types", () => {
  const { name, input } = run(
    "search",
    "when",
    "do we",
    "ship",
    "-n",
    "3",
    "--min-score",
    "0.2",
    "--explain",
  );
  assert.equal(name, "search");
  assert.deepEqual(input, { query: "when do we ship", maxResults: 3, minScore: 0.2, explain: true });
});

test("global options are accepted before and after the command", () => {
  const before = run("--workspace", "/w", "--json", "--no-color", "status");
  const after = run("status", "--json", "--workspace=/w", "--no-color");
  assert.deepEqual(before.globals, { workspace: "/w", json: true, quiet: false, color: false, debug: false });
  assert.deepEqual(after.globals, before.globals);
});

test("text that begins with a dash and cannot be an option is text", () => {
  assert.deepEqual(run("add", "- buy milk", "--heading", "- odd").input, {
    text: "- buy milk",
    heading: "- odd",
  });
  assert.deepEqual(run("search", "--dry-run does what?").input, { query: "--dry-run does what?" });
  assert.deepEqual(run("search", "--", "--dry-run").input, { query: "--dry-run" });
  assert.deepEqual(run("add", "-").input, { text: "-" });
  assert.deepEqual(run("search", "-5 degrees", "-n", "2").input, { query: "-5 degrees", maxResults: 2 });
});

test("an argument is keyed by the first word of its name", () => {
  assert.deepEqual(run("get", "a.md:3-5").input, { path: "a.md:3-5" });
  assert.deepEqual(run("init").input, {});
  assert.deepEqual(run("config", "get", "x").input, { action: "get", key: "x" });
});

test("a wrong command or option is answered with the nearest one", () => {
  assert.match(refusal("serach", "x").hint, /Did you mean search\?/);
  assert.match(refusal("search", "x", "--sinse", "7d").hint, /Did you mean --since\?/);
  assert.equal(refusal("frobnicate").code, "usage");
});

test("what is missing or too much is a usage error", () => {
  for (const argv of [
    ["search"],
    ["get"],
    ["add"],
    ["get", "a.md", "b.md"],
    ["status", "x"],
    ["search", "x", "-n"],
  ]) {
    const error = refusal(...argv);
    assert.equal(error.code, "usage");
    assert.ok(error.hint.length > 0 && !error.message.includes("\n"), argv.join(" "));
  }
  assert.match(refusal("search", "x", "-n", "0").hint, /from 1 to/);
  assert.equal(refusal("--workspace", "", "status").code, "usage");
});

test("help and version are texts; with no command the help is shown unasked", () => {
  const help = parse("--help");
  const ofSearch = parse("search", "-h");
  assert.ok(
    help.kind === "text" && help.asked && commands.every(({ name }) => help.text.includes(`  ${name} `)),
  );
  assert.ok(
    ofSearch.kind === "text" && ofSearch.text.includes("--why-not") && ofSearch.text.includes("Examples:"),
  );
  assert.deepEqual(parse("--version"), { kind: "text", text: "1.2.3\n", asked: true });
  const bare = parse();
  assert.ok(bare.kind === "text" && !bare.asked && bare.text.startsWith("Usage: longhand"));
});

test("every command can be loaded", async () => {
  for (const { load } of commands) assert.equal(typeof (await load()), "function");
});
