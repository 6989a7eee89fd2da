import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import json5 from "json5";
import { messageOf, systemErrorCode } from "../errors.ts";
import { packageFile } from "../package-files.ts";
import { compact } from "../text/compact.ts";
import { isFields } from "../text/fields.ts";
import type { HostLocation, HostNeeds, HostPart } from "./host.ts";
import { objectAt, refuseSettings } from "./json-settings.ts";
import { shellLine } from "./shell-line.ts";

/**
 * The plugin for OpenClaw's memory slot. OpenClaw loads no plugin from inside another package and no code from outside
 * the plugin's folder, so everything is copied to a folder of its own. OpenClaw has no project settings: both scopes
 * are the same.
 */
export function setUpOpenClaw(place: HostLocation): HostNeeds {
  const folder = join(place.hostHome, "longhand", "plugin");
  const { slot, problem, isListed } = readMemorySlot(place);
  return {
    parts: ["package.json", "openclaw.plugin.json", "index.js"].map((name) => filePart(folder, name)),
    copies: [
      { path: join(folder, "dist"), from: packageFile("dist", "openclaw-plugin") },
      { path: join(folder, "dist", "builtin-model.bin"), from: packageFile("dist", "builtin-model.bin") },
      { path: join(folder, "models"), from: packageFile("models") },
    ],
    steps: compact([
      problem !== null && `${problem} Correct it first; OpenClaw cannot start until then.`,
      `Link the plugin, which sets OpenClaw's memory slot: ${shellLine(["openclaw", "plugins", "install", "--link", folder, "--force", "--accept-capabilities"])}`,
      isForeign(slot) &&
        `It replaces ${slot} in that slot. To go back later: ${shellLine(["openclaw", "config", "set", "plugins.slots.memory", slot])}`,
      "Restart the gateway if it runs.",
    ]),
    stepsAfterRemoval: compact([
      (isListed || (problem !== null && existsSync(folder))) &&
        "Also remove it from OpenClaw's settings, which until then warn about the missing folder: openclaw plugins uninstall longhand --force",
    ]),
  };
}

/** The plugin that OpenClaw's settings name for memory, null if they name none; or why they cannot be read. */
export function readMemorySlot({ hostHome, hostFile }: Pick<HostLocation, "hostHome" | "hostFile">): {
  readonly slot: string | null;
  readonly problem: string | null;
  /** Whether longhand is anywhere among its plugins. */
  readonly isListed: boolean;
} {
  const file = hostFile ?? join(hostHome, "openclaw.json");
  try {
    const settings: unknown = json5.parse(readFileSync(file, "utf8"));
    if (!isFields(settings)) throw new TypeError("it holds no object");
    const plugins = objectAt(settings, "plugins");
    const slot = objectAt(plugins, "slots")["memory"];
    const isListed = JSON.stringify(plugins).includes("longhand");
    return { slot: typeof slot === "string" ? slot : null, problem: null, isListed };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return { slot: null, problem: null, isListed: false };
    const why = code === undefined ? messageOf(error).replace(/^JSON5: /, "") : `the system says ${code}`;
    return { slot: null, problem: `OpenClaw's settings ${file} cannot be read: ${why}.`, isListed: false };
  }
}

/** Neither ours nor one that ships with OpenClaw. */
function isForeign(slot: string | null): slot is string {
  return slot !== null && !["longhand", "memory-core", "none"].includes(slot);
}

/** A file of the plugin, copied unchanged from the package; the folder is ours, so an older version is replaced. */
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
        throw refuseSettings(path, "it is not longhand's", snippet);
      return snippet;
    },
    remove: (text) => (isOurs(text) ? null : text),
  };
}
