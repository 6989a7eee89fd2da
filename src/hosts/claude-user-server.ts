import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, win32 } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { fieldsOf } from "../text/fields.ts";
import type { HostLocation } from "./host.ts";

/**
 * Whether Claude Code has a user-level server named longhand, for all projects or for this one. It keeps them in a file
 * that it rewrites frequently, beside its settings folder or, if a variable sets that folder, inside it. Null if the
 * file cannot be read.
 */
export function hasUserServer({
  hostHome,
  projectDir,
  platform = process.platform,
}: Pick<HostLocation, "hostHome" | "projectDir"> & { platform?: NodeJS.Platform }): boolean | null {
  const inside = join(hostHome, ".claude.json");
  const isBeside = basename(hostHome) === ".claude" && !existsSync(inside);
  const file = isBeside ? join(dirname(hostHome), ".claude.json") : inside;
  try {
    const settings: unknown = JSON.parse(readFileSync(file, "utf8"));
    const projects = Object.entries(fieldsOf(fieldsOf(settings)["projects"]));
    const here = projects.filter(([folder]) => isSameFolder(folder, projectDir, platform));
    const places = [settings, ...here.map(([, project]) => project)];
    return places.some((place) => fieldsOf(fieldsOf(place)["mcpServers"])["longhand"] !== undefined);
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? false : null;
  }
}

/** On Windows, Claude Code writes slashes or backslashes, and the drive letter in either case. */
function isSameFolder(one: string, other: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" ? win32.relative(one, other) === "" : one === other;
}
