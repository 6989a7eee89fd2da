import { realpathSync } from "node:fs";

/**
 * The path without links, in the spelling that the system lists. Some drives of Windows, such as those that a program
 * keeps in memory, do not say it; there the links are followed one by one, and the letter case stays as it is written.
 */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (process.platform !== "win32") throw error;
    return realpathSync(path);
  }
}
