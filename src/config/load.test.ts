// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are tested here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { LonghandError } from "../errors.ts";
import { callerLayer, loadConfigFile } from "./load.ts";
import type { PartialConfig } from "./options.ts";

const folder = await fs.mkdtemp(path.join(os.tmpdir(), "longhand-load-"));
after(() => fs.rm(folder, { recursive: true }));
const file = path.join(folder, "longhand.json5");

async function load(content: string | Uint8Array, env: Record<string, string> = {}) {
  await fs.writeFile(file, content);
  return loadConfigFile({ path: file, named: true, env });
}

async function failure(promise: Promise<unknown>): Promise<LonghandError> {
  const error = await promise.then(
    () => assert.fail("it should have failed"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof LonghandError, String(error));
  assert.equal(error.code, "config-invalid");
  assert.notEqual(error.hint, "");
  return error;
}

test("comments, trailing commas and a byte order mark are fine", async () => {
  const layer = await load("\ufeff// mine\n{ tools: { forget: true, }, }\n");
  assert.deepEqual(layer?.values, { tools: { forget: true } });
  assert.equal(layer?.baseDir, folder);
});

test("an empty file sets nothing, and so does the null device", async () => {
  assert.deepEqual((await load(" \n"))?.values, {});
  assert.deepEqual((await loadConfigFile({ path: os.devNull, named: true, env: {} }))?.values, {});
});

test("each value records the file, its key there and the variables in it", async () => {
  const layer = await load(
    '{ agents: { defaults: { workspace: "${A}/${B}", memorySearch: { exclude: ["x", "${A}"] } } } }',
    {
      A: "/secret-value",
      B: "b",
    },
  );
  const origin = layer?.originOf("agents.defaults.workspace");
  assert.deepEqual(origin, {
    from: "file",
    path: file,
    key: "agents.defaults.workspace",
    variables: ["A", "B"],
  });
  assert.doesNotMatch(JSON.stringify(origin), /secret-value/);
  const list = layer?.originOf("agents.defaults.memorySearch.exclude");
  assert.deepEqual(list?.from === "file" && list.variables, ["A"]);
});

test("broken JSON5 is shown with line and column", async () => {
  const error = await failure(load("{\n  tools: {\n    forget: tru\n  }\n}\n"));
  assert.ok(error.message.includes(`${file}: line 3, column 16: `), error.message);
  assert.match(error.hint, /:3:16/);
  assert.match((await failure(load("{ a: 1"))).message, /line 1, column 7/);
  assert.match((await failure(load(String.raw`{ a: "C:\users" }`))).hint, /each backslash twice/);
});

test("problems are reported with the name of the file, all at once", async () => {
  const one = await failure(load("{ tols: {} }"));
  assert.equal(one.message, `Cannot use ${file}: tols is not a known key; did you mean "tools"?`);
  const two = await failure(load("{ tols: {}, memory: 1 }"));
  assert.equal(
    two.message,
    [
      `Cannot use ${file}, 2 problems:`,
      '- tols is not a known key; did you mean "tools"?',
      "- memory must be an object, but is a number.",
    ].join("\n"),
  );
  const many = await failure(
    load(JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 1])))),
  );
  assert.match(many.message, /500 problems/);
  assert.match(many.message, /and 480 more\.$/);
});

test("a configuration file that was named must exist; the default one need not", async () => {
  const missing = path.join(folder, "missing.json5");
  assert.equal(await loadConfigFile({ path: missing, named: false, env: {} }), null);
  const error = await failure(loadConfigFile({ path: missing, named: true, env: {} }));
  assert.equal(error.message, `Cannot read the configuration ${missing}: it does not exist.`);
});

test("a file that is not text, or is too large, is refused, and nothing blocks", async () => {
  assert.match((await failure(load(new Uint8Array([0x7b, 0xff, 0x7d])))).message, /not UTF-8/);
  assert.match((await failure(load(`// ${"x".repeat(1024 * 1024)}`))).message, /more than 1048576/);
  assert.match(
    (await failure(loadConfigFile({ path: folder, named: true, env: {} }))).message,
    /not a regular file/,
  );
  if (process.platform === "win32") return;
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  assert.match(
    (await failure(loadConfigFile({ path: pipe, named: true, env: {} }))).message,
    /not a regular file/,
  );
  const inside = path.join(file, "x");
  assert.match((await failure(loadConfigFile({ path: inside, named: false, env: {} }))).message, /ENOTDIR/);
});

test("a key named __proto__ in the file is an error and changes nothing", async () => {
  const error = await failure(load('{ "__proto__": { polluted: true } }'));
  assert.match(error.message, /__proto__ is not a known key/);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("any invalid file causes a LonghandError", async () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "agents",
    "tools",
    "list",
    "1",
    "// x\n",
    "null",
    "${A}",
    "\\",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.array(piece).map((pieces) => pieces.join("")),
      ),
      async (content) => {
        await load(content).catch((error: unknown) =>
          assert.ok(error instanceof LonghandError, String(error)),
        );
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});

test("a caller's values are validated too, and keep their dollar signs", () => {
  const layer = callerLayer({ agents: { defaults: { workspace: "${A}" } } }, "/base");
  assert.deepEqual(layer.values, { agents: { defaults: { workspace: "${A}" } } });
  assert.deepEqual(layer.originOf("agents.defaults.workspace"), {
    from: "caller",
    key: "agents.defaults.workspace",
  });
  const wrong = { tools: { forget: "yes" } } as unknown as PartialConfig;
  assert.throws(() => callerLayer(wrong, "/base"), {
    code: "config-invalid",
    message: "Cannot use the given options: tools.forget must be true or false, but is a string.",
  });
});
