import { join } from "node:path";
import { hookPart } from "../hook-part.ts";
import type { HostPlace, HostSetup } from "../host.ts";
import { mcpCommand } from "../server-part.ts";
import { tomlTable } from "../toml-settings.ts";

export function setUpCodex(place: HostPlace): HostSetup {
  const folder = place.scope === "user" ? place.hostHome : join(place.projectDir, ".codex");
  return {
    name: "codex",
    title: "Codex",
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
        events: [
          ["SessionStart", "session-start"],
          ["UserPromptSubmit", "user-prompt"],
          ["PreCompact", "pre-compact"],
          // Codex grants no more, and warns about each file that asks for it.
          ["SessionEnd", "session-end", 3],
        ],
      }),
    ],
    steps: [
      ...(place.scope === "project"
        ? ["Codex reads these files only in a project that you have marked as trusted."]
        : []),
      "Look at the hooks once with /hooks and trust them; Codex runs no others.",
    ],
  };
}
