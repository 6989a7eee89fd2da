import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import json5 from "json5";
import { parts } from "../bench/parts.ts";
import { brokenLinks, findAnchors, findLinks, readPages, unlistedPages } from "../scripts/check-links.ts";
import { reduce } from "../scripts/dependency-picture.ts";
import { drawTerminal, readAnsi, shownCommands, typed } from "../scripts/terminal-picture.ts";
import { commands } from "../src/cli/commands.ts";
import { checkConfig } from "../src/config/check.ts";
import { allKeys } from "../src/config/known-keys.ts";
import { configOptions } from "../src/config/options.ts";
import { checkNames } from "../src/doctor/check.ts";
import { hostNames } from "../src/hosts/host-list.ts";
import { faults } from "./faults/faults.ts";
import { suites } from "./fuzz/suites.ts";
import { finish } from "./support/child-process.ts";
import { openCliFixture } from "./support/run-cli.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");

test("the generated pages are up to date", async () => {
  const child = spawn(process.execPath, ["scripts/generate-docs.ts", "--check"], { cwd: root });
  const { code, stderr } = await finish(child);
  assert.equal(code, 0, `run: node scripts/generate-docs.ts\n${stderr}`);
});

test("the example on the configuration page is a valid configuration", () => {
  const page = read("docs/configuration.md");
  const example = /```json5\n([^`]+)```/.exec(page)?.[1] ?? assert.fail("there is no example");
  const { problems } = checkConfig({
    options: configOptions,
    value: json5.parse(example),
    env: { MY_OPENAI_KEY: "x" },
  });
  assert.deepEqual(problems, []);
});

test("the configuration page names every key", () => {
  const page = read("docs/configuration.md");
  for (const key of allKeys(configOptions, "")) {
    const parts = key.split(".");
    const named =
      parts.some((_, index) => page.includes(`| \`${parts.slice(index).join(".")}\``)) ||
      page.includes(`## ${key}`);
    const isGroup = allKeys(configOptions, "").some((other) => other.startsWith(`${key}.`));
    assert.ok(named || isGroup, key);
  }
});

test("every link within the repository leads somewhere, and the index of docs to every page", async () => {
  const pages = await readPages();
  assert.ok(pages.size > 20, "the pages were found");
  assert.deepEqual(brokenLinks(pages), []);
  assert.deepEqual(unlistedPages(pages), []);
});

test("every page and heading that a source file names exists", async () => {
  const pages = await readPages();
  const sources = globSync("{src,scripts,bench,examples}/**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts") && !file.includes("node_modules"),
  );
  const mentions = sources.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?/g)].map(([target]) => ({
      file,
      target,
    })),
  );
  assert.ok(mentions.length > 20, "mentions were found");
  const broken = mentions.filter(({ target }) => {
    const [path = "", anchor] = target.split("#");
    const page = pages.get(path);
    return page === undefined || (anchor !== undefined && !findAnchors(page).has(anchor));
  });
  assert.deepEqual(broken, []);
});

test("every program that a page mentions exists: scripts, files, parts of the benchmark, faults, suites", async () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const known: Record<string, readonly string[]> = {
    "npm run": Object.keys(scripts),
    "bench --only": Object.keys(parts),
    "faults --only": faults.map(({ name }) => name),
    "fuzz --suite": Object.keys(suites),
    "test:hosts --only": hostNames,
  };
  const asked = [...(await readPages())].flatMap(([page, text]) => [
    ...[...text.matchAll(/\bnode ((?:bench|scripts|test|examples)\/[\w/.-]+\.ts)/g)].map(
      ([, file = ""]) => [page, "node", file, existsSync(join(root, file))] as const,
    ),
    ...[...text.matchAll(/\bnpm run ([\w:-]+)([^`\n(]*)/g)].flatMap(([, script = "", rest = ""]) => [
      [page, "npm run", script, known["npm run"]!.includes(script)] as const,
      ...[...rest.matchAll(/(--only|--suite) ([\w,-]+)/g)].flatMap(([, option, names = ""]) =>
        names.split(",").map((name) => {
          const kind = `${script} ${option}`;
          return [page, kind, name, known[kind]?.includes(name) ?? false] as const;
        }),
      ),
    ]),
  ]);
  assert.ok(asked.length > 40, "commands were found");
  assert.deepEqual(
    asked.filter(([, , , isThere]) => !isThere),
    [],
  );
});

test("a page that the index of docs does not name is reported", () => {
  const pages = new Map([
    ["docs/README.md", "[a](a.md)"],
    ["docs/a.md", "[b](b.md)"],
    ["docs/b.md", ""],
    ["docs/decisions/c.md", ""],
  ]);
  assert.deepEqual(unlistedPages(pages), ["docs/b.md is not in docs/README.md"]);
});

test("a link to a missing file and one to a missing heading are reported with their location", () => {
  const pages = new Map([
    ["docs/a.md", "# A\n\n[gone](b.md) and [x](../README.md#nowhere), [fine](#a), `[code](c.md)`\n"],
    ["README.md", "# Some `Where`\n\n[a](docs/a.md#a) [b](#some-where) [c](https://example.com/#x)\n"],
  ]);
  assert.deepEqual(
    brokenLinks(pages, (path) => pages.has(path)),
    ["docs/a.md:3: b.md is not there", "docs/a.md:3: README.md has no heading #nowhere"],
  );
});

test("links are found in pictures, definitions and HTML, and not in code", () => {
  const text = '![p](a.png "title")\n[r]: b.md\n<img src="c.svg">\n```\n[no](d.md)\n```\n`[no](e.md)`\n';
  assert.deepEqual(
    findLinks("x.md", text).map(({ target, line }) => `${target} ${line}`),
    ["a.png 1", "b.md 2", "c.svg 3"],
  );
});

test("anchors are made as GitHub makes them", () => {
  const text =
    "## What `doctor` says, exactly?\n### index\n## index\n```\n# none\n```\n## [Link](x.md) & more\n";
  assert.deepEqual([...findAnchors(text)], ["what-doctor-says-exactly", "index", "index-1", "link--more"]);
});

test("arrows between parts that follow from others are left out", () => {
  const targets = new Map([
    ["top", new Set(["middle", "bottom"])],
    ["middle", new Set(["bottom"])],
  ]);
  assert.deepEqual(reduce(targets), [
    ["top", "middle"],
    ["middle", "bottom"],
  ]);
  const circle = new Map([
    ["one", new Set(["two", "three"])],
    ["two", new Set(["one"])],
  ]);
  assert.throws(() => reduce(circle), /import each other/);
});

test("troubleshooting has a section for every check of doctor", () => {
  const anchors = findAnchors(read("docs/troubleshooting.md"));
  const missing = checkNames.filter((name) => !anchors.has(name.replaceAll(" ", "-")));
  assert.deepEqual(missing, []);
});

test("ARCHITECTURE.md names every source folder, and no missing file", () => {
  const map = read("ARCHITECTURE.md");
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(
    folders.map(({ name }) => `${name}/`).filter((name) => !map.includes(`\`${name}`)),
    [],
  );
  const files = new Set(
    globSync(["{src,test,scripts,bench,examples,quality,.ci}/**", "*", "docs/**"], { cwd: root }).map(
      (name) => basename(name),
    ),
  );
  const named = [...map.matchAll(/`([\w./-]+\.(?:ts|md|tsx|json))`/g)].map(([, name = ""]) => name);
  assert.ok(named.length > 30, "names were found");
  // A name with a pattern in it, or a note of a memory, is no file of ours.
  const notes = ["MEMORY.md", "entries.md"];
  assert.deepEqual(
    named.filter((name) => !files.has(basename(name)) && !notes.includes(basename(name))),
    [],
  );
});

test("the decision about dependencies names each of them", () => {
  const page = read("docs/decisions/2026-11-15-dependencies.md");
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(read("package.json"));
  const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

test("the README names every command", () => {
  const readme = read("README.md");
  const unnamed = commands.filter(({ name }) => !new RegExp(`\`(?:longhand )?${name}\\b`).test(readme));
  assert.deepEqual(
    unnamed.map(({ name }) => name),
    [],
  );
});

test("the commands of the README work one after the other in an empty folder, and show what its picture shows", async (t) => {
  const fixture = openCliFixture(t);
  const blocks = [...read("README.md").matchAll(/^```sh\n(?<block>[\s\S]*?)^```$/gm)];
  const lines = blocks.flatMap(({ groups }) => groups!["block"]!.split("\n"));
  const typedLines = lines
    .filter((line) => line.startsWith("longhand "))
    .map((line) => line.replace(/\s+#.*$/, ""));
  for (const { args } of shownCommands) assert.ok(typedLines.includes(typed(args)), typed(args));
  for (const line of typedLines) {
    // Commands that run until they are stopped are tested elsewhere.
    if (/^longhand (?:serve|mcp)\b/.test(line)) continue;
    const [, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    );
    const { code, stdout, stderr } = await fixture.run(...args);
    assert.equal(code, 0, `${line}: ${stderr}`);
    const shown = shownCommands.find((command) => typed(command.args) === line);
    if (shown) assert.ok(stdout.includes(shown.shows), `${line} printed: ${stdout}`);
  }
});

test("the program of the README runs as printed", async (t) => {
  const program = /^```ts\n(?<code>[\s\S]*?)^```$/m.exec(read("README.md"))?.groups?.["code"] ?? "";
  const folder = makeTemporaryFolder(t, { "program.ts": program, "notes/README.md": "" });
  const loader = new URL("../scripts/longhand-from-source.ts", import.meta.url).href;
  const child = spawn(process.execPath, ["--import", loader, "program.ts"], {
    cwd: folder.dir,
    env: { PATH: process.env["PATH"], HOME: folder.dir },
  });
  const { code, stdout, stderr } = await finish(child);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^MEMORY\.md:\d+-\d+ {2}0\.\d\d\n[\s\S]*We ship on Fridays only\./);
});

test("terminal colours become classes, and overwritten text is gone", () => {
  const output =
    "\u001b[36m━━\u001b[39m 1/2\r\u001b[2K\u001b[36m\u001b[1ma.md\u001b[22m\u001b[39m  0.83\r\nplain <b>";
  const lines = readAnsi(output);
  assert.deepEqual(lines, [
    [
      { text: "a.md", style: ["cyan", "bold"] },
      { text: "  0.83", style: [] },
    ],
    [{ text: "plain <b>", style: [] }],
  ]);
  assert.match(drawTerminal(lines), /<tspan class="cyan bold">a\.md<\/tspan> {2}0\.83/);
  assert.match(drawTerminal(lines), /plain &lt;b&gt;/);
});
