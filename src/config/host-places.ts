import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { expandPath, homeOf } from "./expand-path.ts";
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

/** Folders in which OpenClaw, by its present and its earlier name, may keep its state; the likeliest first. */
export function findOpenclawDirs(env: Environment = process.env): readonly string[] {
  const home = homeOf(env);
  const named = ["OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR"]
    .flatMap((variable) => readVariable(env, variable) ?? [])
    .map((text) => expandPath(text, { home, baseDir: home }));
  return [...new Set([...named, path.join(home, ".openclaw"), path.join(home, ".clawdbot")])];
}

/** Where agent hosts keep the conversations of this user. */
export function findTranscriptPlaces(env: Environment = process.env) {
  const places = findHostPlaces(env);
  return {
    home: homeOf(env),
    codexHome: places.homeOf({ folder: ".codex", variable: { name: "CODEX_HOME", folder: "" } }),
    opencodeHome: places.homeOf({
      folder: ".local/share/opencode",
      variable: { name: "XDG_DATA_HOME", folder: "opencode" },
    }),
    openclawDirs: findOpenclawDirs(env),
  };
}
