import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "../errors.ts";

/**
 * Makes a folder and those above it; false when it is there already. Not `mkdir` with `recursive`, which in Node tries
 * for ever where the system answers "no such file" to making a folder in one that exists, as below /proc.
 */
export function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST" && isFolder(path)) return false;
    if (systemErrorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
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
