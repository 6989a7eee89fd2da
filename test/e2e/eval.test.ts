import assert from "node:assert/strict";
import { on } from "node:events";
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { finish } from "../support/child-process.ts";
import { skipOnWindows } from "../support/platform.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";

const columns = "n nDCG@10 MRR@10 recall@5 recall@4000c hit@5 recall@10 recall@1 empty p50Ms p95Ms".split(
  " ",
);

type Rows = Record<string, Record<string, number>>;

function question(id: string, query: string, notePath: string, lang = "en"): string {
  const gold = [{ path: notePath, startLine: 1, endLine: 1 }];
  return `${JSON.stringify({ id, query, lang, category: "fact", gold })}\n`;
}

function writeSets(fixture: CliFixture): void {
  fixture.write("sets/sea/workspace/tides.md", "High water is at noon on Tuesday.\n");
  fixture.write("sets/sea/workspace/boats.md", "Das Ruderboot liegt im Schuppen hinter dem Deich.\n");
  fixture.write(
    "sets/sea/queries.jsonl",
    question("s1", "when is high water", "tides.md") +
      question("s2", "wo liegt das Ruderboot", "boats.md", "de"),
  );
  fixture.write("sets/land/workspace/farm.md", "The tractor needs a new fan belt.\n");
  fixture.write("sets/land/queries.jsonl", question("l1", "which part does the tractor need", "farm.md"));
  fixture.write("sets/land/no-answer.jsonl", '{"id":"l2","query":"zeppelin timetable"}\n');
}

function errorOf(value: unknown): { code: string; message: string; hint: string } {
  return (value as { error: { code: string; message: string; hint: string } }).error;
}

test("eval reports a row for each set, and their mean", async (t) => {
  const fixture = openCliFixture(t);
  writeSets(fixture);
  const { code, value, stderr } = await fixture.json("eval", "sets", "--results", "results.jsonl");
  assert.equal(code, 0);
  assert.equal(stderr, "");
  const rows = value as Rows;
  assert.deepEqual(Object.keys(rows), ["land", "sea", "macro"]);
  for (const name of ["land", "sea", "macro"]) {
    assert.deepEqual(Object.keys(rows[name]!).slice(0, columns.length), columns);
  }
  assert.equal(rows["sea"]?.["n"], 2);
  assert.equal(rows["sea"]?.["nDCG@10"], 1);
  assert.equal(rows["land"]?.["noAnswerEmpty"], 1);
  const results = readFileSync(path.join(fixture.project, "results.jsonl"), "utf8").trimEnd().split("\n");
  assert.deepEqual(
    results.map((line) => JSON.parse(line).queryId),
    ["l1", "s1", "s2"],
  );
  assert.deepEqual(readdirSync(path.join(fixture.project, "sets/sea")).sort(), [
    "queries.jsonl",
    "workspace",
  ]);
});

test("eval takes one set, some sets, a breakdown and a limit", async (t) => {
  const fixture = openCliFixture(t);
  writeSets(fixture);
  const one = (await fixture.json("eval", "sets/sea", "--by", "lang")).value as Record<string, { by: Rows }>;
  assert.deepEqual(Object.keys(one), ["sea", "macro"]);
  assert.deepEqual(Object.keys(one["sea"]!.by), ["de", "en"]);
  const some = (await fixture.json("eval", "sets", "--sets", "sea", "--limit", "1")).value as Rows;
  assert.deepEqual([Object.keys(some), some["sea"]?.["n"]], [["sea", "macro"], 1]);
  const strangers = (await fixture.json("eval", "sets/sea", "--off-topic", "sets/land")).value as Rows;
  assert.equal(strangers["sea"]?.["offTopicEmpty"], 1);
  const { code, stdout, stderr } = await fixture.run("eval", "sets");
  assert.equal(code, 0);
  assert.match(stdout, /^set +n +nDCG@10/);
  assert.match(stdout, /^macro +3 /m);
  assert.match(stderr, /3 questions · hybrid/);
});

test("eval uses the user's settings and compares them with others", async (t) => {
  const fixture = openCliFixture(t);
  writeSets(fixture);
  mkdirSync(fixture.stateDir, { recursive: true });
  const deaf = "{ agents: { defaults: { memorySearch: { query: { minScore: 1 } } } } }";
  writeFileSync(path.join(fixture.stateDir, "longhand.json5"), deaf);
  const mine = (await fixture.json("eval", "sets")).value as Rows;
  assert.equal(mine["macro"]?.["empty"], 1);
  fixture.write("open.json5", "{}");
  const { value } = await fixture.json("eval", "sets", "--compare", "open.json5");
  const { compare } = value as {
    compare: { config: string; rows: Rows; differences: Record<string, Record<string, object>> };
  };
  assert.equal(compare.config, "open.json5");
  assert.equal(compare.rows["macro"]?.["empty"], 0);
  const whole = { difference: -1, low: -1, high: -1, clear: true };
  assert.deepEqual(compare.differences["macro"]?.["empty"], whole);
});

test("eval without a folder asks questions made from the notes, and says so", async (t) => {
  const fixture = openCliFixture(t);
  fixture.write("MEMORY.md", "# The observatory\nThis is all that we know of it.\nDome motor: 48 volts\n");
  fixture.write("memory/2026-04-05.md", "Saturday was cloudy, and the spectrograph was dismantled.\n");
  const { code, value } = await fixture.json("eval");
  assert.equal(code, 0);
  const { generated, ...rows } = value as Rows;
  assert.deepEqual(Object.keys(rows), ["heading", "date", "value", "macro"]);
  assert.deepEqual(generated, { questions: 3, notes: 2 });
  const { stdout, stderr } = await fixture.run("eval");
  assert.match(stdout, /^heading +1 /m);
  assert.match(stderr, /easier than\s+real ones/);
});

test("eval reports what is wrong with a question set, and where", async (t) => {
  const fixture = openCliFixture(t);
  writeSets(fixture);
  fixture.write("broken/workspace/a.md", "a");
  fixture.write("broken/queries.jsonl", `${question("1", "a", "a.md")}{"id":\n`);
  fixture.write("lost/workspace/a.md", "a");
  fixture.write("lost/queries.jsonl", question("1", "a", "b.md"));
  for (const [argv, code, message] of [
    [["nowhere"], "eval-invalid", /nowhere.*does not exist/],
    [["sets/sea/workspace"], "eval-invalid", /no queries\.jsonl/],
    [["broken"], "eval-invalid", /broken[\\/]queries\.jsonl:2 /],
    [["lost"], "eval-invalid", /gold path "b\.md"/],
    [["sets", "--sets", "sea,moon"], "eval-invalid", /no set "moon"/],
    [["sets", "--sets", "sea,,"], "usage", /--sets/],
    [["sets", "--results", "no/such/folder.jsonl"], "usage", /cannot be written/],
    [["sets", "--results", "sets"], "usage", /it is a folder/],
    [["sets", "--compare", "missing.json5"], "config-invalid", /missing\.json5/],
    [[], "workspace-missing", /does not exist/],
  ] as const) {
    const answer = await fixture.json("eval", ...argv);
    assert.equal(errorOf(answer.value).code, code, argv.join(" "));
    assert.match(errorOf(answer.value).message, message);
    assert.notEqual(errorOf(answer.value).hint, "");
    assert.equal(answer.code, code === "usage" || code === "config-invalid" ? 2 : 1);
  }
});

test("eval stops on SIGINT and cleans up", {
  skip: skipOnWindows("a process cannot send signals there, only a console can"),
}, async (t) => {
  const fixture = openCliFixture(t);
  const temporary = path.join(fixture.home, "tmp");
  mkdirSync(temporary);
  for (let index = 0; index < 400; index++) {
    fixture.write(
      `set/workspace/n${index}.md`,
      `Note ${index}. ${`Word${index} and more text. `.repeat(400)}\n`,
    );
  }
  fixture.write("set/queries.jsonl", question("1", "word7", "n7.md"));
  const isRunning = (): boolean => readdirSync(temporary).some((name) => name.startsWith("longhand-eval-"));
  const watcher = watch(temporary);
  t.after(() => watcher.close());
  const changes = on(watcher, "change");
  const child = fixture.start({ env: { TMPDIR: temporary } }, "eval", "set", "--json");
  const ended = finish(child);
  for await (const _ of changes) if (isRunning()) break;
  child.kill("SIGINT");
  const { code, stdout } = await ended;
  assert.equal(code, 130);
  assert.equal(errorOf(JSON.parse(stdout)).code, "aborted");
  assert.equal(isRunning(), false);
});

test("eval says when memory is disabled", async (t) => {
  const fixture = openCliFixture(t);
  writeSets(fixture);
  fixture.write("off.json5", "{ agents: { defaults: { memorySearch: { enabled: false } } } }");
  const { code, value } = await fixture.json("eval", "sets", "--config", "off.json5");
  assert.deepEqual([code, value], [0, { disabled: true }]);
});
