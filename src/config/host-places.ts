import { existsSync } from "node:fs";
import path from "node:path";
import { homeOf } from "./expand-path.ts";
import { type Environment, readVariable } from "./variables.ts";

export interface HostPlaces {
  readonly home: string;
  readonly codexHome: string;
  /** `longhand` can be started by its name alone. */
  readonly isOnPath: boolean;
}

/** Where agent hosts keep the settings of a user, and whether they would find longhand. */
export function findHostPlaces(env: Environment = process.env): HostPlaces {
  const home = homeOf(env);
  const names = process.platform === "win32" ? ["longhand.cmd", "longhand.exe"] : ["longhand"];
  const folders = (readVariable(env, "PATH") ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  return {
    home,
    codexHome: path.resolve(home, readVariable(env, "CODEX_HOME") ?? ".codex"),
    // A folder that npx or npm has put there for this run is gone in the next one.
    isOnPath: folders.some(
      (folder) =>
        !folder.includes("node_modules") &&
        !folder.includes("_npx") &&
        names.some((name) => existsSync(path.join(folder, name))),
    ),
  };
}
