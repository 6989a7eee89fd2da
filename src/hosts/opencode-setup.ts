import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import json5 from "json5";
import { packageFile } from "../package-files.ts";
import type { HostLocation, HostNeeds, HostPart } from "./host.ts";
import { refuseSettings } from "./json-settings.ts";
import { mcpCommand, serverPart } from "./parts.ts";

/** The server in its settings, and the plugin that does what hooks do for other hosts. */
export function setUpOpenCode(place: HostLocation): HostNeeds {
  const isUser = place.scope === "user";
  const folder = isUser ? place.hostHome : place.projectDir;
  const { command, args } = mcpCommand(place);
  return {
    parts: [
      serverPart(settingsIn(folder), "mcp", { type: "local", command: [command, ...args], enabled: true }),
      pluginPart(join(isUser ? folder : join(folder, ".opencode"), "plugin", "longhand.js"), place),
    ],
    steps: [],
  };
}

/** OpenCode reads both names; a user's file with comments has the second one. */
function settingsIn(folder: string): string {
  const withComments = join(folder, "opencode.jsonc");
  return existsSync(withComments) ? withComments : join(folder, "opencode.json");
}

/** The plugin for OpenCode, with the command that starts longhand on this machine. */
function pluginPart(path: string, { launch, options }: HostLocation): HostPart {
  const source = readFileSync(packageFile("plugins", "opencode", "longhand.js"), "utf8");
  const settings = JSON.stringify({ command: [launch.command, ...launch.args], options });
  const snippet = source.replace(/^const launch = .*$/m, () => `const launch = ${settings};`);
  return {
    path,
    purpose: "plugin",
    snippet,
    add(text) {
      if (text !== null && !isOurs(text)) throw refuseSettings(path, "it is not longhand's", snippet);
      // A command that the user has changed, such as another path, is kept; the code around it is ours.
      const kept = text === null ? null : /^const launch = .*$/m.exec(text)?.[0];
      return kept ? snippet.replace(/^const launch = .*$/m, () => kept) : snippet;
    },
    remove: (text) => (isOurs(text) ? null : text),
    commandLine: (text) => launchOf(text),
  };
}

function isOurs(text: string): boolean {
  return text.startsWith("// longhand for OpenCode");
}

/** The command may be unreadable in a file that the user has edited. */
function launchOf(text: string): readonly string[] | null {
  try {
    const launch = json5.parse<{ command: readonly string[] }>(
      /^const launch = (.*);$/m.exec(text)?.[1] ?? "",
    );
    return [...launch.command, "hook"];
  } catch {
    return null;
  }
}
