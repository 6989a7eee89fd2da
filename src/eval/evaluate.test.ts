import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { test } from "node:test";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { PartialConfig } from "../config/options.ts";
import { resolveSettings, type Settings } from "../config/settings.ts";
import { type EvalProgress, renderResults } from "./answers.ts";
import { evaluateOwnNotes, evaluateSets } from "./evaluate.ts";
import { reportToJson } from "./report.ts";

const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

function question(id: string, query: string, path: string, more: object = {}) {
  return { id, query, lang: "en", category: "fact", gold: [{ path, startLine: 1, endLine: 1 }], ...more };
}

const files = {
  "sets/garden/workspace/MEMORY.md": "The wheelbarrow belongs to the neighbour.\n",
  "sets/garden/workspace/deep/beds.md": "Strawberries grow in the northern bed.\n",
  "sets/garden/queries.jsonl": lines(
    question("g1", "whose wheelbarrow is it", "MEMORY.md"),
    question("g2", "where do strawberries grow", "deep/beds.md", { lang: "fr" }),
  ),
  "sets/garden/no-answer.jsonl": lines({ id: "g3", query: "zeppelin timetable", gold: [] }),
  "sets/chats/workspace/one/a.md": "The password of the lighthouse is kept in the drawer.\n",
  "sets/chats/workspace/two/a.md": "The password of the lighthouse was changed in May.\n",
  "sets/chats/queries.jsonl": lines(
    question("c2", "lighthouse password", "two/a.md", { scope: "two" }),
    question("c1", "lighthouse password", "one/a.md", { scope: "one" }),
  ),
};

async function settle(folder: TemporaryFolder, memorySearch: object = {}): Promise<Settings> {
  const overrides = { agents: { defaults: { memorySearch } } } as PartialConfig;
  const workspace = folder.makeFolder("mine");
  return await resolveSettings({
    config: devNull,
    env: {},
    workspace,
    stateDir: folder.at("state"),
    overrides,
  });
}

function temporaryFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("longhand-eval-"));
}

test("Every set is indexed and queried, each scope separately, and temporary files are removed", async (t) => {
  const folder = makeTemporaryFolder(t, files);
  const seen: EvalProgress[] = [];
  const { report, results } = await evaluateSets(folder.at("sets"), {
    settings: await settle(folder),
    by: "lang",
    progress: (progress) => seen.push(progress),
  });
  assert.deepEqual(Object.keys(report.rows), ["chats", "garden", "macro"]);
  const { chats, garden, macro } = report.rows;
  assert.deepEqual([chats?.n, chats?.["nDCG@10"], chats?.["recall@4000c"], chats?.empty], [2, 1, 1, 0]);
  assert.deepEqual([garden?.n, garden?.["recall@1"], garden?.noAnswerEmpty], [2, 1, 1]);
  assert.deepEqual(Object.keys(garden?.by ?? {}), ["en", "fr"]);
  assert.deepEqual([macro?.n, macro?.["MRR@10"]], [4, 1]);
  assert.deepEqual(report.warnings, []);
  assert.deepEqual(seen.at(-1), { completed: 5, total: 5, label: "garden" });
  const hits = renderResults(results)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    hits.map(({ queryId, hits: [first] }) => [queryId, first.path, first.startLine, first.endLine]),
    [
      ["c2", "two/a.md", 1, 1],
      ["c1", "one/a.md", 1, 1],
      ["g1", "MEMORY.md", 1, 1],
      ["g2", "deep/beds.md", 1, 1],
    ],
  );
  assert.ok(hits.every(({ hits: [first] }) => first.score > 0 && first.score <= 1));
  assert.deepEqual(readdirSync(folder.at("mine")), [], "the user's workspace is not touched");
  assert.ok(!readdirSync(folder.dir).includes("state"), "nor the user's state");
});

test("A comparison shows figures of both configurations and their differences", async (t) => {
  const folder = makeTemporaryFolder(t, files);
  const settings = await settle(folder);
  const deaf = { config: "deaf.json5", settings: await settle(folder, { query: { minScore: 1 } }) };
  const { report } = await evaluateSets(folder.at("sets"), { settings, second: deaf, names: ["garden"] });
  assert.equal(report.compare?.config, "deaf.json5");
  assert.equal(report.compare?.rows["garden"]?.empty, 1);
  const expected = { difference: -1, low: -1, high: -1, clear: true };
  assert.deepEqual(report.compare?.differences["garden"]?.["nDCG@10"], expected);
  assert.deepEqual(report.compare?.differences["macro"]?.["nDCG@10"], expected);
  const same = await evaluateSets(folder.at("sets"), { settings, second: { config: "x", settings } });
  assert.deepEqual(same.report.compare?.differences["macro"]?.["MRR@10"], {
    difference: 0,
    low: 0,
    high: 0,
    clear: false,
  });
  assert.deepEqual(Object.keys(reportToJson(same.report)), ["chats", "garden", "macro", "compare"]);
});

test("Questions of other sets test whether the memory returns nothing", async (t) => {
  const folder = makeTemporaryFolder(t, files);
  const settings = await settle(folder);
  const offTopicDir = folder.at("sets");
  const { report, results } = await evaluateSets(folder.at("sets"), { settings, offTopicDir });
  const asked = results.map(({ name, offTopic }) => [name, offTopic.map(({ question: { id } }) => id)]);
  assert.deepEqual(asked, [
    ["chats", ["g1", "g2"]],
    ["garden", ["c2", "c1"]],
  ]);
  assert.equal(report.rows["macro"]?.offTopicEmpty, 1);
});

test("A note that holds an answer but cannot be indexed is named", async (t) => {
  const folder = makeTemporaryFolder(t, {
    "set/workspace/a.md": "The ferry leaves at nine.\n",
    "set/workspace/b.md": "\u0000\u0001",
    "set/queries.jsonl": lines(question("1", "ferry leaves", "a.md"), question("2", "binary", "b.md")),
  });
  const { report } = await evaluateSets(folder.at("set"), { settings: await settle(folder) });
  assert.equal(report.warnings.length, 1);
  assert.match(report.warnings[0]!, /^set: b\.md holds answers and is not indexed: /);
});

test("A set whose name the report needs is refused", async (t) => {
  const folder = makeTemporaryFolder(t, {
    "macro/workspace/a.md": "a",
    "macro/queries.jsonl": lines(question("1", "a", "a.md")),
  });
  await assert.rejects(evaluateSets(folder.at("macro"), { settings: await settle(folder) }), {
    code: "eval-invalid",
    message: /"macro"/,
  });
});

test("A cancelled evaluation ends with `aborted` and removes its folder", async (t) => {
  const folder = makeTemporaryFolder(t, files);
  // Other evaluations on this machine make folders of the same name.
  const usual = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder.makeFolder("temporary");
  t.after(() => {
    if (usual === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = usual;
  });
  const before = temporaryFolders();
  const controller = new AbortController();
  let during: string[] = [];
  const progress = ({ completed }: EvalProgress): void => {
    if (completed < 1) return;
    during = temporaryFolders().filter((name) => !before.includes(name));
    controller.abort();
  };
  await assert.rejects(
    evaluateSets(folder.at("sets"), { settings: await settle(folder), progress, signal: controller.signal }),
    { code: "aborted" },
  );
  assert.notEqual(during.length, 0);
  assert.deepEqual(
    temporaryFolders().filter((name) => during.includes(name)),
    [],
  );
});

const notes = [
  {
    path: "MEMORY.md",
    date: null,
    text: "# The greenhouse\nThis is where all of the seedlings are.\nWatering time: dawn\n",
  },
  {
    path: "memory/2026-02-03.md",
    date: "2026-02-03",
    text: "We put the thermometer and the barometer up.\n",
  },
];

test("Questions about one's own notes are a row for each kind", async (t) => {
  const folder = makeTemporaryFolder(t);
  for (const { path, text } of notes) folder.write(`mine/${path}`, text);
  const settings = await settle(folder);
  const second = {
    config: "second.json5",
    settings: await settle(folder, { chunking: { tokens: 64, overlap: 0 } }),
  };
  const { report } = await evaluateOwnNotes(notes, { settings, second });
  assert.deepEqual(Object.keys(report.rows), ["heading", "date", "value", "macro"]);
  assert.deepEqual(report.generated, { questions: 3, notes: 2 });
  assert.equal(report.rows["macro"]?.["recall@5"], 1);
  assert.deepEqual(Object.keys(report.compare?.rows ?? {}), Object.keys(report.rows));
  assert.deepEqual(readdirSync(folder.at("state/memory")).length > 0, true, "the memory's own index is used");
  const some = await evaluateOwnNotes(notes, { settings, names: ["value"], limit: 1 });
  assert.deepEqual(Object.keys(some.report.rows), ["value", "macro"]);
});

test("A set without questions, or of an unknown kind, is an error that says so", async (t) => {
  const settings = await settle(makeTemporaryFolder(t));
  await assert.rejects(evaluateOwnNotes([], { settings }), { code: "eval-invalid", message: /No question/ });
  await assert.rejects(evaluateOwnNotes(notes, { settings, names: ["riddle"] }), {
    code: "eval-invalid",
    hint: /heading, name/,
  });
});
