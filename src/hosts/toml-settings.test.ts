import assert from "node:assert/strict";
import { test } from "node:test";
import { readTomlKeys, tomlTable } from "./toml-settings.ts";

const file = tomlTable({
  path: "config.toml",
  purpose: "MCP server",
  table: "mcp_servers.longhand",
  values: { command: "longhand", args: ["mcp"] },
});

test("the table comes at the end, all else stays byte for byte, and a second time changes nothing", () => {
  for (const text of [
    'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n',
    'model = "x"',
    'prompt = """\n[mcp_servers.longhand]\nit is only text # \n"""\n',
    "list = [\n  1, # one ]\n  2,\n]\r\n",
    "[[hooks]]\nname = '[x'\n",
  ]) {
    const edited = file.edit(text);
    assert.ok(edited.startsWith(text) && edited.length > text.length, text);
    assert.match(edited, /\[mcp_servers\.longhand\]\r?\ncommand = "longhand"\r?\nargs = \["mcp"\]\r?\n$/);
    assert.equal(file.edit(edited), edited);
  }
  assert.equal(file.edit(null), file.snippet);
});

test("a table of that name stays as somebody has set it up, however it is written", () => {
  for (const text of [
    '[mcp_servers.longhand]\ncommand = "mine"\n',
    "[mcp_servers]\nlonghand = { command = 'mine' }\n",
    'mcp_servers.longhand.command = "mine"\n',
    '[ mcp_servers . "longhand" ]\n',
    '[mcp_servers.longhand.env]\nA = "b"\n',
  ]) {
    assert.equal(file.edit(text), text);
  }
});

test("a file that cannot be followed is refused with what to paste", () => {
  for (const text of [
    "nonsense\n",
    'a = "open\n',
    "a = [1,\n",
    'a = """x\n',
    "[a..b]\n",
    "mcp_servers = {}\n",
    "a = ]\n",
  ]) {
    assert.throws(
      () => file.edit(text),
      (error: { code: string; hint: string }) => {
        assert.equal(error.code, "host-config-unusable");
        assert.match(error.hint, /\[mcp_servers\.longhand\]\ncommand = "longhand"/);
        return true;
      },
    );
  }
});

test("keys are known with their tables", () => {
  assert.deepEqual(readTomlKeys('a.b = 1\n[t."x y"]\nc = { d = 2 }\ne = 1979-05-27T07:32:00Z\n'), [
    "a.b",
    "t.x y",
    "t.x y.c",
    "t.x y.c=",
    "t.x y.e",
  ]);
});
