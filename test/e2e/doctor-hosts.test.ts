import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { installIn } from "../support/installed-command.ts";
import { writeProgram } from "../support/platform.ts";
import { type CliFixture, openCliFixture } from "../support/run-cli.ts";

interface HostCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix: string | null;
}

/** Doctor's results for one host. */
async function diagnose(
  fixture: CliFixture,
  host: string,
  env: Readonly<Record<string, string>>,
): Promise<HostCheck[]> {
  const { stdout } = await fixture.runWith({ env }, "doctor", "--json");
  const { checks } = JSON.parse(stdout) as { checks: HostCheck[] };
  return checks.filter(({ name }) => name === host);
}

test("doctor reports which hosts are connected, and their problems", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const check = async (setting: Record<string, string>) => {
    const { stdout } = await fixture.runWith({ env: setting }, "doctor", "--json");
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; ok: boolean; detail: string; fix: string | null }[];
    };
    return checks.filter(({ name }) => /hosts|claude|codex|cursor|vscode|gemini|opencode/.test(name));
  };
  await fixture.runWith({ env }, "init");
  assert.deepEqual(
    (await check(env)).map(({ name, ok }) => [name, ok]),
    [["hosts", true]],
  );
  await fixture.runWith({ env }, "init", "--claude-code");
  assert.deepEqual(
    (await check(env)).map(({ name, ok, fix }) => [name, ok, fix]),
    [
      ["claude-code", true, null],
      ["claude-code", true, null],
      ["claude-code", true, "Allow them: longhand init --claude-code --allow-tools"],
      ["claude-code", true, null],
    ],
  );
  const [gone] = await check({ PATH: "/nowhere" });
  assert.equal(gone?.ok, false);
  assert.match(gone!.detail, /not on the PATH/);
  fixture.write(".claude/settings.json", "{ broken");
  assert.deepEqual(
    (await check(env)).map(({ ok }) => ok),
    [true, false, true, true],
  );
});

test("doctor looks at the folder that it runs in, wherever the memory is", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const elsewhere = path.join(fixture.home, "notes");
  await fixture.runWith({ env }, "init", elsewhere, "--claude-code");
  const connected = await fixture.runWith({ env }, "doctor");
  assert.match(connected.stdout, /Claude Code has the MCP server in/);
  fixture.write(".mcp.json", "{ broken");
  assert.match((await fixture.runWith({ env }, "doctor")).stdout, /\.mcp\.json cannot be edited/);
});

test("doctor starts what the host would start, and reports the host's version", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const putEcho = (name: string, text: string) =>
    writeProgram(env["PATH"]!, name, { sh: `echo "${text}"`, cmd: `echo ${text}` });
  await fixture.runWith({ env }, "init", "--codex");
  const details = async () => {
    const { stdout } = await fixture.runWith({ env }, "doctor", "--json");
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    return checks.filter(({ name }) => name === "codex");
  };
  putEcho("codex", "codex-cli 0.100.0");
  const [, , host] = await details();
  assert.match(host!.detail, /Codex 0\.100\.0 is .*codex/);
  const refusal = "longhand needs Node 24.15 or newer, or Node 22 from 22.23 on; this is Node 18.0.0.";
  writeProgram(env["PATH"]!, "longhand", {
    sh: `echo "${refusal}" >&2; exit 1`,
    cmd: `echo ${refusal} 1>&2\r\nexit /b 1`,
  });
  const [old] = await details();
  assert.equal(old!.ok, false);
  assert.match(old!.detail, /longhand cannot be started: longhand needs Node 24\.15/);
  putEcho("longhand", "0.0.1");
  const [other] = await details();
  assert.match(other!.detail, /it starts longhand 0\.0\.1, and this is/);
});

test("doctor starts what the hooks start, and reports a missing program once", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const gone = { PATH: "/nowhere" };
  await fixture.runWith({ env }, "init", "--claude-code", "--opencode");
  for (const host of ["claude-code", "opencode"]) {
    const faults = (await diagnose(fixture, host, gone)).filter(({ ok }) => !ok);
    assert.deepEqual(
      faults.map(({ detail }) => /MCP server.*longhand cannot be started/.test(detail)),
      [true],
    );
  }
  await fixture.runWith({ env: gone }, "init", "--claude-code", "--codex", "--opencode", "--remove");
  await fixture.runWith({ env: gone }, "init", "--claude-code", "--codex", "--opencode");
  const files = {
    "claude-code": ".claude/settings.json",
    codex: ".codex/hooks.json",
    opencode: ".opencode/plugin/longhand.js",
  };
  for (const [host, name] of Object.entries(files)) {
    assert.ok((await diagnose(fixture, host, gone)).every(({ ok }) => ok));
    const file = path.join(fixture.project, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/([\\/]+)(?:src|dist)(?=\1cli\1bin)/g, "$1moved"));
    const faults = (await diagnose(fixture, host, gone)).filter(({ ok }) => !ok);
    assert.equal(faults.length, 1, host);
    assert.match(
      faults[0]!.detail,
      /has the (?:hooks|plugin) in .* cannot be started: Error: Cannot find module/,
    );
  }
});

test("doctor starts the longhand that a plugin of the host would start", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  await fixture.runWith({ env }, "init");
  const settings = path.join(fixture.home, ".claude", "settings.json");
  mkdirSync(path.dirname(settings));
  writeFileSync(settings, JSON.stringify({ enabledPlugins: { "longhand@longhand": true } }));
  const [found] = await diagnose(fixture, "claude-code", env);
  assert.equal(found!.ok, true);
  const [gone] = await diagnose(fixture, "claude-code", { PATH: "/nowhere" });
  assert.match(gone!.detail, /the plugin longhand@longhand in .*, but longhand cannot be started/);
  assert.equal(gone!.fix, "Install longhand so that the host finds it, as README.md says.");
});

test("doctor starts no program from the project itself", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  await fixture.runWith({ env }, "init");
  const trace = path.join(fixture.home, "trace");
  const script = fixture.write(
    "dist/cli/bin.js",
    `require("node:fs").writeFileSync(${JSON.stringify(trace)}, "");`,
  );
  const outside = path.join(fixture.home, "evil.js");
  writeFileSync(outside, readFileSync(script));
  const commands = [
    { command: process.execPath, args: [script, "mcp"] },
    { command: process.execPath, args: ["dist/cli/bin.js", "mcp"] },
    { command: process.execPath, args: [outside, "mcp"] },
    { command: process.execPath, args: ["-e", readFileSync(script, "utf8"), "mcp"] },
    { command: script, args: ["mcp"] },
  ];
  for (const server of commands) {
    fixture.write(".mcp.json", JSON.stringify({ mcpServers: { longhand: server } }));
    const line = [server.command, ...server.args].map((word) => `"${word}"`).join(" ");
    const hook = { type: "command", command: `${line.replace(/ "mcp"$/, "")} hook session-start` };
    fixture.write(".claude/settings.json", JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } }));
    const checks = await diagnose(fixture, "claude-code", env);
    assert.match(checks[0]!.detail, /has the MCP server in/);
    assert.ok(!existsSync(trace), JSON.stringify(server));
  }
});

test("doctor reports user hooks in Claude Code without a server", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  await fixture.runWith({ env }, "init", "--claude-code", "--user");
  const missing = async () =>
    (await diagnose(fixture, "claude-code", env)).find(({ detail }) => detail.includes("has no MCP server"))
      ?.fix;
  assert.match((await missing()) ?? "", /^Add the MCP server.*: claude mcp add-json/);
  const file = path.join(fixture.home, ".claude.json");
  const mcpServers = { longhand: { command: "longhand", args: ["mcp"] } };
  for (const servers of [{ mcpServers }, { projects: { [fixture.project]: { mcpServers } } }]) {
    writeFileSync(file, JSON.stringify(servers));
    assert.equal(await missing(), undefined);
  }
  writeFileSync(file, "{ broken");
  assert.equal(await missing(), undefined, "what cannot be read is not called missing");
  writeFileSync(file, "{}");
  await fixture.runWith({ env }, "init", "--claude-code");
  assert.equal(await missing(), undefined, "the project has one");
});
