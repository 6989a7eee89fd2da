import { mkdirSync } from "node:fs";
import path from "node:path";
import { writeProgram } from "./platform.ts";
import { cliProgram } from "./programs.ts";

/** Puts longhand into a folder on the PATH, so that it can be called by its name. */
export function installIn(home: string): Record<string, string> {
  const folder = path.join(home, "bin");
  mkdirSync(folder, { recursive: true });
  const command = `"${process.execPath}" "${cliProgram}"`;
  writeProgram(folder, "longhand", { sh: `exec ${command} "$@"`, cmd: `${command} %*` });
  return { PATH: folder };
}
