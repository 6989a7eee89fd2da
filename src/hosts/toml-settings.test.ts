import assert from "node:assert/strict";
import { test } from "node:test";
import { readToml, tomlTable } from "./toml-settings.ts";

const file = tomlTable({
  path: "config.toml",
  purpose: "MCP server",
  table: "mcp_servers.longhand",
  values: { command: "longhand", args: ["mcp"] },
});

test("the table is added at the end, everything else is preserved byte for byte, and a second run changes nothing", () => {
  for (const text of [
    'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n',
    'model = "x"',
    'prompt = """\n[mcp_servers.longhand]\nit is only text # \n"""\n',
    "list = [\n  1, # one ]\n  2,\n]\r\n",
    "[[hooks]]\nname = '[x'\n",
  ]) {
    const edited = file.add(text);
    assert.ok(edited.startsWith(text) && edited.length > text.length, text);
    assert.match(edited, /\[mcp_servers\.longhand\]\r?\ncommand = "longhand"\r?\nargs = \["mcp"\]\r?\n$/);
    assert.equal(file.add(edited), edited);
  }
  assert.equal(file.add(null), file.snippet);
});

test("an existing table of that name is kept, however it is written", () => {
  for (const text of [
    '[mcp_servers.longhand]\ncommand = "mine"\n',
    "[mcp_servers]\nlonghand = { command = 'mine' }\n",
    'mcp_servers.longhand.command = "mine"\n',
    '[ mcp_servers . "longhand" ]\n',
    '[mcp_servers.longhand.env]\nA = "b"\n',
  ]) {
    assert.equal(file.add(text), text);
  }
});

test("a file that cannot be parsed is refused, with the text to paste", () => {
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
      () => file.add(text),
      (error: { code: string; hint: string }) => {
        assert.equal(error.code, "host-config-unusable");
        assert.match(error.hint, /\[mcp_servers\.longhand\]\ncommand = "longhand"/);
        return true;
      },
    );
  }
});

test("what was added is removed again, and everything else is preserved byte for byte", () => {
  for (const text of [
    'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n',
    "list = [\n  1, # one ]\n  2,\n]\n",
    "# only a comment\n",
  ]) {
    assert.equal(file.remove(file.add(text)), text);
    assert.equal(file.remove(text), text);
  }
  assert.equal(file.remove(file.snippet), null);
  const among = `a = 1\n\n${file.snippet}\n[mcp_servers.longhand.env]\nX = "y"\n\n# mine\n[b]\nc = 2\n`;
  assert.equal(file.remove(among), "a = 1\n\n# mine\n[b]\nc = 2\n");
  assert.equal(
    file.remove("[mcp_servers]\nlonghand = { command = 'mine' }\nx = 1\n"),
    "[mcp_servers]\nx = 1\n",
  );
});

test("the command line of the server is recognised in other spellings, too", () => {
  assert.deepEqual(file.commandLine?.(file.snippet), ["longhand", "mcp"]);
  const other = "[mcp_servers.longhand]\nargs = [\"mcp\"]\ncommand = '/opt/longhand' # mine\n";
  assert.deepEqual(file.commandLine?.(other), ["/opt/longhand", "mcp"]);
  assert.equal(file.commandLine?.('model = "x"\n'), null);
});

test("keys are found with their tables", () => {
  const entries = readToml('a.b = 1\n[t."x y"]\nc = { d = 2 }\ne = 1979-05-27T07:32:00Z\n');
  assert.ok(typeof entries !== "string");
  assert.deepEqual(
    entries.map(({ name, value }) => [name, value]),
    [
      ["a.b", "1"],
      ["t.x y", undefined],
      ["t.x y.c", "{ d = 2 }"],
      ["t.x y.e", "1979-05-27T07:32:00Z"],
    ],
  );
});
