import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "../errors.ts";

/**
 * Makes a folder and those above it; false when it is there already. Not `mkdir` with `recursive`, which in Node tries
 * for ever where the system answers "no such file" to making a folder in one that exists, as below /proc. The mode is
 * that of all folders that are made.
 */
export function makeFolder(path: string, mode = 0o777): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST" && isFolder(path)) return false;
    if (systemErrorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // Somebody else was faster.
    if (systemErrorCode(error) === "EEXIST" && isFolder(path)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
