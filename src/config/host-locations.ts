import path from "node:path";
import { type HostHome, type HostName, hostList } from "../hosts/host-list.ts";
import { isProgram } from "../paths.ts";
import { expandPath, homeOf } from "./expand-path.ts";
import { type Environment, readVariable } from "./variables.ts";

export interface HostLocations {
  homeOf(home: HostHome): string;
  /** The settings file that a variable names; null if it is not set. */
  fileOf(home: HostHome): string | null;
  /** The programs of that name on the PATH, in the shell's lookup order. */
  findProgram(name: string): string[];
  /** Whether `longhand` can be started by its name alone. */
  readonly isOnPath: boolean;
}

/** Where agent hosts keep the settings of a user, and which programs they would find. */
export function locateHosts(env: Environment = process.env): HostLocations {
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
    homeOf({ folder, variables = [] }) {
      for (const variable of variables) {
        const named = readVariable(env, variable.name);
        if (named) return path.join(expandPath(named, { home, baseDir: home }), variable.folder);
      }
      return path.join(home, folder);
    },
    fileOf({ fileVariable }) {
      const named = fileVariable && readVariable(env, fileVariable);
      return named ? expandPath(named, { home, baseDir: home }) : null;
    },
    // A folder that npx or npm added for this run is gone in the next one.
    isOnPath: findProgram("longhand").some(
      (file) => !file.includes("node_modules") && !file.includes("_npx"),
    ),
  };
}

const homeOfHost = (name: HostName): HostHome => hostList.find((host) => host.name === name)!.home;

/** Folders in which OpenClaw, under its current or its earlier name, may keep its state; the likeliest first. */
export function findOpenclawDirs(env: Environment = process.env): readonly string[] {
  const home = homeOf(env);
  const { variables = [], ...present } = homeOfHost("openclaw");
  const either = { ...present, variables: [...variables, { name: "CLAWDBOT_STATE_DIR", folder: "" }] };
  const named = locateHosts(env).homeOf(either);
  return [...new Set([named, path.join(home, ".openclaw"), path.join(home, ".clawdbot")])];
}

/** The configuration file that OpenClaw uses instead of the one in its state folder; null if unset. */
export function namedOpenclawFile(env: Environment = process.env): string | null {
  return locateHosts(env).fileOf(homeOfHost("openclaw"));
}

/** Where agent hosts keep the conversations of this user. */
export function locateTranscripts(env: Environment = process.env) {
  const hosts = locateHosts(env);
  return {
    home: homeOf(env),
    codexHome: hosts.homeOf(homeOfHost("codex")),
    opencodeHome: hosts.homeOf({
      folder: ".local/share/opencode",
      variables: [{ name: "XDG_DATA_HOME", folder: "opencode" }],
    }),
    openclawDirs: findOpenclawDirs(env),
  };
}
