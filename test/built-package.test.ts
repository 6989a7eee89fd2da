import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openBuiltinEmbedder } from "../src/embedders/builtin/builtin-embedder.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

/**
 * What the built package loads at its start. Time on a busy machine proves nothing, but code that is not loaded takes none.
 */
test("The built package", async (t) => {
  const root = join(import.meta.dirname, "..");
  const { dir } = makeTemporaryFolder(t);
  // Older notes: those that were just written are read and hashed once more.
  const notes = join(root, "examples", "workspace");
  let loaded: readonly string[] = [];

  /** Runs the command line and notes each module that Node loads for it. */
  const run = (...words: string[]): string => runWith("", ...words);

  function runWith(input: string, ...words: string[]): string {
    const list = join(dir, "loaded.json");
    const args = [
      "--import",
      join(dir, "record.mjs"),
      join(dir, "package", "dist", "cli", "bin.js"),
      ...words,
    ];
    const env = { ...process.env, LOADED: list, TMPDIR: dir };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env, input });
    assert.equal(status, 0, stderr);
    loaded = JSON.parse(readFileSync(list, "utf8"));
    return stdout;
  }

  const place = join(dir, "package");
  mkdirSync(place);
  const built = spawnSync(process.execPath, [join(root, "scripts", "build.ts"), join(place, "dist")]);
  assert.equal(built.status, 0, String(built.stderr));
  cpSync(join(root, "package.json"), join(place, "package.json"));
  for (const name of ["models", "node_modules"]) symlinkSync(join(root, name), join(place, name));
  writeFileSync(
    join(dir, "record.mjs"),
    `import { registerHooks } from "node:module";
     import { writeFileSync } from "node:fs";
     const loaded = [], before = new Set(process.moduleLoadList);
     registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
     process.on("exit", () => {
       const own = process.moduleLoadList.filter((name) => !before.has(name));
       writeFileSync(process.env.LOADED, JSON.stringify([...loaded, ...own]));
     });`,
  );

  const search = (): string =>
    run(
      "search",
      "when do deployments happen?",
      "--json",
      "--workspace",
      notes,
      "--state-dir",
      join(dir, "state"),
    );

  await t.test("searches with few files, none of them of a dependency, and few of Node's modules", () => {
    search();
    const { results, mode } = JSON.parse(search());
    assert.deepEqual([results[0]?.path, mode], ["MEMORY.md", "hybrid"]);
    const files = loaded.filter((name) => name.startsWith("file:"));
    assert.ok(files.length <= 6, files.join("\n"));
    assert.deepEqual(
      files.filter((url) => url.includes("node_modules")),
      [],
    );
    const heavy =
      /^NativeModule (?:crypto|child_process|fs\/promises|http|https|worker_threads|util\/types)$/;
    assert.deepEqual(
      loaded.filter((name) => heavy.test(name)),
      [],
    );
  });

  await t.test("starts a session and saves one before it is compacted without loading the engine", () => {
    const own = join(dir, "notes");
    cpSync(notes, own, { recursive: true });
    const place = ["--workspace", own, "--state-dir", join(dir, "state")];
    run("trust", ...place.slice(2), own);
    const transcript = join(dir, "s1.jsonl");
    writeFileSync(
      transcript,
      `${JSON.stringify({ type: "user", message: { content: "We ship on Mondays." } })}\n`,
    );
    const event = { session_id: "s1", hook_event_name: "SessionStart", transcript_path: transcript };
    for (const name of ["session-start", "pre-compact"]) {
      const answer = runWith(JSON.stringify(event), "hook", name, ...place);
      assert.notEqual(answer, "", name);
      assert.deepEqual(
        loaded.filter((url) => /\/engine-[^/]*$/.test(url)),
        [],
        name,
      );
    }
  });

  await t.test("knows its model without reading it, and by the same name", async () => {
    const { model } = JSON.parse(search());
    assert.equal(model, (await openBuiltinEmbedder()).model);
    assert.ok(!loaded.some((url) => url.includes("load-model")));
  });

  await t.test("shows an error that a program did not catch, and not pages of code around it", () => {
    const program = `import { openMemory } from ${JSON.stringify(join(place, "dist", "index.js"))};
      await openMemory({ workspace: ${JSON.stringify(join(dir, "nowhere"))} });`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      env: { ...process.env, HOME: dir },
    });
    assert.match(stderr, /LonghandError: The workspace .*nowhere cannot be used: it does not exist\./);
    assert.ok(stderr.length < 4_000, `${stderr.length} characters`);
  });

  await t.test("prints its version without opening a memory", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.equal(run("--version").trim(), version);
    assert.ok(!loaded.includes("NativeModule sqlite"));
  });
});
