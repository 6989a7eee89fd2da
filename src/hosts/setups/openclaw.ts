import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFile } from "../../package-files.ts";
import type { HostPart, HostPlace, HostSetup } from "../host.ts";
import { refuseSettings } from "../json-settings.ts";
import { shellLine } from "../shell-line.ts";

/**
 * The plugin for OpenClaw's memory slot. OpenClaw loads no plugin from inside another package and no code from outside
 * its folder, so all of it is copied to a folder of its own. OpenClaw has no settings of projects: both scopes are one.
 */
export function setUpOpenClaw({ hostHome }: HostPlace): HostSetup {
  const folder = join(hostHome, "longhand", "plugin");
  return {
    name: "openclaw",
    title: "OpenClaw",
    parts: ["package.json", "openclaw.plugin.json", "index.js"].map((name) => filePart(folder, name)),
    copies: [
      { path: join(folder, "dist"), from: packageFile("dist", "openclaw-plugin") },
      { path: join(folder, "dist", "builtin-model.bin"), from: packageFile("dist", "builtin-model.bin") },
      { path: join(folder, "models"), from: packageFile("models") },
    ],
    steps: [
      `Link the plugin, which sets OpenClaw's memory slot: ${shellLine(["openclaw", "plugins", "install", "--link", folder, "--force", "--accept-capabilities"])}`,
      "Restart the gateway if it runs.",
    ],
    stepsAfterRemoval: [
      "Take it out of OpenClaw's settings, too: openclaw plugins uninstall longhand --force",
    ],
  };
}

/** A file of the plugin as it is in the package; the folder is ours, so an older version of it is replaced. */
function filePart(folder: string, name: string): HostPart {
  const path = join(folder, name);
  const snippet = readFileSync(packageFile("plugins", "openclaw", name), "utf8");
  const isOurs = (text: string) => text.includes("longhand");
  return {
    path,
    purpose: "plugin",
    snippet,
    add(text) {
      if (text !== null && text.trim() !== "" && !isOurs(text))
        throw refuseSettings(path, "somebody else wrote it", snippet);
      return snippet;
    },
    remove: (text) => (isOurs(text) ? null : text),
  };
}
