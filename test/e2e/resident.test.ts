import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import { until } from "../support/hang-limit.ts";
import { answeredBy, openResidentFixture, skip } from "../support/resident-fixture.ts";
import type { CliSetting } from "../support/run-cli.ts";

type Case = readonly [setting: Partial<CliSetting>, ...argv: string[]];

/** Figures that no two runs have in common. */
const masked = (text: string) =>
  text.replaceAll(/\d+(?:\.\d+)?(?= m?s\b)/g, "N").replaceAll(/"(\w*[mM]s)":[\d.]+/g, '"$1":N');

const prompt = (cwd: string, asked: string) => ({ input: JSON.stringify({ cwd, prompt: asked }) });

suite("A command line that a running process answers", { skip }, () => {
  test("prints what a new process prints, and ends the same", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    const { project } = fixture;
    const there = path.join(project, "../elsewhere");
    fixture.write("memory/2026-11-01.md", "- The office in Oslo closes at six.\n");
    fixture.write("memory/keys.md", "---\nprivate: true\n---\nThe password hint is a fish.\n");
    fixture.write("../elsewhere/MEMORY.md", "The office in Rome never closes.\n");
    await fixture.trust();
    await fixture.run("index");
    const cases: readonly Case[] = [
      [{}, "search", "when do we deploy"],
      [{}, "search", "when do we deploy", "--json"],
      [{}, "search", "office", "--explain"],
      [{}, "search", "office", "--why-not", "MEMORY.md:1"],
      [{}, "search", "office", "--quiet", "--max-results", "1"],
      [{}, "search", "zebra crossing rules"],
      [{}, "search", "office", "--since", "2026-11-01", "--json"],
      [{}, "search", "office", "--since", "someday"],
      [{}, "search", "office", "--path", "../x", "--json"],
      [{}, "search", "fish", "--session-key", "agent:main:telegram:group:7"],
      [{}, "search", "fish", "--session-key", "agent:other:main"],
      [{}, "search", "office", "--workspace", there],
      [{ cwd: there }, "search", "office"],
      [{ env: { LONGHAND_WORKSPACE: there } }, "search", "office"],
      [{}, "search", "office", "--agent", "somebody"],
      [{}, "search", "office", "--workspace", "missing"],
      [prompt(project, "when do we deploy?"), "hook", "user-prompt"],
      [prompt(there, "when does the office close?"), "hook", "user-prompt"],
      [{ input: "not JSON" }, "hook", "user-prompt"],
      [{ input: "" }, "hook", "user-prompt"],
      [prompt(project, ""), "hook", "session-start"],
      [prompt(there, ""), "hook", "session-start"],
      [prompt(project, ""), "hook", "pre-compact"],
      [prompt(project, ""), "hook", "session-end"],
      [{ input: "{}" }, "hook", "no-such-event"],
    ];
    for (const [setting, ...argv] of cases) {
      const title = `longhand ${argv.join(" ")} ${JSON.stringify(setting)}`;
      const env = { ...setting.env, LONGHAND_RESIDENT: "0" };
      const own = await fixture.runWith({ ...setting, env }, ...argv);
      const asked = await fixture.askResident(setting, ...argv);
      const quiet = await fixture.runWith(setting, ...argv);
      assert.equal(masked(asked.stdout), masked(own.stdout), title);
      assert.equal(masked(quiet.stdout), masked(own.stdout), title);
      assert.equal(masked(quiet.stderr), masked(own.stderr), title);
      assert.deepEqual([asked.code, quiet.code], [own.code, own.code], title);
    }
  });

  test("fails as always in a folder that was deleted", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, "search", "deploy");
    const gone = path.join(fixture.project, "gone");
    const run = (resident: string) => {
      mkdirSync(gone);
      const line = `cd '${gone}' && rmdir '${gone}' && ${fixture.shellLine("search", "deploy")}`;
      const env = { ...fixture.env, LONGHAND_RESIDENT: resident };
      const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { env, encoding: "utf8" });
      return { status, stdout, stderr };
    };
    const own = run("0");
    assert.match(own.stderr, /The current folder no longer exists/);
    assert.deepEqual(run("1"), own);
  });

  test("reports the same wherever its streams lead", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.trust();
    await fixture.askResident({}, "search", "deploy");
    const search = fixture.shellLine("search", "deploy");
    const hook = fixture.shellLine("hook", "user-prompt");
    const asked = `echo '{"cwd": "${fixture.project}", "prompt": "when do we deploy?"}' | ${hook}`;
    const lines = [
      `${search} > /dev/full`,
      `${search} --json > /dev/full`,
      `${search} 2> /dev/full`,
      `${search} > /dev/full 2> /dev/full`,
      `${search} >&-`,
      `${search} <&-`,
      `${asked} > /dev/full`,
      `${asked} 2> /dev/full`,
      `${asked} >&-`,
      `${hook} <&-`,
      `${hook} < /dev/null`,
      `${hook} < /`,
      `${hook} 0> '${path.join(fixture.project, "empty")}'`,
    ];
    for (const shellLine of lines) {
      const run = (resident: string) => {
        const env = { ...fixture.env, LONGHAND_RESIDENT: resident };
        const options = { cwd: fixture.project, env, encoding: "utf8" } as const;
        const { status, stdout, stderr } = spawnSync("sh", ["-c", shellLine], options);
        return { status, stdout, stderr: masked(stderr) };
      };
      assert.deepEqual(run("1"), run("0"), shellLine);
    }
  });

  test("looks on a terminal as it always does", async (t) => {
    try {
      execFileSync("script", ["--version"], { stdio: "ignore" });
    } catch {
      return t.skip("needs the program script");
    }
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, "search", "deploy");
    const onTerminal = (resident: string) =>
      execFileSync("script", ["-qec", fixture.shellLine("search", "when do we deploy"), "/dev/null"], {
        cwd: fixture.project,
        env: { ...fixture.env, TERM: "xterm-256color", LONGHAND_RESIDENT: resident },
        encoding: "utf8",
      });
    const own = onTerminal("0");
    assert.match(own, /\u001b\[/);
    assert.equal(masked(onTerminal("1")), masked(own));
  });

  test("is left to a new process if anything about it is different", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    fixture.write("../other/longhand.json5", "{}");
    fixture.write("../other.json5", "{}");
    await fixture.askResident({}, "search", "deploy");
    const cases: readonly Case[] = [
      [{ env: { LONGHAND_RESIDENT: "0" } }, "search", "deploy"],
      [{ env: { TZ: "Asia/Tokyo" } }, "search", "deploy"],
      [{ env: { NODE_OPTIONS: "--no-warnings" } }, "search", "deploy"],
      [{ env: { HTTPS_PROXY: "http://127.0.0.1:9" } }, "search", "deploy"],
      [{ env: { FORCE_COLOR: "1" } }, "search", "deploy"],
      [{ env: { LONGHAND_STATE_DIR: path.join(fixture.project, "../other") } }, "search", "deploy"],
      [{ env: { LONGHAND_CONFIG: path.join(fixture.project, "../other.json5") } }, "search", "deploy"],
      [{}, "search", "deploy", "--state-dir", path.join(fixture.project, "../other")],
      [{}, "search", "deploy", "--config", path.join(fixture.project, "../other.json5")],
      [{}, "search"],
      [{}, "search", "--help"],
      [{}, "status"],
    ];
    for (const [setting, ...argv] of cases) {
      const { stderr } = await fixture.runWith(setting, ...argv, "--debug");
      assert.equal(answeredBy(stderr), null, `${argv.join(" ")} ${JSON.stringify(setting)}`);
    }
    await fixture.askResident({}, "search", "deploy");
  });

  test("is given whatever the caller's locale and PATH", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, "search", "deploy");
    for (const env of [{ LC_ALL: "C" }, { LANG: "en_US.UTF-8" }, { PATH: "/usr/bin" }]) {
      await fixture.askResident({ env }, "search", "deploy");
    }
  });

  test("is left to a caller that may do less", {
    skip: !existsSync("/usr/bin/setpriv") && "setpriv is not installed",
  }, async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, "search", "deploy");
    const line = `setpriv --no-new-privs ${fixture.shellLine("search", "deploy", "--debug")} 2>&1`;
    const shown = execFileSync("sh", ["-c", line], {
      cwd: fixture.project,
      env: { ...fixture.env, LONGHAND_RESIDENT: "1" },
      encoding: "utf8",
    });
    assert.match(shown, /deploy/i);
    assert.equal(answeredBy(shown), null);
  });

  test("finds what was written, and obeys what was configured, just before", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    const search = async (...argv: string[]) => (await fixture.askResident({}, "search", ...argv)).stdout;
    for (const color of ["amber", "violet", "teal"]) {
      await search("deploy");
      fixture.write("MEMORY.md", `We deploy with the ${color} script.\n`);
      assert.match(await search("deploy script"), new RegExp(color));
    }
    fixture.write("memory/more.md", "The deploy script needs a key.\n");
    assert.match(await search("deploy script"), /more\.md/);
    const limit = '{"agents": {"defaults": {"memorySearch": {"query": {"maxResults": 1}}}}}';
    fixture.write("../state/longhand.json5", limit);
    assert.equal(JSON.parse(await search("deploy script", "--json")).results.length, 1);
    fixture.write(
      "../state/longhand.json5",
      '{"agents": {"defaults": {"memorySearch": {"enabled": false}}}}',
    );
    assert.deepEqual(JSON.parse(await search("deploy script", "--json")), { disabled: true });
    fixture.write("../state/longhand.json5", "{}");
    rmSync(path.join(fixture.stateDir, "memory"), { recursive: true });
    assert.match(await search("deploy script"), /teal/);
  });

  test("has its own environment, for this answer alone", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, "search", "river");
    const workspace = `\${SOME_NOTES}`;
    fixture.write("../state/longhand.json5", JSON.stringify({ agents: { defaults: { workspace } } }));
    fixture.write("../a/MEMORY.md", "The river is the Arno.\n");
    fixture.write("../b/MEMORY.md", "The river is the Brenta.\n");
    for (const [name, river] of [
      ["a", /Arno/],
      ["b", /Brenta/],
      ["a", /Arno/],
    ] as const) {
      const env = { SOME_NOTES: path.join(fixture.project, "..", name) };
      assert.match((await fixture.askResident({ env }, "search", "river")).stdout, river);
    }
    assert.match((await fixture.askResident({}, "search", "river", "--json")).stdout, /SOME_NOTES/);
  });
});

suite("A resident", { skip }, () => {
  for (const server of [
    ["mcp"],
    ["mcp", "--http", "--port", "0"],
    ["serve", "--port", "0"],
    ["index", "--watch"],
  ]) {
    test(`answers beside longhand ${server.join(" ")}, and ends with it`, async (t) => {
      const fixture = openResidentFixture(t, server);
      const { pid } = await fixture.askResident({}, "search", "deploy");
      assert.notEqual(pid, fixture.server.pid);
      fixture.server.kill("SIGTERM");
      await once(fixture.server, "exit");
      await until(() => !isRunning(pid), "the end of the resident");
      assert.equal(answeredBy((await fixture.run("search", "deploy", "--debug")).stderr), null);
    });
  }

  test("ends with a server that is killed, and is replaced by that of the next one", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    const { pid } = await fixture.askResident({}, "search", "deploy");
    fixture.server.kill("SIGKILL");
    process.kill(pid, "SIGKILL");
    assert.equal((await fixture.run("search", "deploy")).code, 0);
    fixture.start({ keepInputOpen: true }, "mcp");
    assert.notEqual((await fixture.askResident({}, "search", "deploy")).pid, pid);
  });

  test("is started again for the next caller if it is killed while it starts", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    let killed: number | undefined;
    await until(async () => {
      await fixture.run("search", "deploy");
      const started = childrenOf(fixture.server.pid!);
      killed = started[0];
      for (const pid of started) process.kill(pid, "SIGKILL");
      return killed !== undefined;
    }, "the start of a resident");
    assert.notEqual((await fixture.askResident({}, "search", "deploy")).pid, killed);
  });

  test("is replaced at once by that of another server, whose own could not start before", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    const { pid } = await fixture.askResident({}, "search", "deploy");
    const other = fixture.start({ keepInputOpen: true }, "mcp");
    other.stdin!.write(`${JSON.stringify(initialize)}\n`);
    await once(other.stdout!, "data");
    assert.equal((await fixture.askResident({}, "search", "deploy")).pid, pid);
    fixture.server.kill("SIGTERM");
    await once(fixture.server, "exit");
    const endedAtMs = performance.now();
    assert.notEqual((await fixture.askResident({}, "search", "deploy")).pid, pid);
    const seconds = (performance.now() - endedAtMs) / 1000;
    assert.ok(seconds < 30, `it took ${seconds} s, as if nobody had noticed the end`);
  });

  test("says why it does not answer, if asked", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    await fixture.askResident({}, "search", "deploy");
    const env = { TZ: "Asia/Tokyo" };
    const { stderr } = await fixture.runWith({ env }, "search", "deploy", "--debug");
    assert.match(stderr, /^not answered by a process: it is another version, or was started differently\n/);
    assert.doesNotMatch((await fixture.runWith({ env }, "search", "deploy")).stderr, /not answered/);
    const { stderr: text } = await fixture.runWith({ env }, "search", "--", "deploy", "--debug");
    assert.doesNotMatch(text, /not answered/);
  });

  test("is started again for the next caller if it is killed", async (t) => {
    const fixture = openResidentFixture(t, ["mcp"]);
    const { pid } = await fixture.askResident({}, "search", "deploy");
    process.kill(pid, "SIGKILL");
    assert.notEqual((await fixture.askResident({}, "search", "deploy")).pid, pid);
  });
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** The residents that a server has started. */
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
