import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import json5 from "json5";
import { openCliPlace } from "../support/run-cli.ts";

/** A folder on the PATH in which longhand is found, so that it is called by its name. */
function installIn(home: string): Record<string, string> {
  const folder = path.join(home, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "longhand"), "");
  return { PATH: folder };
}

test("each host gets its server and hooks, and a second time nothing changes", async (t) => {
  const place = openCliPlace(t);
  const env = installIn(place.home);
  const argv = ["init", "--claude-code", "--codex", "--cursor", "--vscode"];
  const first = await place.runWith({ env }, ...argv, "--json");
  assert.equal(first.code, 0, first.stderr);
  const at = (name: string) => path.join(place.project, name);
  const read = (name: string) =>
    JSON.parse(readFileSync(at(name), "utf8")) as Record<string, Record<string, unknown>>;
  assert.deepEqual(read(".mcp.json"), {
    mcpServers: { longhand: { type: "stdio", command: "longhand", args: ["mcp"] } },
  });
  const group = (event: string) => [
    { hooks: [{ type: "command", command: `longhand hook ${event}`, timeout: 10 }] },
  ];
  assert.deepEqual(read(".claude/settings.json"), {
    hooks: {
      SessionStart: group("session-start"),
      UserPromptSubmit: group("user-prompt"),
      PreCompact: group("pre-compact"),
      SessionEnd: group("session-end"),
    },
  });
  assert.equal(
    readFileSync(at(".codex/config.toml"), "utf8"),
    '[mcp_servers.longhand]\ncommand = "longhand"\nargs = ["mcp"]\n',
  );
  assert.deepEqual(Object.keys(read(".codex/hooks.json")["hooks"]!), [
    "SessionStart",
    "UserPromptSubmit",
    "PreCompact",
  ]);
  const folder = ["mcp", "--workspace", "$" + "{workspaceFolder}"];
  assert.deepEqual(read(".cursor/mcp.json")["mcpServers"], {
    longhand: { command: "longhand", args: folder },
  });
  assert.deepEqual(read(".vscode/mcp.json")["servers"], {
    longhand: { type: "stdio", command: "longhand", args: folder },
  });

  const files = [
    ".mcp.json",
    ".claude/settings.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
  ];
  const before = files.map((name) => readFileSync(at(name), "utf8"));
  const second = await place.runWith({ env }, ...argv, "--json");
  assert.deepEqual(
    files.map((name) => readFileSync(at(name), "utf8")),
    before,
  );
  const { hosts } = JSON.parse(second.stdout) as { hosts: { files: { state: string }[] }[] };
  assert.ok(hosts.flatMap((host) => host.files).every(({ state }) => state === "unchanged"));
  const { stdout } = await place.runWith({ env }, "init", "--claude-code", "--user");
  assert.match(stdout, /created .*settings\.json/);
  assert.doesNotMatch(stdout, /nothing was changed/);
});

test("other settings stay as they are, comments, order, rights and links included", async (t) => {
  const place = openCliPlace(t);
  const env = installIn(place.home);
  const settings = `{
    // my own
    "permissions": { "allow": ["Bash(ls)"] },
    "hooks": {
        "PreCompact": [
            { "hooks": [{ "type": "command", "command": "save.sh" }] } // mine
        ],
        "SessionEnd": [{ "hooks": [{ "type": "command", "command": "npx longhand hook session-end --agent x" }] }]
    }
}
`;
  const real = place.write("dotfiles/settings.json", settings);
  chmodSync(real, 0o600);
  mkdirSync(path.join(place.project, ".claude"));
  symlinkSync(real, path.join(place.project, ".claude", "settings.json"));
  place.write(
    ".vscode/mcp.json",
    '{\n\t"inputs": [], // none\n\t"servers": {\n\t\t"a": {"url": "x"},\n\t},\n}\n',
  );
  const { code, stderr } = await place.runWith({ env }, "init", "--claude-code", "--vscode");
  assert.equal(code, 0, stderr);
  const text = readFileSync(real, "utf8");
  const withoutComma = text.replace("}, // mine", "} // mine");
  for (const line of settings
    .split("\n")
    .filter((line) => /my own|permissions|save\.sh|--agent x/.test(line))) {
    assert.ok(withoutComma.includes(line), line);
  }
  const { hooks } = json5.parse<{ hooks: Record<string, unknown[]> }>(text);
  assert.deepEqual(
    Object.entries(hooks).map(([event, groups]) => [event, groups.length]),
    [
      ["PreCompact", 2],
      ["SessionEnd", 1],
      ["SessionStart", 1],
      ["UserPromptSubmit", 1],
    ],
  );
  if (process.platform !== "win32") assert.equal(statSync(real).mode & 0o777, 0o600);
  const vscode = readFileSync(path.join(place.project, ".vscode/mcp.json"), "utf8");
  assert.ok(
    vscode.startsWith(
      '{\n\t"inputs": [], // none\n\t"servers": {\n\t\t"a": {"url": "x"},\n\t\t"longhand": {\n\t\t\t',
    ),
  );
});

test("a file that cannot be understood is refused with what to paste, and no file is written", async (t) => {
  const place = openCliPlace(t);
  for (const broken of ["{ broken", "[]", '{"hooks": 5}', '{"hooks": {"PreCompact": {}}}']) {
    const file = place.write(".claude/settings.json", broken);
    const { code, value } = await place.json("init", "--claude-code");
    assert.equal(code, 1);
    const { error } = value as { error: { code: string; hint: string; message: string } };
    assert.equal(error.code, "host-config-unusable");
    assert.match(error.message, /settings\.json/);
    assert.match(error.hint, /"PreCompact"/);
    assert.equal(readFileSync(file, "utf8"), broken);
    assert.ok(!existsSync(path.join(place.project, ".mcp.json")));
  }
});

test("--print writes nothing at all, --user means the files of the user, and a memory elsewhere is named", async (t) => {
  const place = openCliPlace(t);
  const env = installIn(place.home);
  const printed = await place.runWith({ env }, "init", "--codex", "--print");
  assert.match(printed.stdout, /\[mcp_servers\.longhand\]/);
  assert.match(printed.stdout, /config\.toml/);
  assert.ok(
    !existsSync(path.join(place.project, "MEMORY.md")) && !existsSync(path.join(place.project, ".codex")),
  );
  const elsewhere = path.join(place.home, "my notes");
  await place.runWith({ env }, "init", elsewhere, "--claude-code", "--user", "--codex");
  const hooks = readFileSync(path.join(place.home, ".claude", "settings.json"), "utf8");
  assert.match(hooks, /longhand hook session-start --workspace '[^']*my notes'/);
  assert.match(
    readFileSync(path.join(place.home, ".codex", "config.toml"), "utf8"),
    /"--workspace","[^"]*my notes"/,
  );
  assert.ok(!existsSync(path.join(place.project, ".mcp.json")));
  const usage = await place.runWith({ env }, "init", "--user");
  assert.equal(usage.code, 2);
});

test("a longhand that is not on the PATH is called by its place, and the hook that is written works", async (t) => {
  const place = openCliPlace(t);
  await place.runWith({ env: { PATH: "/nowhere" } }, "init", "--claude-code");
  const { mcpServers } = JSON.parse(readFileSync(path.join(place.project, ".mcp.json"), "utf8")) as {
    mcpServers: { longhand: { command: string; args: string[] } };
  };
  assert.equal(mcpServers.longhand.command, process.execPath);
  assert.match(mcpServers.longhand.args.join(" "), /bin\.(?:ts|js) mcp$/);
  const again = await place.runWith({ env: { PATH: "/nowhere" } }, "init", "--claude-code", "--json");
  assert.match(again.stdout, /"state":"unchanged"/);
  assert.doesNotMatch(again.stdout, /"state":"changed"/);
  // The folder that the program stands in may have any name.
  const settings = path.join(place.project, ".claude", "settings.json");
  const moved = readFileSync(settings, "utf8").replaceAll(/\/[^"]*\/(?=src\/cli\/bin\.ts)/g, "/opt/it/");
  writeFileSync(settings, moved);
  const { stdout } = await place.run("doctor");
  assert.match(stdout, /Claude Code has the hooks in/);
});

test("doctor says which hosts are connected, and what is wrong with one", async (t) => {
  const place = openCliPlace(t);
  const env = installIn(place.home);
  const check = async (setting: Record<string, string>) => {
    const { stdout } = await place.runWith({ env: setting }, "doctor", "--json");
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; ok: boolean; detail: string; fix: string | null }[];
    };
    return checks.filter(({ name }) => /hosts|claude|codex|cursor|vscode/.test(name));
  };
  await place.runWith({ env }, "init");
  assert.deepEqual(
    (await check(env)).map(({ name, ok }) => [name, ok]),
    [["hosts", true]],
  );
  await place.runWith({ env }, "init", "--claude-code");
  assert.deepEqual(
    (await check(env)).map(({ name, ok, fix }) => [name, ok, fix]),
    [
      ["claude-code", true, null],
      ["claude-code", true, null],
    ],
  );
  const [gone] = await check({ PATH: "/nowhere" });
  assert.equal(gone?.ok, false);
  assert.match(gone!.detail, /not on the PATH/);
  place.write(".claude/settings.json", "{ broken");
  assert.deepEqual(
    (await check(env)).map(({ ok }) => ok),
    [true, false],
  );
});
