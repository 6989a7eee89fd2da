import { join } from "node:path";
import { hookPart } from "../hook-part.ts";
import type { HostPart, HostPlace, HostSetup } from "../host.ts";
import { fieldsOf, jsonSettings, withKey, withoutValues, withValues } from "../json-settings.ts";
import { mcpCommand, serverPart } from "../server-part.ts";
import { shellLine } from "../shell-line.ts";
import { harmlessTools } from "../tool-names.ts";

export function setUpClaudeCode(place: HostPlace): HostSetup {
  const { projectDir, hostHome, allowsTools } = place;
  const isUser = place.scope === "user";
  // Without alwaysLoad, Claude Code shows the model only the names of the tools.
  const server = { type: "stdio", ...mcpCommand(place), alwaysLoad: true };
  const folder = isUser ? hostHome : join(projectDir, ".claude");
  const asked = shellLine([
    "claude",
    "mcp",
    "add-json",
    "--scope",
    "user",
    "longhand",
    JSON.stringify(server),
  ]);
  return {
    name: "claude-code",
    title: "Claude Code",
    parts: [
      // Claude Code itself writes the file with the user's servers all the time, so it is asked to add one.
      ...(isUser ? [] : [serverPart(join(projectDir, ".mcp.json"), "mcpServers", server)]),
      hookPart({
        path: join(folder, "settings.json"),
        place,
        unit: "s",
        events: [
          ["SessionStart", "session-start"],
          ["UserPromptSubmit", "user-prompt"],
          ["PreCompact", "pre-compact"],
          ["SessionEnd", "session-end", 3],
        ],
      }),
      // Consent is personal, so in a project it goes to the file that is not shared.
      ...(allowsTools
        ? [permissionPart(join(folder, isUser ? "settings.json" : "settings.local.json"), place.scope)]
        : []),
    ],
    steps: [
      ...(isUser ? [`Add the MCP server: ${asked}`] : []),
      ...(isUser || allowsTools
        ? []
        : ["Start Claude Code in this folder and allow the server longhand when it asks."]),
    ],
    stepsAfterRemoval: isUser ? ["Remove the MCP server: claude mcp remove --scope user longhand"] : [],
  };
}

const allowed = harmlessTools.map((name) => `mcp__longhand__${name}`);

/** Lets Claude Code start the project's server, and run the tools that remove nothing without asking. */
function permissionPart(path: string, scope: HostPlace["scope"]): HostPart {
  const servers = scope === "user" ? [] : ["longhand"];
  return jsonSettings({
    path,
    purpose: "permissions",
    wanted: {
      permissions: { allow: allowed },
      ...(servers.length > 0 && { enabledMcpjsonServers: servers }),
    },
    add(current) {
      const permissions = fieldsOf(current, "permissions");
      return withValues(
        { ...current, permissions: withValues(permissions, "allow", allowed) },
        serverKey,
        servers,
      );
    },
    remove(current) {
      const permissions = fieldsOf(current, "permissions");
      const kept = withoutValues(permissions, "allow", allowed);
      const rest = kept === permissions ? current : withKey(current, "permissions", kept);
      return withoutValues(rest, serverKey, servers);
    },
  });
}

const serverKey = "enabledMcpjsonServers";
