/** Where a host keeps the settings of a user: in a folder of the home folder, unless a variable names another one. */
export interface HostHome {
  readonly folder: string;
  /** `folder` is relative to the value of the variable. The first variable that is set wins. */
  readonly variables?: readonly { readonly name: string; readonly folder: string }[];
  /** The variable that names the settings file itself. */
  readonly fileVariable?: string;
}

/** One agent host, as used by the command line, the docs, doctor and the host tests. */
export interface HostEntry {
  /** `longhand init --NAME` connects it. */
  readonly name: string;
  readonly title: string;
  /** What `init` sets up, for the help. */
  readonly gets: string;
  /** The command that starts the host. */
  readonly program: string;
  readonly home: HostHome;
  /** The host asks before it runs a tool unless its settings say otherwise, so `--allow-tools` has an effect. */
  readonly asksBeforeTools: boolean;
  /** The host's agents have their own workspaces, so none is created in the folder where `init` runs. */
  readonly hasWorkspaces?: boolean;
  /** What the host tests install; absent if no test runs the real host. */
  readonly tested?: { readonly package: string; readonly version: string };
}

/** Every host that `init` can connect. Options, help, docs, doctor and the host tests are derived from this table. */
export const hostList = [
  {
    name: "claude-code",
    title: "Claude Code",
    gets: "MCP server and hooks, in .mcp.json and .claude/settings.json",
    program: "claude",
    home: { folder: ".claude", variables: [{ name: "CLAUDE_CONFIG_DIR", folder: "" }] },
    asksBeforeTools: true,
    tested: { package: "@anthropic-ai/claude-code", version: "2.1.327" },
  },
  {
    name: "codex",
    title: "Codex",
    gets: "MCP server and hooks, in .codex/config.toml and .codex/hooks.json",
    program: "codex",
    home: { folder: ".codex", variables: [{ name: "CODEX_HOME", folder: "" }] },
    asksBeforeTools: false,
    tested: { package: "@openai/codex", version: "0.169.0" },
  },
  {
    name: "cursor",
    title: "Cursor",
    gets: "MCP server, in .cursor/mcp.json",
    program: "cursor",
    home: { folder: ".cursor" },
    asksBeforeTools: false,
  },
  {
    name: "vscode",
    title: "VS Code",
    gets: "MCP server, in .vscode/mcp.json",
    program: "code",
    home: { folder: ".vscode" },
    asksBeforeTools: false,
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    gets: "MCP server and hooks, in .gemini/settings.json",
    program: "gemini",
    home: { folder: ".gemini", variables: [{ name: "GEMINI_CLI_HOME", folder: ".gemini" }] },
    asksBeforeTools: true,
    tested: { package: "@google/gemini-cli", version: "0.61.0" },
  },
  {
    name: "opencode",
    title: "OpenCode",
    gets: "MCP server and a plugin, in opencode.json and .opencode/plugin/",
    program: "opencode",
    home: { folder: ".config/opencode", variables: [{ name: "XDG_CONFIG_HOME", folder: "opencode" }] },
    asksBeforeTools: false,
    tested: { package: "opencode-ai", version: "1.18.33" },
  },
  {
    name: "openclaw",
    title: "OpenClaw",
    gets: "a plugin for its memory slot, in ~/.openclaw/longhand/",
    program: "openclaw",
    home: {
      folder: ".openclaw",
      variables: [
        { name: "OPENCLAW_STATE_DIR", folder: "" },
        { name: "OPENCLAW_HOME", folder: ".openclaw" },
      ],
      fileVariable: "OPENCLAW_CONFIG_PATH",
    },
    asksBeforeTools: false,
    hasWorkspaces: true,
    tested: { package: "openclaw", version: "2026.9.6" },
  },
] as const satisfies readonly HostEntry[];

export type HostName = (typeof hostList)[number]["name"];

export const hostNames: readonly HostName[] = hostList.map(({ name }) => name);

/** `--claude-code, --codex or --cursor`, for messages. */
export const hostFlags: string = hostNames
  .map((name) => `--${name}`)
  .join(", ")
  // Every command loads this, and Intl alone would take ten milliseconds.
  .replace(/, (?=[^,]*$)/, " or ");
