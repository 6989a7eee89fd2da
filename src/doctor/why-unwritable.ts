import { accessSync, constants, statSync } from "node:fs";
import { systemErrorCode } from "../errors.ts";

/** Why nothing can be written to a folder or a file that is there, as the system says it; null when it can. */
export function whyUnwritable(path: string): string | null {
  try {
    const isFolder = statSync(path).isDirectory();
    accessSync(path, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
    return null;
  } catch (error) {
    return systemErrorCode(error) ?? String(error);
  }
}
