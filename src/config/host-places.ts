import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { homeOf } from "./expand-path.ts";
import { type Environment, readVariable } from "./variables.ts";

/** Where a host keeps the settings of a user: below the home, unless a variable names another folder. */
export interface HostHome {
  readonly folder: string;
  readonly variable?: { readonly name: string; readonly folder: string };
}

export interface HostPlaces {
  homeOf(home: HostHome): string;
  /** The programs of that name on the PATH, in the order in which a shell looks for them. */
  findProgram(name: string): string[];
  /** `longhand` can be started by its name alone. */
  readonly isOnPath: boolean;
}

/** Where agent hosts keep the settings of a user, and which programs they would find. */
export function findHostPlaces(env: Environment = process.env): HostPlaces {
  const home = homeOf(env);
  const folders = (readVariable(env, "PATH") ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  const findProgram = (name: string) => {
    const files = folders.flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)));
    return [...new Set(files)].filter(isProgram);
  };
  return {
    findProgram,
    homeOf({ folder, variable }) {
      const named = variable && readVariable(env, variable.name);
      return named ? path.resolve(home, named, variable.folder) : path.join(home, folder);
    },
    // A folder that npx or npm has put there for this run is gone in the next one.
    isOnPath: findProgram("longhand").some(
      (file) => !file.includes("node_modules") && !file.includes("_npx"),
    ),
  };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
