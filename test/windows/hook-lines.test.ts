import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { hangLimitMs } from "../support/hang-limit.ts";
import { homeVariables, isWindows, skipOnWindows } from "../support/platform.ts";
import { wordsInPowerShell } from "../support/powershell-words.ts";
import { openCliFixture } from "../support/run-cli.ts";

/*
 * The command lines that `init --user` writes, run as the hosts run them: by a shell, with an event on standard input.
 * On Windows, cmd runs what can also be typed there; a line for PowerShell, which Wine does not have, is taken apart by
 * its rules and started. Elsewhere sh runs all of them.
 */

interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
  readonly mcpServers?: Readonly<Record<string, { command: string; args: readonly string[] }>>;
}

const hosts = [
  { flag: "--claude-code", file: ".claude/settings.json", event: "UserPromptSubmit", shell: "cmd" },
  { flag: "--codex", file: ".codex/hooks.json", event: "UserPromptSubmit", shell: "PowerShell" },
  { flag: "--gemini", file: ".gemini/settings.json", event: "BeforeAgent", shell: "PowerShell" },
] as const;

const names = ["my notes", "Ünïcode 日本, 50% & more (old)", "O'Brien $HOME"];

for (const name of names) {
  test(`the hooks that hosts are given find the memory in a folder called ${name}`, async (t) => {
    const { settings, run, workspace } = await connect(t, name);
    for (const { flag, file, event, shell } of hosts) {
      const line = settings(file).hooks[event]![0]!.hooks[0]!.command;
      // Nothing protects both an apostrophe and a dollar in every shell.
      if (isWindows && shell === "cmd" && name.includes("$")) continue;
      const { stdout, stderr } = run(line, shell, {
        session_id: flag,
        hook_event_name: event,
        prompt: "who fires the kiln?",
      });
      const { hookSpecificOutput } = JSON.parse(stdout || "{}") as {
        hookSpecificOutput?: { additionalContext: string };
      };
      assert.match(
        hookSpecificOutput?.additionalContext ?? "",
        /Zoë/,
        `${flag} ${workspace}: ${line} ${stderr}`,
      );
    }
  });
}

test("a host without the PATH of a shell, such as one started from the Dock, starts hooks and server", {
  skip: skipOnWindows("programs have the same PATH there however they are started"),
}, async (t) => {
  const { settings, run, workspace } = await connect(t, "my notes");
  const { hooks, mcpServers } = settings(".gemini/settings.json");
  const bare = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };
  const event = { session_id: "s", hook_event_name: "BeforeAgent", prompt: "who fires the kiln?" };
  const line = hooks["BeforeAgent"]![0]!.hooks[0]!.command;
  assert.match(run(line, "PowerShell", event, bare).stdout, /Zoë/);
  const { command, args } = mcpServers!["longhand"]!;
  const calls = [
    { method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
    { method: "tools/call", params: { name: "memory_search", arguments: { query: "who fires the kiln?" } } },
  ].map((call, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...call })}\n`);
  const env = { ...bare, HOME: path.dirname(workspace) };
  const { stdout } = spawnSync(command, args, { env, input: calls.join(""), encoding: "utf8" });
  assert.match(stdout, /Zoë/);
});

const clientInfo = { name: "test", version: "1" };

async function connect(t: TestContext, name: string) {
  const fixture = openCliFixture(t);
  const workspace = path.join(fixture.home, name);
  mkdirSync(workspace);
  // With the folder of node on the PATH the line names the program as `node`, as it does where Node is installed.
  const env = { PATH: [path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter) };
  await fixture.runWith({ env, cwd: workspace }, "init", workspace);
  await fixture.runWith({ env, cwd: workspace }, "add", "Zoë fires the kiln on Wednesdays.");
  const flags = hosts.map(({ flag }) => flag);
  const connected = await fixture.runWith(
    { env, cwd: fixture.project },
    "init",
    workspace,
    "--user",
    ...flags,
  );
  assert.equal(connected.code, 0, connected.stderr);
  return {
    workspace,
    settings: (file: string) =>
      JSON.parse(readFileSync(path.join(fixture.home, file), "utf8")) as HookSettings,
    run(line: string, shell: "cmd" | "PowerShell", event: object, changed: Record<string, string> = {}) {
      const options = {
        cwd: fixture.project,
        input: JSON.stringify({ cwd: fixture.project, ...event }),
        encoding: "utf8",
        timeout: hangLimitMs,
        env: { ...env, ...homeVariables(fixture.home), LONGHAND_STATE_DIR: fixture.stateDir, ...changed },
      } as const;
      // For a machine that has much else to do.
      const patient = `${line} --within 120`;
      if (!isWindows || shell === "cmd") return spawnSync(patient, { ...options, shell: true });
      const [program = "", ...words] = wordsInPowerShell(patient);
      return spawnSync(program, words, options);
    },
  };
}
