import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LonghandError } from "../errors.ts";
import type { OptionDefinition } from "./command.ts";
import { commands } from "./commands.ts";
import { optionNames, parseCommandLine, parseOptionValue } from "./parse-command-line.ts";

function parse(...argv: string[]) {
  return parseCommandLine(argv);
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

test("only a command that takes text explains how to write text with a dash", () => {
  assert.match(
    refusal("search", "--nonsense", "x").hint,
    /^Put -- before text .* See `longhand search --help`\.$/,
  );
  assert.equal(refusal("verify", "--nonsense").hint, "See `longhand verify --help`.");
  assert.equal(refusal("--nonsense").hint, "See `longhand --help`.");
});

test("for an unknown command or option, the nearest one is suggested", () => {
  assert.match(refusal("serach", "x").hint, /Did you mean search\?/);
  assert.match(refusal("search", "x", "--sinse", "7d").hint, /Did you mean --since\?/);
  assert.match(refusal("search", "x", "--limit", "3").hint, /Did you mean --max-results\?/);
  assert.match(refusal("remember", "x").hint, /Did you mean add\?/);
  assert.match(refusal("find", "x").hint, /Did you mean search\?/);
  assert.equal(refusal("frobnicate").code, "usage");
});

test("missing and extra arguments are usage errors", () => {
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

test("every command refuses an unknown option, a missing argument and a value of the wrong type", () => {
  for (const { name, arguments: words, options } of commands) {
    const given = words.filter(({ required }) => required).map(({ choices }) => choices?.[0] ?? "x");
    const wrong = [
      [...given, "--no-such-option"],
      ...(given.length > 0 ? [[]] : []),
      ...options.flatMap((option) => {
        const [flag = ""] = optionNames(option).slice(-1);
        return option.type === undefined ? [] : [[...given, flag]];
      }),
      ...options
        .filter(({ type }) => type !== undefined && type.kind !== "text")
        .map((option) => [...given, optionNames(option).at(-1)!, ""]),
      ...(words.some(({ choices, required }) => choices && required) ? [["no-such-choice"]] : []),
    ];
    for (const argv of wrong) {
      const error = refusal(name, ...argv);
      assert.equal(error.code, "usage", `${name} ${argv.join(" ")}`);
      assert.ok(error.hint.length > 0 && !error.message.includes("\n"), `${name} ${argv.join(" ")}`);
    }
  }
  assert.match(refusal("sessions", "lst").hint, /Did you mean list\?/);
  assert.equal(refusal("--agent", "", "status").code, "usage");
});

test("help for the program or for one command can be requested in several ways", () => {
  const of = (name: string) => commands.find((command) => command.name === name) ?? assert.fail();
  for (const argv of [["--help"], ["-h", "search"], ["help"], ["help", "help"]]) {
    assert.deepEqual(parse(...argv), { kind: "help", command: null, asked: true });
  }
  for (const argv of [
    ["search", "-h"],
    ["help", "search"],
    ["help", "--no-color", "search"],
    ["search", "x", "--json", "--help"],
  ]) {
    assert.deepEqual(parse(...argv), { kind: "help", command: of("search"), asked: true });
  }
  assert.match(refusal("help", "serach").hint, /search/);
  for (const argv of [[], ["--json"]])
    assert.deepEqual(parse(...argv), { kind: "help", command: null, asked: false });
  for (const argv of [["-V"], ["--version"], ["search", "--version"]])
    assert.deepEqual(parse(...argv), { kind: "version" });
});

test("values may be separate or attached", () => {
  for (const argv of [["-n", "5"], ["-n5"], ["-n=5"], ["--max-results", "5"], ["--max-results=5"]]) {
    assert.deepEqual(run("search", "x", ...argv).input, { query: "x", maxResults: 5 }, argv.join(" "));
  }
  assert.deepEqual(run("add", "x", "--heading=a = b").input, { text: "x", heading: "a = b" });
  assert.deepEqual(run("add", "x", "--heading=").input, { text: "x", heading: "" });
  assert.equal(refusal("search", "x", "--explain=yes").message, "--explain takes no value.");
});

test("after -- everything is text, the command too", () => {
  assert.deepEqual(run("--json", "--", "search", "--json").input, { query: "--json" });
});

test("on any command line, the parser fails only with a usage error", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "search",
      "get",
      "add",
      "config",
      "--",
      "-",
      "--json",
      "-n",
      "--since",
      "--help",
      "--min-score=",
      "-n-1",
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      try {
        parse(...argv);
      } catch (error) {
        assert.ok(error instanceof LonghandError && error.code === "usage", String(error));
      }
    }),
    { seed: 5, numRuns: 500 },
  );
});

test("every command can be loaded", async () => {
  for (const { load } of commands) assert.equal(typeof (await load()), "function");
});

const count: OptionDefinition = {
  flags: "-n, --count <N>",
  type: { kind: "number", whole: true, min: 1, max: 20 },
  description: "",
};
const score: OptionDefinition = {
  flags: "--score <X>",
  type: { kind: "number", whole: false, min: 0, max: 1 },
  description: "",
};
const source: OptionDefinition = {
  flags: "--source <S>",
  type: { kind: "choice", choices: ["a", "b"] },
  description: "",
};
const folder: OptionDefinition = { flags: "--dir <DIR>", type: { kind: "folder" }, description: "" };

for (const [option, text, value] of [
  [count, "1", 1],
  [count, "20", 20],
  [count, "+3", 3],
  [score, "0.35", 0.35],
  [score, ".5", 0.5],
  [score, "1", 1],
  [source, "b", "b"],
  [folder, "x y", "x y"],
] as const) {
  test(`${option.flags} takes ${text}`, () => assert.equal(parseOptionValue(option, text), value));
}

for (const [option, text, hint] of [
  [count, "0", "from 1 to 20"],
  [count, "21", "from 1 to 20"],
  [count, "2.5", "a whole number"],
  [count, "0x10", "a whole number"],
  [count, "1e1", "a whole number"],
  [count, "", "a whole number"],
  [count, "ten", "a whole number"],
  [score, "1.01", "a number from 0 to 1"],
  [score, "-0.1", "a number from 0 to 1"],
  [score, "NaN", "a number from 0 to 1"],
  [score, "Infinity", "a number from 0 to 1"],
  [source, "c", "one of a, b"],
  [folder, "", "the path of a folder"],
] as const) {
  test(`${option.flags} refuses ${JSON.stringify(text)} and says what it takes`, () => {
    assert.throws(
      () => parseOptionValue(option, text),
      (error) => error instanceof LonghandError && error.code === "usage" && error.hint.includes(hint),
    );
  });
}
