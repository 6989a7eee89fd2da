import { join } from "node:path";
import { compact } from "../text/compact.ts";
import type { Fields } from "../text/fields.ts";
import { hasUserServer } from "./claude-user-server.ts";
import type { HostLocation, HostNeeds, HostPart, HostSetup } from "./host.ts";
import { type HostName, hostList } from "./host-list.ts";
import { jsonSettings, objectAt, withKey, withoutValues, withValues } from "./json-settings.ts";
import { setUpOpenClaw } from "./openclaw-setup.ts";
import { setUpOpenCode } from "./opencode-setup.ts";
import { type HookEvent, hookPart, mcpCommand, savingLimits, serverPart } from "./parts.ts";
import { jsonWord, shellLine } from "./shell-line.ts";
import { tomlTable } from "./toml-settings.ts";

/** What a host needs, and in which of its files. */
export function hostSetup(name: HostName, place: HostLocation): HostSetup {
  const { title } = hostList.find((host) => host.name === name)!;
  return { name, title, ...setups[name](place) };
}

const setups: Readonly<Record<HostName, (place: HostLocation) => HostNeeds>> = {
  "claude-code": setUpClaudeCode,
  codex: setUpCodex,
  cursor: setUpCursor,
  vscode: setUpVsCode,
  gemini: setUpGemini,
  opencode: setUpOpenCode,
  openclaw: setUpOpenClaw,
};

/** PowerShell prefers the script that npm installs to the command file beside it, and may refuse to run scripts. */
function scriptsStep({ launch }: HostLocation): string | false {
  return (
    process.platform === "win32" &&
    launch.command === "longhand" &&
    "If PowerShell says that running scripts is disabled, the hooks do nothing. Allow scripts with Set-ExecutionPolicy -Scope CurrentUser RemoteSigned, or connect with --user."
  );
}

/** PowerShell would split the JSON in the command. */
const addServer = `Add the MCP server${process.platform === "win32" ? ", in cmd or Git Bash" : ""}`;

/** The tools that remove nothing; `--allow-tools` lets a host run these without asking. */
export const harmlessTools: readonly string[] = [
  "memory_search",
  "memory_get",
  "memory_recall",
  "memory_add",
  "memory_store",
];

/** Codex uses the names of Claude Code. */
const hookEvents: readonly HookEvent[] = [
  ["SessionStart", "session-start"],
  ["UserPromptSubmit", "user-prompt"],
  ["PreCompact", "pre-compact", savingLimits],
  ["SessionEnd", "session-end", { hostSeconds: 3 }],
];

function setUpClaudeCode(place: HostLocation): HostNeeds {
  const { projectDir, hostHome, allowsTools } = place;
  const isUser = place.scope === "user";
  // Without alwaysLoad, Claude Code shows the model only the names of the tools.
  const server = { type: "stdio", ...mcpCommand(place), alwaysLoad: true };
  const folder = isUser ? hostHome : join(projectDir, ".claude");
  const addCommand = shellLine([
    ...["claude", "mcp", "add-json", "--scope", "user"],
    ...["longhand", jsonWord(server)],
  ]);
  const isAdded = isUser && hasUserServer(place);
  return {
    parts: compact([
      // Claude Code itself rewrites the file with the user's servers frequently, so it is asked to add one.
      !isUser && serverPart(join(projectDir, ".mcp.json"), "mcpServers", server),
      hookPart({
        path: join(folder, "settings.json"),
        place,
        unit: "s",
        events: hookEvents,
      }),
      // Consent is personal, so in a project it goes to the file that is not shared.
      allowsTools &&
        permissionPart(join(folder, isUser ? "settings.json" : "settings.local.json"), place.scope),
    ]),
    steps: compact([
      isUser && isAdded !== true && `${addServer}: ${addCommand}`,
      !isUser &&
        !allowsTools &&
        "Start Claude Code in this folder and allow the server longhand when it asks.",
    ]),
    stepsAfterRemoval:
      isAdded === false ? [] : ["Remove the MCP server: claude mcp remove --scope user longhand"],
  };
}

const allowed = harmlessTools.map((name) => `mcp__longhand__${name}`);

/** Lets Claude Code start the project's server, and run the tools that remove nothing without asking. */
function permissionPart(path: string, scope: HostLocation["scope"]): HostPart {
  const servers = scope === "user" ? [] : ["longhand"];
  return jsonSettings({
    path,
    purpose: "permissions",
    wanted: {
      permissions: { allow: allowed },
      ...(servers.length > 0 && { enabledMcpjsonServers: servers }),
    },
    add(current) {
      const permissions = objectAt(current, "permissions");
      return withValues(
        { ...current, permissions: withValues(permissions, "allow", allowed) },
        serverKey,
        servers,
      );
    },
    remove(current) {
      const permissions = objectAt(current, "permissions");
      const kept = withoutValues(permissions, "allow", allowed);
      const rest = kept === permissions ? current : withKey(current, "permissions", kept);
      return withoutValues(rest, serverKey, servers);
    },
  });
}

const serverKey = "enabledMcpjsonServers";

function setUpCodex(place: HostLocation): HostNeeds {
  const folder = place.scope === "user" ? place.hostHome : join(place.projectDir, ".codex");
  return {
    parts: [
      tomlTable({
        path: join(folder, "config.toml"),
        purpose: "MCP server",
        table: "mcp_servers.longhand",
        values: mcpCommand(place),
      }),
      hookPart({
        path: join(folder, "hooks.json"),
        place,
        unit: "s",
        usesPowerShell: true,
        // Codex supports no further permissions, and warns about each file that asks for them.
        events: hookEvents,
      }),
    ],
    steps: compact([
      place.scope === "project" &&
        "Codex reads these files only in a project that you have marked as trusted.",
      "Look at the hooks once with /hooks and trust them; Codex runs no others.",
      scriptsStep(place),
    ]),
  };
}

function setUpCursor(place: HostLocation): HostNeeds {
  const folder = place.scope === "user" ? place.hostHome : join(place.projectDir, ".cursor");
  // Cursor does not start servers in the project's folder.
  const server = { type: "stdio", ...mcpCommand(withWorkspaceFolder(place)) };
  return {
    parts: [serverPart(join(folder, "mcp.json"), "mcpServers", server)],
    steps: ["Switch the server longhand on in Cursor, under Customize > MCPs."],
  };
}

function setUpVsCode(place: HostLocation): HostNeeds {
  const server = { type: "stdio", ...mcpCommand(withWorkspaceFolder(place)) };
  const addCommand = shellLine(["code", "--add-mcp", jsonWord({ name: "longhand", ...server })]);
  // The user's servers are in a folder that depends on the profile, so VS Code is asked to add one.
  return place.scope === "user"
    ? {
        parts: [],
        steps: [`${addServer}: ${addCommand}`],
        stepsAfterRemoval: ["Remove the server longhand in VS Code with: MCP: List Servers"],
      }
    : {
        parts: [serverPart(join(place.projectDir, ".vscode", "mcp.json"), "servers", server)],
        steps: ["Open .vscode/mcp.json in VS Code and start the server longhand there."],
      };
}

/** For hosts that start a server in any folder but pass the project's folder in its arguments. */
function withWorkspaceFolder(place: HostLocation): HostLocation {
  const isNamed = place.options.includes("--workspace");
  if (place.scope === "user" || isNamed) return place;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the host replaces it.
  return { ...place, options: [...place.options, "--workspace", "${workspaceFolder}"] };
}

function setUpGemini(place: HostLocation): HostNeeds {
  const isUser = place.scope === "user";
  const path = join(isUser ? place.hostHome : join(place.projectDir, ".gemini"), "settings.json");
  return {
    parts: compact([
      serverPart(path, "mcpServers", mcpCommand(place)),
      hookPart({
        path,
        place,
        unit: "ms",
        usesPowerShell: true,
        events: [
          ["SessionStart", "session-start"],
          ["BeforeAgent", "user-prompt"],
          ["PreCompress", "pre-compact", savingLimits],
          // A compaction is visible only afterwards, so the end of the session may have to save what was compacted.
          ["SessionEnd", "session-end", savingLimits],
        ],
      }),
      place.allowsTools && trustPart(path),
    ]),
    steps: compact([
      !isUser && "Gemini CLI reads these settings only in a folder that you trust: /permissions",
      scriptsStep(place),
    ]),
  };
}

/** Lets Gemini CLI run the tools without asking; headless, it offers the model no others. */
function trustPart(path: string): HostPart {
  const serverOf = (current: Fields) => objectAt(objectAt(current, "mcpServers"), "longhand");
  const withServer = (current: Fields, longhand: Fields): Fields => ({
    ...current,
    mcpServers: { ...objectAt(current, "mcpServers"), longhand },
  });
  return jsonSettings({
    path,
    purpose: "permissions",
    wanted: { mcpServers: { longhand: { trust: true } } },
    add: (current) => withServer(current, { ...serverOf(current), trust: true }),
    remove(current) {
      const { trust, ...server } = serverOf(current);
      return trust === undefined ? current : withServer(current, server);
    },
  });
}
