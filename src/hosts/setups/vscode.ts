import { join } from "node:path";
import type { HostPlace, HostSetup } from "../host.ts";
import { mcpCommand, serverPart } from "../server-part.ts";
import { shellLine } from "../shell-line.ts";
import { withWorkspaceFolder } from "./workspace-folder.ts";

export function setUpVsCode(place: HostPlace): HostSetup {
  const server = { type: "stdio", ...mcpCommand(withWorkspaceFolder(place)) };
  const asked = shellLine(["code", "--add-mcp", JSON.stringify({ name: "longhand", ...server })]);
  // The user's servers are in a folder that depends on the profile, so VS Code is asked to add one.
  return place.scope === "user"
    ? {
        name: "vscode",
        title: "VS Code",
        parts: [],
        steps: [`Add the MCP server: ${asked}`],
        stepsAfterRemoval: ["Remove the server longhand in VS Code with: MCP: List Servers"],
      }
    : {
        name: "vscode",
        title: "VS Code",
        parts: [serverPart(join(place.projectDir, ".vscode", "mcp.json"), "servers", server)],
        steps: ["Open .vscode/mcp.json in VS Code and start the server longhand there."],
      };
}
