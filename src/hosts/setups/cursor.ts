import { join } from "node:path";
import type { HostPlace, HostSetup } from "../host.ts";
import { mcpCommand, serverPart } from "../server-part.ts";
import { withWorkspaceFolder } from "./workspace-folder.ts";

export function setUpCursor(place: HostPlace): HostSetup {
  const folder = place.scope === "user" ? place.hostHome : join(place.projectDir, ".cursor");
  return {
    name: "cursor",
    title: "Cursor",
    // Cursor does not start servers in the project's folder.
    parts: [serverPart(join(folder, "mcp.json"), "mcpServers", mcpCommand(withWorkspaceFolder(place)))],
    steps: ["Switch the server longhand on in Cursor's settings, under MCP."],
  };
}
