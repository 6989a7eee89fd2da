import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { isFields } from "../text/fields.ts";
import type { HostLocation } from "./host.ts";

/**
 * Whether Claude Code has a server longhand of the user, or of the user in this project. It keeps them in a file that
 * it writes all the time, beside the folder with the settings or, where a variable names that folder, in it. Null if
 * the file cannot be read.
 */
export function hasUserServer({
  hostHome,
  projectDir,
}: Pick<HostLocation, "hostHome" | "projectDir">): boolean | null {
  const inside = join(hostHome, ".claude.json");
  const isBeside = basename(hostHome) === ".claude" && !existsSync(inside);
  const file = isBeside ? join(dirname(hostHome), ".claude.json") : inside;
  try {
    const settings: unknown = JSON.parse(readFileSync(file, "utf8"));
    const places = [settings, fieldOf(fieldOf(settings, "projects"), projectDir)];
    return places.some((place) => fieldOf(fieldOf(place, "mcpServers"), "longhand") !== undefined);
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? false : null;
  }
}

function fieldOf(value: unknown, key: string): unknown {
  return isFields(value) ? value[key] : undefined;
}
