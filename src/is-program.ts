import { accessSync, constants, statSync } from "node:fs";

/** Whether this user may run the file. On Windows every file counts as executable, so callers name the ending. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
