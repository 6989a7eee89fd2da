import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import json5 from "json5";
import { installIn } from "../support/installed-command.ts";
import { isWindows, skipWithoutLinks, writeProgram } from "../support/platform.ts";
import { openCliFixture } from "../support/run-cli.ts";

test("each host gets its server and hooks, and a second time nothing changes", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const argv = ["init", "--claude-code", "--codex", "--cursor", "--vscode", "--gemini", "--opencode"];
  const first = await fixture.runWith({ env }, ...argv, "--json");
  assert.equal(first.code, 0, first.stderr);
  const at = (name: string) => path.join(fixture.project, name);
  const read = (name: string) =>
    JSON.parse(readFileSync(at(name), "utf8")) as Record<string, Record<string, unknown>>;
  assert.deepEqual(read(".mcp.json"), {
    mcpServers: { longhand: { type: "stdio", command: "longhand", args: ["mcp"], alwaysLoad: true } },
  });
  const group = (event: string, timeout = 10) => [
    { hooks: [{ type: "command", command: `longhand hook ${event}`, timeout }] },
  ];
  assert.deepEqual(read(".claude/settings.json"), {
    hooks: {
      SessionStart: group("session-start"),
      UserPromptSubmit: group("user-prompt"),
      PreCompact: group("pre-compact --within 28", 30),
      SessionEnd: group("session-end", 3),
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
    "SessionEnd",
  ]);
  const gemini = read(".gemini/settings.json");
  assert.deepEqual(gemini["mcpServers"], { longhand: { command: "longhand", args: ["mcp"] } });
  assert.deepEqual(gemini["hooks"]!["BeforeAgent"], [
    { hooks: [{ type: "command", command: "longhand hook user-prompt", timeout: 10_000 }] },
  ]);
  assert.deepEqual(read("opencode.json"), {
    mcp: { longhand: { type: "local", command: ["longhand", "mcp"], enabled: true } },
  });
  const folder = ["mcp", "--workspace", "$" + "{workspaceFolder}"];
  assert.deepEqual(read(".cursor/mcp.json")["mcpServers"], {
    longhand: { type: "stdio", command: "longhand", args: folder },
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
    ".gemini/settings.json",
    "opencode.json",
    ".opencode/plugin/longhand.js",
  ];
  const before = files.map((name) => readFileSync(at(name), "utf8"));
  const second = await fixture.runWith({ env }, ...argv, "--json");
  assert.deepEqual(
    files.map((name) => readFileSync(at(name), "utf8")),
    before,
  );
  const { hosts } = JSON.parse(second.stdout) as { hosts: { files: { state: string }[] }[] };
  assert.ok(hosts.flatMap((host) => host.files).every(({ state }) => state === "unchanged"));
  const { stdout } = await fixture.runWith({ env }, "init", "--claude-code", "--user");
  assert.match(stdout, /created .*settings\.json/);
  assert.doesNotMatch(stdout, /nothing was changed/);
});

test("if the host also has longhand's plugin, init and doctor report it with the command that removes it", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const settings = path.join(fixture.home, ".claude", "settings.json");
  mkdirSync(path.dirname(settings));
  writeFileSync(settings, JSON.stringify({ enabledPlugins: { "longhand@longhand": true } }));
  await fixture.runWith({ env }, "init");
  const only = await fixture.runWith({ env }, "doctor");
  assert.ok(only.stdout.includes(`Claude Code has the plugin longhand@longhand in ${settings}`), only.stdout);
  assert.doesNotMatch(only.stdout, /Keep one place/);

  const removal = "claude plugin uninstall longhand@longhand";
  const first = await fixture.runWith({ env }, "init", "--claude-code");
  assert.match(first.stderr, /Claude Code also runs longhand from the plugin longhand@longhand in /);
  assert.ok(first.stderr.includes(removal), first.stderr);
  const both = await fixture.runWith({ env }, "doctor", "--json");
  const { checks } = JSON.parse(both.stdout) as {
    checks: { name: string; ok: boolean; fix: string | null }[];
  };
  const fixes = checks.flatMap(({ name, fix }) => (name === "claude-code" && fix ? [fix] : []));
  const wanted = `Keep one place. To remove one: longhand init --claude-code --remove or ${removal}`;
  assert.ok(fixes.includes(wanted), fixes.join("\n"));
  const removed = await fixture.runWith({ env }, "init", "--claude-code", "--remove");
  assert.match(removed.stderr, /still runs longhand from the plugin/);
  assert.match(readFileSync(settings, "utf8"), /longhand@longhand/);
});

test("other settings are preserved, including comments, order, permissions and links", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
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
  const real = fixture.write("dotfiles/settings.json", settings);
  chmodSync(real, 0o600);
  mkdirSync(path.join(fixture.project, ".claude"));
  const link = path.join(fixture.project, ".claude", "settings.json");
  if (skipWithoutLinks === false) symlinkSync(real, link);
  else copyFileSync(real, link);
  fixture.write(
    ".vscode/mcp.json",
    '{\n\t"inputs": [], // none\n\t"servers": {\n\t\t"a": {"url": "x"},\n\t},\n}\n',
  );
  const { code, stderr } = await fixture.runWith({ env }, "init", "--claude-code", "--vscode");
  assert.equal(code, 0, stderr);
  const text = readFileSync(skipWithoutLinks === false ? real : link, "utf8");
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
  const vscode = readFileSync(path.join(fixture.project, ".vscode/mcp.json"), "utf8");
  assert.ok(
    vscode.startsWith(
      '{\n\t"inputs": [], // none\n\t"servers": {\n\t\t"a": {"url": "x"},\n\t\t"longhand": {\n\t\t\t',
    ),
  );
});

test("a file that cannot be parsed is refused with the text to paste, and no file is written", async (t) => {
  const fixture = openCliFixture(t);
  for (const broken of ["{ broken", "[]", '{"hooks": 5}', '{"hooks": {"PreCompact": {}}}']) {
    const file = fixture.write(".claude/settings.json", broken);
    const { code, value } = await fixture.json("init", "--claude-code");
    assert.equal(code, 1);
    const { error } = value as { error: { code: string; hint: string; message: string } };
    assert.equal(error.code, "host-config-unusable");
    assert.match(error.message, /settings\.json/);
    assert.match(error.hint, /"PreCompact"/);
    assert.equal(readFileSync(file, "utf8"), broken);
    assert.ok(!existsSync(path.join(fixture.project, ".mcp.json")));
    assert.ok(!existsSync(path.join(fixture.project, "MEMORY.md")), "nor is a memory made");
  }
  const { stderr } = await fixture.run("init", "--claude-code");
  const pasted = JSON.parse(stderr.slice(stderr.indexOf("{\n"))) as { hooks: object };
  assert.deepEqual(Object.keys(pasted.hooks), [
    "SessionStart",
    "UserPromptSubmit",
    "PreCompact",
    "SessionEnd",
  ]);
  fixture.write("MEMORY.md", "# Memory\n");
  fixture.write(".gemini/settings.json", "{ broken");
  const { stdout } = await fixture.run("doctor");
  assert.equal(stdout.split("cannot be edited").length - 1, 2, "each broken file once");
});

test("a link to settings that do not exist yet is followed, and --remove keeps it", {
  skip: skipWithoutLinks,
}, async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const target = path.join(fixture.home, "dotfiles", "claude.json");
  const link = path.join(fixture.project, ".claude", "settings.json");
  mkdirSync(path.dirname(link));
  symlinkSync(target, link);
  await fixture.runWith({ env }, "init", "--claude-code");
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.match(readFileSync(target, "utf8"), /hook session-start/);
  await fixture.runWith({ env }, "init", "--claude-code", "--remove");
  assert.ok(lstatSync(link).isSymbolicLink() && !existsSync(target));
});

test("unreadable settings are left alone, and the hint is about permissions", {
  skip: isWindows || process.getuid?.() === 0 ? "needs a user whom rights hold" : false,
}, async (t) => {
  const fixture = openCliFixture(t);
  chmodSync(fixture.write(".mcp.json", "{}"), 0o000);
  const { code, stderr } = await fixture.run("init", "--claude-code");
  assert.equal(code, 1);
  assert.match(stderr, /\.mcp\.json cannot be read: the system says EACCES\.\nhint: .*Grant access/);
});

test("--print writes nothing at all, --user means the files of the user, and a memory elsewhere is named", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const printed = await fixture.runWith({ env }, "init", "--codex", "--print");
  assert.match(printed.stdout, /\[mcp_servers\.longhand\]/);
  assert.match(printed.stdout, /config\.toml/);
  assert.ok(
    !existsSync(path.join(fixture.project, "MEMORY.md")) && !existsSync(path.join(fixture.project, ".codex")),
  );
  const elsewhere = path.join(fixture.home, "my notes");
  await fixture.runWith({ env }, "init", elsewhere, "--claude-code", "--user", "--codex");
  const hooks = readFileSync(path.join(fixture.home, ".claude", "settings.json"), "utf8");
  const line = isWindows
    ? /bin\.[jt]s(?:\\")? hook session-start --workspace \\"C:\/[^"\\]*\/my notes\\"/
    : /longhand hook session-start --workspace '[^']*my notes'/;
  assert.match(hooks, line);
  assert.match(
    readFileSync(path.join(fixture.home, ".codex", "config.toml"), "utf8"),
    /"--workspace","[^"]*my notes"/,
  );
  assert.ok(!existsSync(path.join(fixture.project, ".mcp.json")));
  const usage = await fixture.runWith({ env }, "init", "--user");
  assert.equal(usage.code, 2);
  const removal = () => fixture.runWith({ env }, "init", "--codex", "--user", "--remove", "--print");
  const { stdout } = await removal();
  assert.match(
    stdout,
    /^Would be removed:\n {2}\S.*config\.toml \(MCP server\)\n {2}\S.*hooks\.json \(hooks\)\n$/,
  );
  assert.equal((await removal()).stdout, stdout, "nothing was removed");
});

test("for all projects, Cursor and VS Code start longhand without naming a folder", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const flags = ["--cursor", "--vscode", "--gemini", "--user"];
  const { code, stdout, stderr } = await fixture.runWith({ env }, "init", ...flags);
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, /\n\n/, "no line for VS Code, which has no file");
  const cursor = JSON.parse(readFileSync(path.join(fixture.home, ".cursor", "mcp.json"), "utf8")) as {
    mcpServers: { longhand: { type: string; args: string[] } };
  };
  assert.deepEqual(
    [cursor.mcpServers.longhand.type, cursor.mcpServers.longhand.args.at(-1)],
    ["stdio", "mcp"],
  );
  const [, added] = /code --add-mcp (.*)$/m.exec(stderr) ?? [];
  const server = (added ?? "").replaceAll('\\"', '"');
  assert.match(server, /"name":"longhand","type":"stdio","command":.*"args":\[.*"mcp"\]/);
  assert.ok(!existsSync(path.join(fixture.project, ".vscode")));
});

test("a longhand that is not on the PATH is called by its path, and the written hook works", async (t) => {
  const fixture = openCliFixture(t);
  const { stderr } = await fixture.runWith({ env: { PATH: "/nowhere" } }, "init", "--claude-code");
  assert.match(stderr, /longhand is not on the PATH, so the settings contain its path .* do not share/);
  const { mcpServers } = JSON.parse(readFileSync(path.join(fixture.project, ".mcp.json"), "utf8")) as {
    mcpServers: { longhand: { command: string; args: string[] } };
  };
  assert.equal(mcpServers.longhand.command, process.execPath);
  assert.match(mcpServers.longhand.args.join(" "), /bin\.(?:ts|js) mcp$/);
  const again = await fixture.runWith({ env: { PATH: "/nowhere" } }, "init", "--claude-code", "--json");
  assert.match(again.stdout, /"state":"unchanged"/);
  assert.doesNotMatch(again.stdout, /"state":"changed"/);
  // The program's folder may have any name.
  const settings = path.join(fixture.project, ".claude", "settings.json");
  const moved = readFileSync(settings, "utf8").replaceAll(/\/[^"]*\/(?=src\/cli\/bin\.ts)/g, "/opt/it/");
  writeFileSync(settings, moved);
  const { stdout } = await fixture.run("doctor");
  assert.match(stdout, /Claude Code has the hooks in/);
});

test("--remove removes what was written, and nothing else", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const others: Record<string, string> = {
    ".claude/settings.json": `{
  // mine
  "hooks": {
    "PreCompact": [
      { "hooks": [{ "type": "command", "command": "save.sh" }] } // keep
    ]
  }
}
`,
    ".claude/settings.local.json": '{ "permissions": { "allow": ["Bash(ls)"] } } // local\n',
    ".codex/config.toml": 'model = "x" # mine\n',
    "opencode.jsonc": '{\n  // theme\n  "theme": "dark",\n  "mcp": {\n    // none\n  }\n}\n',
    ".gemini/settings.json": '{\n  "ui": {}\n}\n',
  };
  for (const [name, text] of Object.entries(others)) fixture.write(name, text);
  const hosts = ["--claude-code", "--codex", "--cursor", "--vscode", "--gemini", "--opencode"];
  const added = await fixture.runWith({ env }, "init", ...hosts, "--allow-tools");
  assert.equal(added.code, 0, added.stderr);
  assert.match(readFileSync(path.join(fixture.project, "opencode.jsonc"), "utf8"), /"longhand"/);
  const removed = await fixture.runWith({ env }, "init", "--all", "--remove");
  assert.equal(removed.code, 0, removed.stderr);
  assert.match(removed.stdout, /removed .*\.mcp\.json/);
  const meaning = (text: string) => json5.parse<unknown>(text);
  for (const [name, text] of Object.entries(others)) {
    const left = readFileSync(path.join(fixture.project, name), "utf8");
    if (name.endsWith(".toml")) assert.equal(left, text);
    else assert.deepEqual(meaning(left), meaning(text), name);
    for (const [comment] of text.matchAll(/\/\/ \w+|# \w+/g)) assert.ok(left.includes(comment), name);
  }
  for (const name of [".mcp.json", ".codex/hooks.json", ".cursor/mcp.json", ".opencode/plugin/longhand.js"])
    assert.ok(!existsSync(path.join(fixture.project, name)), name);
  assert.ok(existsSync(path.join(fixture.project, "MEMORY.md")));
  const again = await fixture.runWith({ env }, "init", "--all", "--remove");
  assert.match(again.stdout, /contained nothing from longhand/);
  assert.doesNotMatch(again.stderr, /openclaw/, "there is nothing left to remove from it");
});

test("--remove skips a broken file without longhand, and says what to do about one with it", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  await fixture.runWith({ env }, "init", "--codex");
  const gemini = fixture.write(".gemini/settings.json", "{ broken");
  const removed = await fixture.runWith({ env }, "init", "--all", "--remove");
  assert.equal(removed.code, 0, removed.stderr);
  assert.ok(!existsSync(path.join(fixture.project, ".codex", "hooks.json")));
  for (const broken of ['{ "mcpServers": { "longhand": {} }', '{ "hooks": "longhand" }']) {
    fixture.write(".gemini/settings.json", broken);
    const { code, value } = await fixture.json("init", "--all", "--remove");
    assert.equal(code, 1);
    const { error } = value as { error: { code: string; hint: string } };
    assert.equal(error.code, "host-config-unusable");
    assert.match(error.hint, /take longhand out of it by hand\.$/);
    assert.equal(readFileSync(gemini, "utf8"), broken);
  }
});

test("the command that adds a server to Claude Code is printed until it was run, the one that removes it from then on", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const init = async (...more: string[]) =>
    (await fixture.runWith({ env }, "init", "--claude-code", "--user", ...more)).stderr;
  const file = path.join(fixture.home, ".claude.json");
  assert.match(await init(), /claude mcp add-json --scope user longhand/);
  assert.doesNotMatch(await init("--remove"), /claude mcp remove/);
  writeFileSync(file, JSON.stringify({ mcpServers: { longhand: { command: "longhand" } } }));
  assert.doesNotMatch(await init(), /claude mcp add-json/);
  assert.match(await init("--remove"), /claude mcp remove --scope user longhand/);
  const folder = path.join(fixture.home, "other");
  mkdirSync(folder);
  writeFileSync(path.join(folder, ".claude.json"), "{}");
  const elsewhere = { ...env, CLAUDE_CONFIG_DIR: folder };
  const { stderr } = await fixture.runWith({ env: elsewhere }, "init", "--claude-code", "--user");
  assert.match(stderr, /claude mcp add-json/);
});

test("the tools are allowed only when the user says so", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const local = path.join(fixture.project, ".claude", "settings.local.json");
  const asked = await fixture.runWith({ env }, "init", "--claude-code", "--gemini");
  assert.match(asked.stderr, /Claude Code and Gemini CLI ask before each use .*--allow-tools/);
  assert.ok(!existsSync(local));
  await fixture.runWith({ env }, "init", "--claude-code", "--gemini", "--allow-tools");
  const { permissions, enabledMcpjsonServers } = JSON.parse(readFileSync(local, "utf8")) as {
    permissions: { allow: string[] };
    enabledMcpjsonServers: string[];
  };
  assert.ok(permissions.allow.includes("mcp__longhand__memory_search"));
  assert.ok(!permissions.allow.some((name) => name.includes("forget")));
  assert.deepEqual(enabledMcpjsonServers, ["longhand"]);
  const gemini = readFileSync(path.join(fixture.project, ".gemini", "settings.json"), "utf8");
  assert.equal(
    (JSON.parse(gemini) as { mcpServers: { longhand: { trust: unknown } } }).mcpServers.longhand.trust,
    true,
  );
});

test("a server that an earlier version wrote gets the missing fields; the user's own is kept", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const old = { mcpServers: { longhand: { type: "stdio", command: "longhand", args: ["mcp"] } } };
  fixture.write(".mcp.json", JSON.stringify(old));
  await fixture.runWith({ env }, "init", "--claude-code");
  assert.match(readFileSync(path.join(fixture.project, ".mcp.json"), "utf8"), /"alwaysLoad":\s*true/);
  const own = JSON.stringify({
    mcpServers: { longhand: { command: "longhand", args: ["mcp", "--agent", "x"] } },
  });
  const file = fixture.write(".mcp.json", own);
  await fixture.runWith({ env }, "init", "--claude-code");
  assert.equal(readFileSync(file, "utf8"), own);
});

test("a hook as an earlier version wrote it is updated; one that the user changed is kept", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const settings = (command: string, timeout: number) => {
    const other = { type: "command", command: "make notes" };
    const hook = { type: "command", command, timeout };
    return JSON.stringify({ hooks: { PreCompact: [{ matcher: "auto", hooks: [other, hook] }] } });
  };
  const compactHooks = (name: string, event: string) => {
    const text = readFileSync(path.join(fixture.project, name), "utf8");
    return (JSON.parse(text) as { hooks: Record<string, unknown> }).hooks[event];
  };
  const file = ".claude/settings.json";
  fixture.write("MEMORY.md", "# Memory\n");
  fixture.write(file, settings("longhand hook pre-compact", 10));
  const old = await fixture.runWith({ env }, "doctor");
  assert.match(old.stdout, /has only a part of the hooks/);
  await fixture.runWith({ env }, "init", "--claude-code");
  const renewed = { type: "command", command: "longhand hook pre-compact --within 28", timeout: 30 };
  assert.deepEqual(compactHooks(file, "PreCompact"), [
    { matcher: "auto", hooks: [{ type: "command", command: "make notes" }, renewed] },
  ]);
  for (const [command, timeout] of [
    ["longhand hook pre-compact --within 8", 10],
    ["longhand hook pre-compact", 60],
  ] as const) {
    const own = settings(command, timeout);
    fixture.write(file, own);
    await fixture.runWith({ env }, "init", "--claude-code");
    assert.deepEqual(compactHooks(file, "PreCompact"), JSON.parse(own).hooks.PreCompact);
  }
  const gemini = [
    { hooks: [{ type: "command", command: "longhand hook session-end --within 9", timeout: 10_000 }] },
  ];
  fixture.write(".gemini/settings.json", JSON.stringify({ hooks: { SessionEnd: gemini } }));
  await fixture.runWith({ env }, "init", "--gemini");
  assert.deepEqual(compactHooks(".gemini/settings.json", "SessionEnd"), [
    { hooks: [{ type: "command", command: "longhand hook session-end --within 28", timeout: 30_000 }] },
  ]);
});

test("--all connects the hosts that are found, and reports if there are none", async (t) => {
  const fixture = openCliFixture(t);
  const env = installIn(fixture.home);
  const none = await fixture.runWith({ env }, "init", "--all");
  assert.equal(none.code, 2);
  assert.match(none.stderr, /No agent host was found/);
  assert.ok(!existsSync(path.join(fixture.project, "MEMORY.md")));
  mkdirSync(path.join(fixture.home, ".cursor"));
  writeProgram(env["PATH"]!, "gemini", { sh: "", cmd: "" });
  const { stdout } = await fixture.runWith({ env }, "init", "--all", "--json");
  const { hosts } = JSON.parse(stdout) as { hosts: { host: string }[] };
  assert.deepEqual(
    hosts.map(({ host }) => host),
    ["cursor", "gemini"],
  );
});

test("a read-only settings file is left alone, and so are the others", async (t) => {
  const fixture = openCliFixture(t);
  const file = fixture.write(".claude/settings.json", "{}\n");
  chmodSync(file, 0o444);
  const { code, stderr } = await fixture.run("init", "--claude-code");
  assert.equal(code, 1);
  assert.match(stderr, /settings\.json cannot be written: it is read-only/);
  assert.equal(readFileSync(file, "utf8"), "{}\n");
  assert.ok(!existsSync(path.join(fixture.project, ".mcp.json")));
});

test("if the folder of one file is not writable, no file is written", {
  skip: isWindows || process.getuid?.() === 0 ? "needs a user whom rights hold" : false,
}, async (t) => {
  const fixture = openCliFixture(t);
  const folder = path.join(fixture.project, ".claude");
  mkdirSync(folder, { mode: 0o555 });
  const { code, stderr } = await fixture.run("init", "--claude-code");
  chmodSync(folder, 0o755);
  assert.equal(code, 1);
  assert.match(stderr, /settings\.json cannot be written: the system says EACCES/);
  assert.ok(!existsSync(path.join(fixture.project, ".mcp.json")));
  assert.ok(!existsSync(path.join(fixture.project, "MEMORY.md")));
});

test("a plugin file that is not longhand's is left alone", async (t) => {
  const fixture = openCliFixture(t);
  const file = fixture.write(".opencode/plugin/longhand.js", "export const Mine = 1;\n");
  const { code, stderr } = await fixture.run("init", "--opencode");
  assert.equal(code, 1);
  assert.match(stderr, /longhand\.js cannot be edited: it is not longhand's/);
  await fixture.run("init", "--opencode", "--remove");
  assert.equal(readFileSync(file, "utf8"), "export const Mine = 1;\n");
});
