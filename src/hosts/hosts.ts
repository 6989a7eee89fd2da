import { join } from "node:path";
import type { HostName, HostPlace, HostSetup } from "./host.ts";
import { jsonSettings, withHooks, withServer } from "./json-settings.ts";
import { tomlTable } from "./toml-settings.ts";

export const hostNames: readonly HostName[] = ["claude-code", "codex", "cursor", "vscode"];

/** What each host needs, and in which of its files. */
export function hostSetup(name: HostName, place: HostPlace): HostSetup {
  return setups[name](place);
}

const setups: Readonly<Record<HostName, (place: HostPlace) => HostSetup>> = {
  "claude-code": (place) => {
    const isUser = place.scope === "user";
    const server = { type: "stdio", ...mcpCommand(place) };
    return {
      name: "claude-code",
      title: "Claude Code",
      files: [
        // The user's servers stand in a file that Claude Code itself writes all the time: it is asked to add one.
        ...(isUser ? [] : [serverFile(join(place.projectDir, ".mcp.json"), "mcpServers", server)]),
        hookFile(join(isUser ? place.home : place.projectDir, ".claude", "settings.json"), place, [
          ["SessionStart", "session-start"],
          ["UserPromptSubmit", "user-prompt"],
          ["PreCompact", "pre-compact"],
          ["SessionEnd", "session-end"],
        ]),
      ],
      steps: isUser
        ? [
            `Add the MCP server: claude mcp add --scope user longhand -- ${shellLine([server.command, ...server.args])}`,
          ]
        : ["Start Claude Code in this folder and allow the server longhand when it asks."],
    };
  },

  codex: (place) => {
    const folder = place.scope === "user" ? place.codexHome : join(place.projectDir, ".codex");
    return {
      name: "codex",
      title: "Codex",
      files: [
        tomlTable({
          path: join(folder, "config.toml"),
          purpose: "MCP server",
          table: "mcp_servers.longhand",
          values: mcpCommand(place),
        }),
        hookFile(join(folder, "hooks.json"), place, [
          ["SessionStart", "session-start"],
          ["UserPromptSubmit", "user-prompt"],
          ["PreCompact", "pre-compact"],
        ]),
      ],
      steps: [
        ...(place.scope === "project"
          ? ["Codex reads these files only in a project that you have marked as trusted."]
          : []),
        "Look at the hooks once with /hooks and trust them; Codex runs no others.",
      ],
    };
  },

  cursor: (place) => ({
    name: "cursor",
    title: "Cursor",
    files: [
      serverFile(
        join(place.scope === "user" ? place.home : place.projectDir, ".cursor", "mcp.json"),
        "mcpServers",
        // Cursor does not start servers in the project's folder.
        mcpCommand(inFolder(place)),
      ),
    ],
    steps: ["Switch the server longhand on in Cursor's settings, under MCP."],
  }),

  vscode: (place) => {
    const server = { type: "stdio", ...mcpCommand(inFolder(place)) };
    const isUser = place.scope === "user";
    const asked = JSON.stringify({ name: "longhand", ...server });
    return {
      name: "vscode",
      title: "VS Code",
      files: isUser ? [] : [serverFile(join(place.projectDir, ".vscode", "mcp.json"), "servers", server)],
      steps: isUser
        ? [`Add the MCP server: code --add-mcp ${shellLine([asked])}`]
        : ["Open .vscode/mcp.json in VS Code and start the server longhand there."],
    };
  },
};

function serverFile(path: string, key: string, server: object) {
  return jsonSettings({
    path,
    purpose: "MCP server",
    wanted: { [key]: { longhand: server } },
    add: (current) => withServer(current, key, "longhand", server),
  });
}

/** Claude Code and Codex take hooks in the same form. Seconds; longhand itself ends after two. */
function hookFile(path: string, place: HostPlace, events: readonly (readonly [string, string])[]) {
  const { launch, options } = place;
  const hooks = Object.fromEntries(
    events.map(([event, name]) => [
      event,
      {
        hooks: [
          {
            type: "command",
            command: shellLine([launch.command, ...launch.args, "hook", name, ...options]),
            timeout: 10,
          },
        ],
      },
    ]),
  );
  return jsonSettings({
    path,
    purpose: "hooks",
    wanted: { hooks: Object.fromEntries(Object.entries(hooks).map(([event, group]) => [event, [group]])) },
    add: (current) => withHooks(current, hooks),
  });
}

function mcpCommand({ launch, options }: HostPlace): { command: string; args: string[] } {
  return { command: launch.command, args: [...launch.args, "mcp", ...options] };
}

/** For hosts that start a server anywhere but tell the project's folder. */
function inFolder(place: HostPlace): HostPlace {
  const isNamed = place.options.includes("--workspace");
  if (place.scope === "user" || isNamed) return place;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the host replaces it.
  return { ...place, options: [...place.options, "--workspace", "${workspaceFolder}"] };
}

function shellLine(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(word)) return word;
  return process.platform === "win32"
    ? `"${word.replaceAll('"', '\\"')}"`
    : `'${word.replaceAll("'", "'\\''")}'`;
}
