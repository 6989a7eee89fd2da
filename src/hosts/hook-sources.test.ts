import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { findHookSources } from "./hook-sources.ts";
import type { HostName } from "./host-list.ts";

function openHost(t: TestContext, name: HostName) {
  const folder = makeTemporaryFolder(t);
  const find = () => {
    const places = { projectDir: folder.at("project"), hostHome: folder.at("home") };
    return findHookSources({ name }, places).map(({ removal }) => removal);
  };
  return { folder, find };
}

const on = JSON.stringify({ enabledPlugins: { "longhand@longhand": true, "other@longhand": true } });
const off = JSON.stringify({ enabledPlugins: { "longhand@longhand": false } });

test("Claude Code: the settings closest to the project decide whether the plugin is enabled", (t) => {
  const { folder, find } = openHost(t, "claude-code");
  assert.deepEqual(find(), []);
  folder.write("home/settings.json", on);
  assert.deepEqual(find(), ["claude plugin uninstall longhand@longhand"]);
  folder.write("project/.claude/settings.json", off);
  assert.deepEqual(find(), []);
  folder.write("project/.claude/settings.local.json", on);
  assert.deepEqual(find(), ["claude plugin uninstall longhand@longhand --scope local"]);
  folder.write("project/.claude/settings.local.json", "{ broken");
  folder.write("project/.claude/settings.json", on);
  assert.deepEqual(find(), ["claude plugin uninstall longhand@longhand --scope project"]);
});

test("Claude Code: hooks in the project, of the user and of the plugin are three sources", (t) => {
  const { folder, find } = openHost(t, "claude-code");
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "longhand hook session-start" }] }] };
  folder.write("project/.claude/settings.json", JSON.stringify({ hooks }));
  folder.write("home/settings.json", JSON.stringify({ ...JSON.parse(on), hooks }));
  assert.deepEqual(find(), [
    "longhand init --claude-code --remove",
    "longhand init --claude-code --user --remove",
    "claude plugin uninstall longhand@longhand",
  ]);
});

test("Codex: a plugin in config.toml counts unless it is disabled", (t) => {
  const { folder, find } = openHost(t, "codex");
  folder.write("home/config.toml", '[plugins."longhand@longhand"]\nenabled = true\n');
  assert.deepEqual(find(), ["codex plugin remove longhand@longhand"]);
  folder.write("home/config.toml", '[plugins."longhand@longhand"]\nenabled = false # for now\n');
  assert.deepEqual(find(), []);
  folder.write("home/config.toml", '[plugins."longhand@longhand"\n');
  assert.deepEqual(find(), []);
});

test("Gemini CLI: an extension counts unless it is disabled", (t) => {
  const { folder, find } = openHost(t, "gemini");
  const removal = ["gemini extensions uninstall longhand"];
  folder.write("home/extensions/longhand/gemini-extension.json", "{}");
  assert.deepEqual(find(), removal);
  const override = (...overrides: string[]) =>
    folder.write("home/extensions/extension-enablement.json", JSON.stringify({ longhand: { overrides } }));
  override("/elsewhere/*", `!${folder.at("project")}/`);
  assert.deepEqual(find(), []);
  override(`!${folder.at("")}/*`, `${folder.at("project")}/*`);
  assert.deepEqual(find(), removal);
  override(`!${folder.at("project")}-2/*`);
  assert.deepEqual(find(), removal);
});

test("OpenCode: a copy of the plugin in the project and one of the user are two sources", (t) => {
  const { folder, find } = openHost(t, "opencode");
  folder.write("project/.opencode/plugin/longhand.js", "// longhand for OpenCode: an older one\n");
  folder.write("home/plugin/longhand.js", "// longhand for OpenCode\n");
  assert.deepEqual(find(), ["longhand init --opencode --remove", "longhand init --opencode --user --remove"]);
});

test("if both scopes use the same files, they are one source", (t) => {
  const folder = makeTemporaryFolder(t);
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "longhand hook session-start" }] }] };
  folder.write(".claude/settings.json", JSON.stringify({ hooks }));
  const places = { projectDir: folder.at(""), hostHome: folder.at(".claude") };
  assert.deepEqual(
    findHookSources({ name: "claude-code" }, places).map(({ scopes }) => scopes),
    [["project", "user"]],
  );
});
