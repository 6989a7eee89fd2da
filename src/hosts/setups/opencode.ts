import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HostPlace, HostSetup } from "../host.ts";
import { mcpCommand, serverPart } from "../server-part.ts";
import { pluginPart } from "./opencode-plugin.ts";

export function setUpOpenCode(place: HostPlace): HostSetup {
  const isUser = place.scope === "user";
  const folder = isUser ? place.hostHome : place.projectDir;
  const { command, args } = mcpCommand(place);
  return {
    name: "opencode",
    title: "OpenCode",
    parts: [
      serverPart(settingsIn(folder), "mcp", { type: "local", command: [command, ...args], enabled: true }),
      pluginPart(join(isUser ? folder : join(folder, ".opencode"), "plugin", "longhand.js"), place),
    ],
    steps: [],
  };
}

/** OpenCode reads both names; somebody's file with comments has the second one. */
function settingsIn(folder: string): string {
  const withComments = join(folder, "opencode.jsonc");
  return existsSync(withComments) ? withComments : join(folder, "opencode.json");
}
