import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { test } from "node:test";
import { skipWithoutLinks } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { findNoteTool, guessDaily, surveyFolder } from "./survey-folder.ts";

async function find(files: Record<string, string>, folders: readonly string[] = []) {
  const hasFolder = (path: string) =>
    folders.includes(path) || Object.keys(files).some((name) => name.startsWith(`${path}/`));
  return await findNoteTool({ hasFolder, readText: (path) => files[path] ?? null, folders });
}

test("Obsidian says where its daily notes and templates are", async () => {
  assert.deepEqual(
    await find(
      {
        ".obsidian/daily-notes.json": '{"folder": "/Journal/", "format": "YYYY/MM/YYYY-MM-DD dddd"}',
        ".obsidian/templates.json": '{"folder": "Meta/Templates"}',
        ".obsidian/plugins/templater-obsidian/data.json": '{"templates_folder": "Te[m]p"}',
      },
      ["Templates", "Notes"],
    ),
    {
      name: "Obsidian",
      daily: "Journal/{date:YYYY/MM/YYYY-MM-DD dddd}.md",
      exclude: ["/Meta/Templates/", "/Te\\[m\\]p/", "/Templates/", "*.excalidraw.md"],
    },
  );
});

test("the periodic notes of Obsidian win where they are enabled, and an unknown format is ignored", async () => {
  const periodic = (enabled: boolean) => ({
    ".obsidian/daily-notes.json": '{"folder": "Core"}',
    ".obsidian/plugins/periodic-notes/data.json": JSON.stringify({
      daily: { enabled, folder: "P", format: "" },
    }),
  });
  assert.equal((await find(periodic(true)))?.daily, "P/{date}.md");
  assert.equal((await find(periodic(false)))?.daily, "Core/{date}.md");
  assert.equal((await find({ ".obsidian/daily-notes.json": '{"format": "gggg-[W]ww"}' }))?.daily, undefined);
  assert.equal((await find({ ".obsidian/daily-notes.json": '{"folder": "../../etc"}' }))?.daily, undefined);
  assert.deepEqual(await find({ ".obsidian/daily-notes.json": "not json" }), {
    name: "Obsidian",
    exclude: ["*.excalidraw.md"],
  });
});

test("Logseq, Dendron and Foam are recognized by their settings", async () => {
  const edn =
    ';; :journals-directory "no"\n{:journal/file-name-format "yyyy-MM-dd" :journals-directory "log"}';
  assert.deepEqual(await find({ "logseq/config.edn": edn }), {
    name: "Logseq",
    daily: "log/{date}.md",
    exclude: ["/logseq/"],
  });
  assert.equal((await find({ "logseq/config.edn": "{}" }))?.daily, "journals/{date:YYYY_MM_DD}.md");
  assert.deepEqual(await find({ "dendron.yml": "workspace:\n  vaults:\n    - fsPath: vault\n" }), {
    name: "Dendron",
    daily: "vault/{date:[daily.journal.]YYYY.MM.DD}.md",
    exclude: ["templates.*.md"],
  });
  const foam =
    '{ // comment\n "foam.openDailyNote.directory": "journal", "foam.openDailyNote.filenameFormat": "yyyy-mm-dd" }';
  assert.deepEqual(await find({ ".vscode/settings.json": foam }), {
    name: "Foam",
    daily: "journal/{date}.md",
    exclude: [],
  });
  assert.equal(await find({ ".vscode/settings.json": "{}", "README.md": "" }), null);
});

test("settings of any shape are read as far as they make sense", async () => {
  const obsidian = { name: "Obsidian", exclude: ["*.excalidraw.md"] };
  for (const text of ["[]", "null", '"Journal"', "7", '[{"folder": "Journal"}]', "{"]) {
    assert.deepEqual(await find({ ".obsidian/daily-notes.json": text }), obsidian, text);
  }
  for (const text of ["{}", '{"folder": 7}', '{"folder": " "}', '{"folder": null, "format": " "}']) {
    const found = await find({ ".obsidian/daily-notes.json": text });
    assert.deepEqual(found, { ...obsidian, daily: "{date}.md" }, text);
  }
  for (const daily of ["[]", "null", "true", '{"enabled": "true", "folder": "P"}']) {
    const files = { ".obsidian/plugins/periodic-notes/data.json": `{"daily": ${daily}}` };
    assert.deepEqual(await find(files), obsidian, daily);
  }
  const bom = { ".obsidian/daily-notes.json": '\ufeff{folder: "Journal", /* JSON5 */}' };
  assert.equal((await find(bom))?.daily, "Journal/{date}.md");
  assert.deepEqual((await find({}, [".obsidian", "_templates", "template", "my templates", "T"]))?.exclude, [
    ...["/_templates/", "/template/", "*.excalidraw.md"],
  ]);
});

test("names of days and months, and other parts of a format, are translated", async () => {
  const logseq = async (format: string) =>
    (await find({ "logseq/config.edn": `{:journal/file-name-format "${format}"}` }))?.daily;
  assert.equal(await logseq("EEEE, yyyy-MM-dd"), "journals/{date:dddd, YYYY-MM-DD}.md");
  assert.equal(await logseq("EEE yyyy-MM-d"), "journals/{date:ddd YYYY-MM-D}.md");
  const dendron = async (text: string) => (await find({ "dendron.yml": text }))?.daily;
  assert.equal(
    await dendron("vaults:\n  - fsPath: top\n"),
    "top/{date:[daily.journal.]YYYY.MM.DD}.md",
    "an older file",
  );
  assert.equal(
    await dendron(
      "workspace:\n  journal:\n    dailyDomain: log\n    name: day\n    dateFormat: yyyy-MM-dd\n  vaults: none\n",
    ),
    "{date:[log.day.]YYYY-MM-DD}.md",
  );
  assert.equal(await dendron("vaults:\n  -\n"), "{date:[daily.journal.]YYYY.MM.DD}.md");
  assert.equal(await dendron("- : ["), "{date:[daily.journal.]YYYY.MM.DD}.md");
});

test("Foam is recognized by one setting or its folder, and gives a daily pattern only if configured", async () => {
  const foam = async (settings: object) => await find({ ".vscode/settings.json": JSON.stringify(settings) });
  const plain = { name: "Foam", exclude: [] };
  assert.deepEqual(await find({ ".foam/templates/x.md": "" }), plain);
  assert.deepEqual(await foam({ "foam.graph.style": {} }), plain);
  assert.deepEqual(await foam({ "editor.foam.x": 1 }), null);
  assert.deepEqual(await foam({ "foam.openDailyNote.directory": "d" }), { ...plain, daily: "d/{date}.md" });
  assert.deepEqual(await foam({ "foam.openDailyNote.filenameFormat": "yyyy_mm_dd" }), {
    ...plain,
    daily: "{date:YYYY_MM_DD}.md",
  });
});

test("without a setting, the existing dated notes decide", () => {
  const days = ["2025-03-04", "2025-03-05", "2025-04-01"];
  const cases: [pattern: string, paths: string[]][] = [
    ["Daily/{date}.md", days.map((day) => `Daily/${day}.md`)],
    ["{date:YYYY_MM_DD}.md", days.map((day) => `${day.replaceAll("-", "_")}.md`)],
    [
      "j/{date:YYYY/MM/YYYY-MM-DD}.md",
      days.map((day) => `j/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`),
    ],
  ];
  for (const [pattern, paths] of cases) assert.equal(guessDaily(["a.md", ...paths]), pattern);
  assert.equal(guessDaily(["2025-03-04.md", "Daily/2025-03-04.md"]), null);
});

test("too few dated notes decide nothing; otherwise the majority decides", () => {
  const days = (count: number, folder: string) =>
    Array.from({ length: count }, (_, index) => `${folder}2025-03-0${index + 1}.md`);
  assert.equal(guessDaily(days(2, "a/")), null);
  assert.equal(guessDaily(days(3, "a/")), "a/{date}.md");
  assert.equal(guessDaily(days(3, "")), "{date}.md");
  assert.equal(guessDaily([...days(3, "a/"), ...days(4, "b/"), ...days(3, "c/")]), "b/{date}.md");
  assert.equal(guessDaily([]), null);
});

test("a survey counts notes and their folders, and says what their program excludes", async (t) => {
  const folder = makeTemporaryFolder(t, {
    ...{ "MEMORY.md": "1", "b.md": "2", "a/x.md": "3", "a/y.md": "4", "ab/z.md": "5", "a/picture.png": "" },
    ...{ "Templates/t.md": "", "drafts/d.md": "" },
  });
  const survey = async (exclude: readonly string[] = []) => {
    const { skipped: _, ...rest } = await surveyFolder(folder.dir, { exclude });
    return rest;
  };
  const plain = { tool: null, daily: "memory/{date}.md", exclude: [] as string[], notes: 7, folders: 5 };
  assert.deepEqual(await survey(), plain);
  assert.deepEqual(await survey(["drafts/"]), { ...plain, notes: 6, folders: 4 });
  folder.makeFolder(".obsidian");
  const exclude = ["/Templates/", "*.excalidraw.md"];
  assert.deepEqual(await survey(["drafts/"]), { ...plain, tool: "Obsidian", exclude, notes: 5, folders: 3 });
  assert.deepEqual((await survey(exclude)).exclude, [], "what is excluded already is not added");
  folder.write(".obsidian/daily-notes.json", '{"folder": "Journal"}');
  assert.equal((await survey()).daily, "Journal/{date}.md");
});

test("settings that are too large, or outside the folder, are not read", {
  skip: skipWithoutLinks,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "outside/daily-notes.json": '{"folder": "Outside"}' });
  folder.makeFolder("ws/.obsidian");
  const dailyOf = async () => (await surveyFolder(folder.at("ws"), { exclude: [] })).daily;
  symlinkSync(folder.at("outside/daily-notes.json"), folder.at("ws/.obsidian/daily-notes.json"));
  assert.equal(await dailyOf(), "memory/{date}.md", "a link to a file");
  symlinkSync(folder.at("outside"), folder.at("ws/logseq"));
  folder.write("outside/config.edn", '{:journals-directory "log"}');
  assert.equal(await dailyOf(), "memory/{date}.md", "a file in a linked folder");
  const other = makeTemporaryFolder(t);
  const dailyWith = async (sizeBytes: number) => {
    other.write(".obsidian/daily-notes.json", '{"folder": "Large"}'.padEnd(sizeBytes));
    return (await surveyFolder(other.dir, { exclude: [] })).daily;
  };
  assert.equal(await dailyWith(1024 * 1024), "Large/{date}.md");
  assert.equal(await dailyWith(1024 * 1024 + 1), "memory/{date}.md");
});
