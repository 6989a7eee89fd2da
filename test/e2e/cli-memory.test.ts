import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { ReadFileResult } from "../../src/memory/note-requests.ts";
import type { SearchAnswer } from "../../src/search/search.ts";
import type { SyncReport } from "../../src/sync/sync.ts";
import { finish } from "../support/child-process.ts";
import { isWindows, skipOnWindows, skipWithoutLinks } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

const notes = {
  "MEMORY.md":
    "# Memory\n\n## Release\n\nWe ship on Fridays only.\n\n## People\n\nAda owns the billing service.\n",
  "memory/2026-03-01.md": "# Sunday\n\nThe staging database moved to port 5433.\n",
  "memory/ideas.md": "# Ideas\n\nA dashboard for water levels.\n",
};

function fill(fixture: { write(name: string, text: string): string }): void {
  for (const [name, text] of Object.entries(notes)) fixture.write(name, text);
}

function codeOf(value: unknown): string | undefined {
  return (value as { error?: { code: string } }).error?.code;
}

test("an added text is found, and a hit can be read", async (t) => {
  const fixture = openCliFixture(t);
  await fixture.run("init");
  const added = await fixture.json("add", "The deploy key lives in the green safe.", "--to", "long-term");
  const {
    path: file,
    startLine,
    duplicate,
  } = added.value as { path: string; startLine: number; duplicate: boolean };
  assert.equal(file, "MEMORY.md");
  assert.equal(duplicate, false);
  const found = (await fixture.json("search", "where", "is the deploy key?")).value as SearchAnswer;
  const [hit] = found.results;
  assert.equal(hit?.path, "MEMORY.md");
  assert.ok(hit.startLine <= startLine && startLine <= hit.endLine);
  const read = (await fixture.json("get", hit.citation ?? `${hit.path}:${startLine}`))
    .value as ReadFileResult;
  assert.match(read.text, /green safe/);
});

test("a search answer has the documented shape, and every line range is exact", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const { code, value, stderr } = await fixture.json("search", "staging database port");
  assert.equal(code, 0);
  const answer = value as SearchAnswer;
  assert.deepEqual(
    Object.keys(answer)
      .filter((key) => key !== "fallback")
      .sort(),
    ["confidence", "confidenceLevel", "degraded", "mode", "model", "provider", "results", "stale"],
  );
  const [hit] = answer.results;
  assert.ok(hit !== undefined);
  assert.equal(hit.path, "memory/2026-03-01.md");
  assert.equal(hit.date, "2026-03-01");
  assert.ok(hit.score > 0 && hit.score <= 1);
  assert.equal(answer.mode, "hybrid");
  assert.equal(answer.provider, "builtin");
  assert.ok(hit.textScore !== null && hit.vectorScore !== null);
  const keywordOnly = fixture.write(
    "words.json5",
    "{ agents: { defaults: { memorySearch: { provider: 'none' } } } }",
  );
  const { value: byWord } = await fixture.json("search", "database port", "--config", keywordOnly);
  assert.equal((byWord as SearchAnswer).mode, "keyword");
  assert.equal((byWord as SearchAnswer).results[0]?.vectorScore, null);
  const lines = notes["memory/2026-03-01.md"].split("\n");
  for (const line of hit.snippet.split("\n")) {
    assert.ok(lines.slice(hit.startLine - 1, hit.endLine).includes(line), line);
  }
  assert.doesNotMatch(stderr, /error/);
});

test("through a pipe hits are plain lines that begin with path:line, and hints stay on stderr", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const { code, stdout, stderr } = await fixture.run("search", "who owns billing");
  assert.equal(code, 0);
  assert.match(stdout, /^MEMORY\.md:\d+(-\d+)? {2}\d\.\d\d/);
  assert.match(stdout, /^ {2}.*Ada owns the billing service\./m);
  assert.doesNotMatch(stdout, /\u001b/);
  assert.match(stderr, /hit.* · hybrid · /);
  const quiet = await fixture.run("search", "who owns billing", "--quiet");
  assert.equal(quiet.stderr, "");
  const coloured = await fixture.runWith({ env: { FORCE_COLOR: "1" } }, "search", "billing");
  assert.match(coloured.stdout, /\u001b\[/);
  const plain = await fixture.runWith({ env: { FORCE_COLOR: "1" } }, "search", "billing", "--no-color");
  assert.doesNotMatch(plain.stdout, /\u001b/);
});

test("an empty result is a success, and says what to try", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const { code, stdout, stderr } = await fixture.run("search", "quantum chromodynamics lecture");
  assert.equal(code, 0);
  assert.equal(stdout, "");
  assert.match(stderr, /Nothing in memory is about/);
  const wordless = await fixture.run("search", "!!!");
  assert.match(wordless.stderr, /^Ask in plain words[^\n]*\nnote: the query has no words to look for\n$/);
});

test("without any memory, a search says how to start", async (t) => {
  const fixture = openCliFixture(t);
  const { code, stdout, stderr } = await fixture.run("search", "anything");
  assert.equal(code, 0);
  assert.equal(stdout, "");
  assert.match(stderr, /longhand init/);
  const { value } = await fixture.json("search", "anything");
  assert.deepEqual((value as SearchAnswer).results, []);
});

test("a workspace that was named and does not exist is an error", async (t) => {
  const fixture = openCliFixture(t);
  for (const argv of [["search", "x"], ["status"], ["index"], ["add", "x"], ["get", "MEMORY.md"]]) {
    const { code, value } = await fixture.json(...argv, "--workspace", path.join(fixture.home, "nowhere"));
    assert.equal(code, 1, argv[0]);
    assert.equal(codeOf(value), "workspace-missing", argv[0]);
  }
});

test("an agent with nearly the id of a configured one gets its own memory, and a hint", async (t) => {
  const fixture = openCliFixture(t);
  const config = fixture.write("agents.json5", "{ agents: { list: [{ id: 'alice' }, { id: 'bot-1' }] } }");
  const add = (agent: string) => fixture.run("add", "Tea is at four.", "--agent", agent, "--config", config);
  const { code, stderr } = await add("alcie");
  assert.equal(code, 0);
  assert.match(
    stderr,
    /^No agent alcie is configured, .* with notes in .*workspace\. Did you mean alice\?$/m,
  );
  for (const agent of ["alice", "ALICE", "main", "carol", "bot-2"]) {
    assert.doesNotMatch((await add(agent)).stderr, /Did you mean/, agent);
  }
  const doctor = await fixture.json("doctor", "--agent", "alcie", "--config", config);
  const { checks } = doctor.value as { checks: { name: string; ok: boolean; fix: string | null }[] };
  const { ok, fix } = checks.find(({ name }) => name === "workspace")!;
  assert.deepEqual([ok, fix], [false, "If you meant alice, use --agent alice."]);
});

test("disabled memory is reported, and is no failure", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const config = path.join(fixture.home, "off.json5");
  writeFileSync(config, "{ agents: { defaults: { memorySearch: { enabled: false } } } }");
  for (const argv of [["search", "x"], ["status"], ["index"], ["add", "x"], ["get", "MEMORY.md"]]) {
    const { code, value } = await fixture.json(...argv, "--config", config);
    assert.equal(code, 0);
    assert.deepEqual(value, { disabled: true }, argv[0]);
  }
  assert.match((await fixture.run("search", "x", "--config", config)).stderr, /disabled/);
  const doctor = await fixture.run("doctor", "--config", config);
  assert.equal(doctor.code, 0);
  assert.match(doctor.stdout, /✓ config .*disabled(?:\n.*)+No problems found/);
});

test("days are given as people write them", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const search = async (...argv: string[]) => {
    const { value } = await fixture.json("search", "staging database", ...argv);
    return (value as SearchAnswer).results.map((hit) => hit.path);
  };
  assert.deepEqual(await search("--since", "2026-03-01", "--until", "2026-03-01"), ["memory/2026-03-01.md"]);
  assert.deepEqual(await search("--since", "2026-03-02"), []);
  assert.deepEqual(await search("--since", "9000d", "--path", "memory/*.md"), ["memory/2026-03-01.md"]);
  for (const argv of [
    ["--since", "soon"],
    ["--until", "2026-02-30"],
    ["--since", "today", "--until", "1w"],
  ]) {
    const { code, value } = await fixture.json("search", "x", ...argv);
    assert.equal(code, 2, argv.join(" "));
    assert.equal(codeOf(value), "usage");
  }
});

test("--explain and --why-not give reasons", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const explained = await fixture.run("search", "ship on fridays", "--explain");
  assert.match(explained.stdout, /Words of the query/);
  assert.match(explained.stdout, /keyword +█/);
  const { value } = await fixture.json("search", "ship on fridays", "--explain");
  const answer = value as SearchAnswer;
  assert.ok((answer.explain?.tokens.length ?? 0) > 0);
  assert.ok((answer.results[0]?.explain?.terms.length ?? 0) > 0);
  const whyNot = await fixture.run("search", "ship on fridays", "--why-not", "memory/ideas.md:3");
  assert.match(whyNot.stdout, /^memory\/ideas\.md:3 {2}[a-z-]+\n {2}\S/);
  assert.equal((await fixture.run("search", "x", "--why-not", "memory/ideas.md")).code, 2);
});

test("get prints exactly the requested lines, however they are specified", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const lines = notes["MEMORY.md"].split("\n");
  const print = async (...argv: string[]) => (await fixture.run("get", ...argv)).stdout;
  assert.equal(await print("MEMORY.md"), notes["MEMORY.md"]);
  const range = `${lines.slice(2, 5).join("\n")}\n`;
  assert.equal(await print("MEMORY.md:3-5"), range);
  assert.equal(await print("MEMORY.md#L3-L5"), range);
  assert.equal(await print("MEMORY.md", "--from", "3", "--lines", "3"), range);
  assert.equal(await print("MEMORY.md:3", "--lines", "3"), range);
  assert.equal(await print("MEMORY.md#L5"), `${lines[4]}\n`);
  assert.equal(await print("MEMORY.md:3-4"), `${lines[2]}\n\n`);
  assert.equal(await print("MEMORY.md#L4"), "\n");
  const { value } = await fixture.json("get", "MEMORY.md:3-5");
  const { text: _, ...rest } = value as ReadFileResult;
  assert.deepEqual(rest, { path: "MEMORY.md", from: 3, lines: 3, totalLines: 9, nextFrom: 6 });
  assert.equal((await fixture.run("get", "MEMORY.md:3", "--from", "4")).code, 2);
  assert.equal((await fixture.run("get", "MEMORY.md:5-3")).code, 2);
});

test("get says how much of a very long line it leaves out", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("memory/long.md", `first\n${"x".repeat(15_000)}\nlast\n`);
  const cut =
    /Line 2 is too long: 3000 characters are left out\. Lines 2-2 of 3\. Continue with: .*long\.md:3/;
  for (const range of ["memory/long.md:2", "memory/long.md:2-2"]) {
    assert.match((await fixture.run("get", range)).stderr, cut, range);
  }
});

test("get of a missing note is empty, and of a path outside is refused", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  fixture.write("README.md", "not a note\n");
  for (const absent of ["memory/none.md", "MEMORY.md:500"]) {
    const { code, stdout, stderr } = await fixture.run("get", absent);
    assert.equal(code, 0);
    assert.equal(stdout, "");
    assert.match(stderr, /\S/);
  }
  for (const outside of [
    "../../etc/passwd",
    "/etc/passwd",
    "README.md",
    "memory/../README.md",
    "",
    // On Windows, a backslash is the usual separator in memory/a.md.
    ...(isWindows ? ["C:\\Windows\\win.ini"] : ["memory\\a.md"]),
  ]) {
    const { code, value } = await fixture.json("get", outside);
    assert.equal(code, 1, outside);
    assert.match(codeOf(value) ?? "", /^path-/, outside);
  }
});

test("get and links accept the file name of a note in any folder", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const path = "memory/ideas.md";
  const { value } = await fixture.json("get", path);
  // As Windows shells complete them, and in any letter case.
  const typedOnWindows = isWindows ? [".\\ideas.md", ".\\memory\\ideas.md", "memory\\IDEAS.md"] : [];
  for (const name of ["ideas", "ideas.md", "./ideas.md", `./${path}`, ...typedOnWindows]) {
    assert.deepEqual((await fixture.json("get", name)).value, value, name);
    assert.equal((await fixture.json("links", name)).code, 0, name);
  }
  const { code, value: refused } = await fixture.json("get", "nowhere.md");
  assert.deepEqual([code, codeOf(refused)], [1, "path-outside-memory"]);
});

test("get and links report that no note has a name", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  for (const command of ["get", "links"]) {
    const { code, value } = await fixture.json(command, "Nothing");
    assert.deepEqual([code, codeOf(value)], [1, "note-missing"], command);
    assert.match((await fixture.run(command, "No such thing")).stderr, /No note is called No such thing\./);
  }
});

test("add says where the note went if no folder was chosen", async (t) => {
  const fixture = openCliFixture(t);
  const { stderr } = await fixture.run("add", "buy milk");
  assert.ok(stderr.includes(`Written down in ${path.join(fixture.stateDir, "workspace")}. `), stderr);
  assert.match(stderr, /longhand init/);
  await fixture.run("init");
  assert.equal((await fixture.run("add", "buy bread")).stderr, "Written down.\n");
});

test("add says where the text is, and whether it was already there", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const first = await fixture.run("add", "- buy milk");
  assert.equal(first.code, 0);
  assert.match(first.stdout, /^memory\/\d{4}-\d\d-\d\d\.md:\d+\n$/);
  const again = await fixture.run("add", "- buy milk");
  assert.equal(again.stdout, first.stdout);
  assert.match(again.stderr, /already/i);
  const piped = await fixture.runWith(
    { input: "from a pipe\nsecond line\n" },
    "add",
    "-",
    "--to",
    "long-term",
  );
  assert.match(piped.stdout, /^MEMORY\.md:\d+-\d+\n$/);
  assert.ok(readFileSync(path.join(fixture.project, "MEMORY.md"), "utf8").startsWith(notes["MEMORY.md"]));
  const under = await fixture.json(
    "add",
    "Friday is release day",
    "--to",
    "memory/ideas.md",
    "--heading",
    "Later",
  );
  const { startLine } = under.value as { startLine: number };
  const written = readFileSync(path.join(fixture.project, "memory/ideas.md"), "utf8").split("\n");
  assert.match(written.slice(0, startLine - 1).join("\n"), /^#+ Later$/m);
});

test("a plan may begin with a byte order mark, which Windows PowerShell may write", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const piped = { input: '\ufeff{"steps": []}' };
  const { code, stdout, stderr } = await fixture.runWith(piped, "consolidate", "--submit", "-", "--json");
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { accepted: [], refused: [] });
});

test("add refuses input that is empty, too large or not text, and paths outside", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const cases = [
    { input: "x".repeat(65 * 1024), argv: ["-"] },
    { input: Uint8Array.of(0x61, 0xff, 0xfe), argv: ["-"] },
    { input: "", argv: ["-"] },
    { input: "", argv: ["   "] },
  ];
  for (const { input, argv } of cases) {
    const { code, stdout } = await fixture.runWith({ input }, "add", ...argv, "--json");
    assert.equal(code, 1);
    assert.equal(codeOf(JSON.parse(stdout)), "entry-invalid");
  }
  const outside = await fixture.json("add", "x", "--to", "../evil.md");
  assert.equal(outside.code, 1);
  assert.match(codeOf(outside.value) ?? "", /^path-/);
});

test("index reports what it did and what it could not read", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  fixture.write(
    "memory/binary.md",
    Uint8Array.from({ length: 4096 }, (_, index) => index % 7),
  );
  const first = (await fixture.json("index")).value as SyncReport;
  assert.equal(first.added, 3);
  assert.ok(first.chunks >= 3);
  const { code, stdout } = await fixture.run("index");
  assert.equal(code, 0);
  assert.match(stdout, /3 notes unchanged/);
  const forced = (await fixture.json("index", "--force")).value as SyncReport;
  assert.equal(forced.updated + forced.added, 3);
  const status = await fixture.json("status");
  assert.match(JSON.stringify([first.failed, status.value]), /memory\/binary\.md/);
});

test("index lists what it skipped, with the reason", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  mkdirSync(path.join(fixture.project, "memory", "folder.md"));
  truncateSync(fixture.write("memory/huge.md", ""), 17 * 1024 * 1024);
  const { stderr } = await fixture.run("index");
  assert.match(
    stderr,
    /Skipped 2 files:\n {2}memory\/folder\.md: not a .*\n {2}memory\/huge\.md: too large \(.*\)\n/,
  );
  const { skipped, skippedCount } = (await fixture.json("index")).value as SyncReport;
  assert.deepEqual(
    skipped.map(({ path: name, reason }) => [name, reason]),
    [
      ["memory/folder.md", "not-a-file"],
      ["memory/huge.md", "too-large"],
    ],
  );
  assert.equal(skippedCount, 2);
});

interface ShownStatus {
  readonly files: number;
  readonly workspaceDir: string;
  readonly onDisk: { readonly skipped: readonly { readonly path: string; readonly reason: string }[] };
}

test("status shows the memory, the index and what was skipped", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  mkdirSync(path.join(fixture.project, "memory", "folder.md"));
  await fixture.run("index");
  const status = (await fixture.json("status")).value as ShownStatus;
  assert.equal(status.files, 3);
  assert.equal(status.workspaceDir, fixture.project);
  assert.deepEqual(
    status.onDisk.skipped.map(({ path: name, reason }) => [name, reason]),
    [["memory/folder.md", "not-a-file"]],
  );
  const { stdout } = await fixture.run("status");
  assert.match(stdout, /workspace +\S.*project/);
  assert.match(stdout, /indexed +3 files/);
  fixture.write("memory/new.md", "new\n");
  assert.match((await fixture.run("status")).stdout, /state +stale/);
});

test("index and status name a symbolic link, which is not followed", {
  skip: skipWithoutLinks,
}, async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  symlinkSync("/etc/hostname", path.join(fixture.project, "memory", "link.md"));
  assert.match((await fixture.run("index")).stderr, /memory\/link\.md: a symbolic link/);
  const { onDisk } = (await fixture.json("status")).value as ShownStatus;
  assert.deepEqual(
    onDisk.skipped.map(({ path: name, reason }) => [name, reason]),
    [["memory/link.md", "symlink"]],
  );
  const { stdout } = await fixture.run("status");
  assert.match(stdout, /a symbolic link, which is not followed 1\n +memory\/link\.md/);
});

test("an impossible path pattern is an error, not a search that finds nothing", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  // On Windows, a backslash at the end separates folders.
  for (const pattern of ["[", "memory/{a,b", ...(isWindows ? [] : ["x\\"]), ""]) {
    const { code, stderr } = await fixture.run("search", "ship", "--path", pattern);
    assert.equal(code, 2, pattern);
    assert.match(stderr, /--path/);
  }
});

test("unusual queries are answered, with a note on how they were changed", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  const ask = async (query: string) => {
    const { code, stdout, stderr } = await fixture.run("search", "--json", "--", query);
    assert.equal(code, 0, query);
    assert.equal(stderr, "", query);
    return JSON.parse(stdout) as SearchAnswer;
  };
  for (const query of ['"', "a AND (b OR", "*", "NEAR(a b)", "🙂", "x", "the", "ship:* ^fri", "שלום"]) {
    assert.ok(Array.isArray((await ask(query)).results), query);
  }
  for (const query of ["", "   ", "?!", "word ".repeat(20_000)]) {
    const { results, degraded } = await ask(query);
    assert.deepEqual(results, []);
    assert.equal(degraded.length, 1, query.slice(0, 20));
  }
});

test("a reader that stops early is no failure", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("memory/long.md", "a line of some length that fills the pipe\n".repeat(100_000));
  const child = fixture.start({}, "get", "memory/long.md", "--lines", "100000");
  child.stdout?.destroy();
  const [code] = await once(child, "close");
  assert.equal(code, 0);
});

for (const [signal, exitCode] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  test(`${signal} ends a command that waits, with exit code ${exitCode}`, {
    skip: skipOnWindows("a process cannot send signals there, only a console can"),
  }, async (t) => {
    const fixture = openCliFixture(t);
    fill(fixture);
    const child = fixture.start({ keepInputOpen: true }, "add", "-", "--debug");
    const ended = finish(child);
    // When --debug prints its first line, signal handlers are installed.
    await once(child.stderr!, "data");
    child.kill(signal);
    const { code, stderr } = await ended;
    assert.equal(code, exitCode);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
}

test("get and links accept the name of a note, and report if there is none", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  fixture.write(
    "memory/plans/heat.md",
    "---\naliases: [Therme]\n---\n# Heating\n\nSee [[ideas]] and [[gone]].\n",
  );
  assert.match((await fixture.run("get", "heat")).stdout, /# Heating/);
  assert.match((await fixture.run("get", "Therme:4")).stdout, /^# Heating/m);
  for (const name of ["heat.md", "plans/heat", "plans/heat.md", "./memory/plans/heat.md", "./heat.md:4"]) {
    assert.match((await fixture.run("get", name)).stdout, /# Heating/, name);
  }
  const outside = await fixture.run("get", "other/heat.md");
  assert.equal(outside.code, 1);
  assert.match(outside.stderr, /does not name a note of this memory/);
  const { stdout: links } = await fixture.run("links", "heat");
  assert.match(links, /heat\.md:6 → memory\/ideas\.md/);
  assert.doesNotMatch(links, /Backlinks/, "no heading without links below it");
  assert.match(
    (await fixture.run("links", "memory/none.md")).stdout,
    /^There is no note memory\/none\.md\.$/m,
  );
  const gone = (await fixture.run("links", "memory/gone.md")).stdout;
  assert.match(gone, /no note memory\/gone\.md, but others link to it/);
  assert.match(gone, /Backlinks \(1\)/);
  assert.equal((await fixture.run("get", "nowhere")).code, 1);
});

test("links shows the first 20 of each kind, and all of them with --all or --json", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("memory/apollo.md", "# Apollo\n");
  for (let number = 10; number < 35; number++) fixture.write(`memory/n${number}.md`, "See [[apollo]].\n");
  const count = (text: string) => text.match(/memory\/n\d+\.md:1/g)?.length;
  const { stdout } = await fixture.run("links", "apollo");
  assert.match(stdout, /Backlinks \(25\)/);
  assert.equal(count(stdout), 20);
  assert.match(stdout, /and 5 more; --all shows them/);
  const { stdout: all } = await fixture.run("links", "apollo", "--all");
  assert.equal(count(all), 25);
  assert.doesNotMatch(all, / more/);
  const { value } = await fixture.json("links", "apollo");
  assert.equal((value as { backlinks: unknown[] }).backlinks.length, 25);
});

test("search says that a path is outside the memory, or matches no note", async (t) => {
  const fixture = openCliFixture(t);
  fill(fixture);
  for (const outside of ["../..", "/etc/**", "memory/../../x"]) {
    const { code, stderr } = await fixture.run("search", "staging", "--path", outside);
    assert.equal(code, 2);
    assert.match(stderr, /is outside this memory/);
  }
  const below = await fixture.json("search", "staging", "--path", "./memory/**");
  assert.ok((below.value as { results: unknown[] }).results.length > 0);
  const late = await fixture.run("search", "staging", "--since", "2026-03-02", "--until", "2026-03-01");
  assert.equal(late.code, 2);
  assert.match(late.stderr, /2026-03-02 comes after 2026-03-01, so no note could match/);
  for (const count of ["0x10", "1e1", " 5", "1e308"]) {
    assert.equal((await fixture.run("search", "staging", "-n", count)).code, 2, count);
  }
  const { code, stderr } = await fixture.run("search", "staging", "--path", "docs/**");
  assert.equal(code, 0);
  assert.match(stderr, /No note matches --path "docs\/\*\*"/);
});

test("every command that takes a note accepts absolute paths inside the workspace, and no others", async (t) => {
  const fixture = openCliFixture(t);
  const file = fixture.write("memory/ideas.md", "# Ideas\n\n- A dashboard for water levels.\n");
  const outside = path.join(fixture.stateDir, "other.md");
  const commands = (note: string) => [
    ["get", `${note}:3`],
    ["links", note],
    ["usage", note],
    ["search", "dashboard", "--why-not", `${note}:3`],
    ["search", "dashboard", "--links-to", note],
    ["add", "A map.", "--to", note],
    ["forget", `${note}:3`, "--dry-run"],
  ];
  for (const argv of commands(file)) {
    const { code, stderr } = await fixture.run(...argv);
    assert.equal(code, 0, `${argv[0]}: ${stderr}`);
  }
  writeFileSync(outside, "- Secret.\n");
  for (const argv of [
    ["get", outside],
    ["add", "x", "--to", outside],
    ["forget", outside, "--dry-run"],
  ])
    assert.equal(codeOf((await fixture.json(...argv)).value), "path-outside-memory", argv[0]);
});
