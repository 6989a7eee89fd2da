import { readFileSync } from "node:fs";
import { packageFile } from "../../package-files.ts";
import type { HostPart, HostPlace } from "../host.ts";
import { refuseSettings } from "../json-settings.ts";

/** The plugin of the package as a file of OpenCode's, with the command that starts longhand here. */
export function pluginPart(path: string, { launch, options }: HostPlace): HostPart {
  const source = readFileSync(packageFile("plugins", "opencode", "longhand.js"), "utf8");
  const settings = JSON.stringify({ command: [launch.command, ...launch.args], options });
  const snippet = source.replace(/^const launch = .*$/m, () => `const launch = ${settings};`);
  return {
    path,
    purpose: "plugin",
    snippet,
    add(text) {
      if (text !== null && !isOurs(text)) throw refuseSettings(path, "somebody else wrote it", snippet);
      // A command that somebody has put there, such as another path, stays; the code around it is ours.
      const kept = text === null ? null : /^const launch = .*$/m.exec(text)?.[0];
      return kept ? snippet.replace(/^const launch = .*$/m, () => kept) : snippet;
    },
    remove: (text) => (isOurs(text) ? null : text),
  };
}

function isOurs(text: string): boolean {
  return text.startsWith("// longhand for OpenCode");
}
