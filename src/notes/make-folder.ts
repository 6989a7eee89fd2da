import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { isFolder } from "../paths.ts";

/**
 * Creates a folder and its parents, all with the same mode; false when it exists already. Node's recursive `mkdir` is
 * not used because it loops forever where creating a folder in an existing one fails with ENOENT, as below /proc.
 */
export function makeFolder(path: string, mode = 0o777): boolean {
  try {
    return makeOne(path, mode);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  makeFolder(dirname(path), mode);
  return makeOne(path, mode);
}

/** False when it exists, also because another process was faster. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST" && isFolder(path)) return false;
    throw error;
  }
}
