import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { homeVariables, skipWithoutLinks } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "..", "..");

test("longhand init --openclaw", { skip: skipWithoutLinks }, async (t) => {
  const { dir } = makeTemporaryFolder(t);
  const home = join(dir, "home");
  const project = join(dir, "project");
  const fixture = join(dir, "package");
  for (const folder of [home, project, fixture]) mkdirSync(folder);
  const built = spawnSync(process.execPath, [join(root, "scripts", "build.ts"), join(fixture, "dist")]);
  assert.equal(built.status, 0, String(built.stderr));
  for (const name of ["package.json", "plugins"])
    cpSync(join(root, name), join(fixture, name), { recursive: true });
  for (const name of ["models", "node_modules"]) symlinkSync(join(root, name), join(fixture, name));

  const plugin = join(home, ".openclaw", "longhand", "plugin");
  const command = `openclaw plugins install --link ${plugin} --force --accept-capabilities`;
  const variables: Record<string, string> = {};
  const start = (...words: string[]) =>
    spawnSync(process.execPath, [join(fixture, "dist", "cli", "bin.js"), ...words], {
      cwd: project,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...homeVariables(home), TZ: "UTC", ...variables },
    });
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = start(...words);
    assert.equal(status, 0, stderr);
    return { stdout, stderr };
  };

  await t.test("prints what it would do, and does nothing", () => {
    const { stdout } = run("init", "--openclaw", "--print");
    assert.ok(stdout.includes(command) && stdout.includes(join(plugin, "dist")), stdout);
    assert.ok(!existsSync(join(home, ".openclaw", "longhand")));
  });

  await t.test(
    "makes a plugin that needs nothing outside its folder, and no memory in the current one",
    async () => {
      const { stderr } = run("init", "--openclaw");
      assert.ok(stderr.includes(command), stderr);
      assert.ok(!existsSync(join(project, "MEMORY.md")));

      // Like OpenClaw: a copy elsewhere, where only its own files are found.
      const copy = join(dir, "elsewhere", "plugin");
      cpSync(plugin, copy, { recursive: true });
      const program = `
      const { createMemoryPlugin } = await import(${JSON.stringify(pathToFileURL(join(copy, "dist", "openclaw.js")).href)});
      let capability;
      const tools = new Map();
      createMemoryPlugin().register({
        config: {},
        runtime: {
          agent: { resolveAgentWorkspaceDir: () => ${JSON.stringify(join(dir, "notes"))} },
          state: { resolveStateDir: () => ${JSON.stringify(join(dir, "state"))} },
        },
        registerTool: (create, { names }) => tools.set(names[0], create({ agentId: "main", sessionKey: "agent:main:main" })),
        registerMemoryCapability: (given) => (capability = given),
      });
      const { content } = await tools.get("memory_search").execute("1", { query: "automobile repair" });
      console.log(content[0].text);
      await capability.runtime.closeAllMemorySearchManagers();`;
      mkdirSync(join(dir, "notes", "memory"), { recursive: true });
      writeFileSync(join(dir, "notes", "memory", "garage.md"), "The car is being fixed until Friday.\n");
      const {
        status,
        stdout,
        stderr: problem,
      } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
        cwd: dir,
        encoding: "utf8",
      });
      assert.equal(status, 0, problem);
      // No word in common: the builtin model was found, too.
      assert.match(stdout, /memory\/garage\.md/);
    },
  );

  await t.test("changes nothing the second time, and replaces an older version", () => {
    const states = () =>
      JSON.parse(run("init", "--openclaw", "--json").stdout).hosts[0].files.map(
        ({ state }: { state: string }) => state,
      );
    assert.deepEqual(states(), ["unchanged", "unchanged", "unchanged"]);
    writeFileSync(join(plugin, "index.js"), "// an older longhand\n");
    writeFileSync(join(plugin, "dist", "old.js"), "");
    assert.deepEqual(states(), ["unchanged", "unchanged", "changed"]);
    assert.ok(!existsSync(join(plugin, "dist", "old.js")));
    assert.match(readFileSync(join(plugin, "index.js"), "utf8"), /createMemoryPlugin/);
  });

  await t.test("says which plugin has the memory slot, and how to give it back", () => {
    const settings = join(home, ".openclaw", "openclaw.json");
    // There is no memory in this folder, so doctor reports more problems.
    const doctor = () => start("doctor").stdout;
    assert.match(doctor(), /OpenClaw does not use longhand: its memory slot .* is not set/);
    writeFileSync(settings, "{ plugins: {");
    const broken = /OpenClaw's settings .*openclaw\.json cannot be read: invalid end of input/;
    assert.match(run("init", "--openclaw").stderr, broken);
    assert.match(doctor(), broken);
    writeFileSync(settings, '{ plugins: { slots: { memory: "memory-lancedb" } } } // mine\n');
    const { stderr } = run("init", "--openclaw");
    assert.match(
      stderr,
      /It replaces memory-lancedb in that slot\. .*openclaw config set plugins\.slots\.memory memory-lancedb/,
    );
    assert.match(doctor(), /is set to memory-lancedb\n\s+→ Link the plugin/);
    const named = join(home, "claw.json5");
    writeFileSync(named, '{ plugins: { slots: { memory: "longhand" } } }');
    variables["OPENCLAW_CONFIG_PATH"] = named;
    assert.doesNotMatch(doctor(), /does not use/);
    delete variables["OPENCLAW_CONFIG_PATH"];
    writeFileSync(settings, '{ plugins: { slots: { memory: "longhand" } } }');
    assert.doesNotMatch(doctor() + run("init", "--openclaw").stderr, /does not use|It replaces/);
  });

  await t.test("is removed with --remove", () => {
    const { stderr } = run("init", "--openclaw", "--remove");
    assert.match(stderr, /openclaw plugins uninstall longhand/);
    assert.ok(!existsSync(join(home, ".openclaw", "longhand")));
    run("init", "--openclaw");
    // The state after OpenClaw has uninstalled the plugin first.
    writeFileSync(join(home, ".openclaw", "openclaw.json"), "{ plugins: {} }");
    assert.equal(run("init", "--openclaw", "--remove").stderr, "");
  });
});

test("without a build, init --openclaw says what is missing and writes nothing", {
  skip: existsSync(join(root, "dist")) && "there is a build",
}, async (t) => {
  const fixture = openCliFixture(t);
  const { code, stderr } = await fixture.run("init", "--openclaw");
  assert.equal(code, 1);
  assert.match(stderr, /openclaw-plugin is missing.*npm run build/s);
  assert.ok(!existsSync(join(fixture.home, ".openclaw")));
});
