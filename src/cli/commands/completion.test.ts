import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { skipOnWindows } from "../../../test/support/platform.ts";
import { commands } from "../commands.ts";
import { globalOptions } from "../global-options.ts";
import { completionScript, type Shell, shells } from "./completion.ts";

const dir = mkdtempSync(join(tmpdir(), "longhand-completion-"));
after(() => rmSync(dir, { recursive: true }));

const script = (shell: Shell) => completionScript(shell);

function complete(...words: string[]): string[] {
  const file = join(dir, "longhand.bash");
  writeFileSync(file, script("bash"));
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _longhand; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, status } = spawnSync("bash", ["-c", program, "bash", file, "longhand", ...words], {
    encoding: "utf8",
  });
  assert.equal(status, 0);
  return stdout.split("\n").filter((line) => line !== "");
}

test("bash completes commands, options and their values", { skip: skipOnWindows("needs bash") }, () => {
  assert.deepEqual(complete(""), [...commands.map(({ name }) => name), "help"]);
  assert.deepEqual(complete("sea"), ["search"]);
  assert.deepEqual(complete("--workspace", "x", "sta"), ["status"]);
  assert.deepEqual(complete("search", "--so"), ["--source"]);
  assert.deepEqual(complete("config", "se"), ["set"]);
  assert.deepEqual(complete("config", "set", "memorySearch.prov"), ["memorySearch.provider"]);
  assert.deepEqual(complete("config", "set", "memorySearch.provider", "op"), ["openai"]);
  assert.deepEqual(complete("config", "set", "tools.forget", ""), ["true", "false"]);
  assert.deepEqual(complete("search", "--source", ""), ["memory", "sessions"]);
  assert.deepEqual(complete("completion", ""), [...shells]);
  assert.deepEqual(complete("add", "x", "--to", "dai"), ["daily"]);
  assert.deepEqual(complete("search", "--max-results", ""), []);
  assert.deepEqual(complete("init", `${dir.slice(0, -1)}`), [dir]);
});

for (const shell of ["zsh", "fish"] as const) {
  const missing = spawnSync(shell, ["--version"]).error !== undefined;
  test(`the ${shell} script parses`, { skip: missing && `${shell} is not installed` }, () => {
    const file = join(dir, `longhand.${shell}`);
    writeFileSync(file, script(shell));
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });
}

const noPowershell = spawnSync("pwsh", ["-Version"]).error !== undefined;

test("PowerShell completes commands, options and their values", {
  skip: noPowershell && "pwsh is not installed",
}, () => {
  const file = join(dir, "longhand.ps1");
  const completions = (line: string) =>
    `(TabExpansion2 -inputScript '${line}' -cursorColumn ${line.length}).CompletionMatches.CompletionText -join ' '`;
  writeFileSync(
    file,
    `${script("powershell")}\n${["longhand sea", "longhand completion ba"].map(completions).join("\n")}\n`,
  );
  const { stdout } = spawnSync("pwsh", ["-NoProfile", "-File", file], { encoding: "utf8" });
  assert.deepEqual(stdout.trim().split(/\r?\n/), ["search", "bash"]);
});

test("brackets and quotes of the PowerShell script are balanced", () => {
  const code = script("powershell")
    .replace(/^#.*$/gm, "")
    .replace(/'(?:[^']|'')*'|"[^"]*"/g, "");
  for (const [open, close] of ["()", "{}", "[]"])
    assert.equal(code.split(open!).length, code.split(close!).length, `${open} ${close}`);
  assert.doesNotMatch(code, /['"]/);
});

test("every script contains every command and option", () => {
  for (const shell of shells) {
    const text = script(shell);
    const names = [...globalOptions, ...commands.flatMap(({ options }) => options)].map(
      ({ flags }) => /--([a-z-]+)/.exec(flags)?.[1] ?? "",
    );
    for (const name of [...commands.map((command) => command.name), ...names]) {
      assert.ok(text.includes(name), `${shell}: ${name}`);
    }
  }
});
