import { existsSync, lstatSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { realFolder } from "../notes/workspace.ts";
import { isWithin } from "../paths.ts";
import { expandPath, homeOf } from "./expand-path.ts";
import { findOpenclawFile } from "./openclaw/openclaw-file.ts";
import type { Origin } from "./origin.ts";
import { type Environment, type environmentVariables, readVariable } from "./variables.ts";

export interface LocationsRequest {
  readonly config?: string | undefined;
  readonly stateDir?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** A value from outside the configuration, and its origin. */
export interface Given {
  readonly text: string;
  readonly origin: Origin;
}

/** Locations that are known before the configuration is read. All paths are absolute. */
interface Locations {
  readonly env: Environment;
  readonly home: string;
  readonly currentDir: string;
  readonly stateDir: string;
  readonly stateOrigin: Origin;
  /** The default state folder. */
  readonly defaultStateDir: string;
  /** Where the configuration file is expected, whether or not it exists. */
  readonly configPath: string;
  readonly configOrigin: Origin;
}

export function findLocations(request: LocationsRequest): Locations {
  const env: Environment = request.env ?? process.env;
  const home = homeOf(env);
  const currentDir = path.resolve(request.cwd ?? currentFolder());
  const defaultStateDir = path.join(home, ".longhand");
  const state = readGiven(env, { text: request.stateDir, key: "stateDir", variable: "LONGHAND_STATE_DIR" });
  const stateDir = expandPath(state?.text ?? defaultStateDir, { home, baseDir: currentDir });
  requireFolder(stateDir);
  const config = readGiven(env, { text: request.config, key: "config", variable: "LONGHAND_CONFIG" });
  const context = { home, stateDir, baseDir: currentDir };
  return {
    env,
    home,
    currentDir,
    stateDir,
    stateOrigin: state?.origin ?? { from: "default" },
    defaultStateDir,
    configPath: config === null ? defaultConfigPath(stateDir) : expandPath(config.text, context),
    configOrigin: config?.origin ?? { from: "default" },
  };
}

/** Most errors caused by a wrong state folder name a file in it, which does not reveal the cause. */
function requireFolder(stateDir: string): void {
  const problem = problemOf(stateDir);
  if (problem === null) return;
  throw new LonghandError("config-invalid", `The state folder ${stateDir} cannot be used: ${problem}.`, {
    hint: "Replace it with a folder, or choose another one with --state-dir or LONGHAND_STATE_DIR.",
  });
}

/** Also null if it cannot be determined here, for example in an unreadable folder. */
function problemOf(folder: string): string | null {
  const found = statOf(folder, statSync);
  if (found === "ELOOP") return "its symbolic links lead in a circle";
  if (typeof found === "object") return found.isDirectory() ? null : `${folder} is not a folder`;
  if (found !== "missing") return null;
  const link = statOf(folder, lstatSync);
  if (typeof link === "object" && link.isSymbolicLink())
    return `${folder} is a symbolic link to a folder that does not exist`;
  const parent = path.dirname(folder);
  return parent === folder ? null : problemOf(parent);
}

function statOf(
  path: string,
  stat: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined,
): Stats | string {
  try {
    return stat(path, { throwIfNoEntry: false }) ?? "missing";
  } catch (error) {
    return systemErrorCode(error) ?? "unknown";
  }
}

/** Ours; or OpenClaw's, in a state folder of OpenClaw that has none of ours. */
function defaultConfigPath(stateDir: string): string {
  const own = path.join(stateDir, "longhand.json5");
  return existsSync(own) ? own : (findOpenclawFile(stateDir) ?? own);
}

/** Where the configuration file is expected, whether or not it exists. Absolute. */
export function findConfigPath(request: LocationsRequest): string {
  return findLocations(request).configPath;
}

/** The caller's value for `key`, otherwise that of the environment variable; an empty string counts as unset. */
export function readGiven(
  env: Environment,
  source: { text: string | undefined; key: string; variable: keyof typeof environmentVariables },
): Given | null {
  const { text, key, variable } = source;
  if (text !== undefined && text !== "") return { text, origin: { from: "caller", key } };
  const value = readVariable(env, variable);
  return value === null ? null : { text: value, origin: { from: "environment", variable } };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new LonghandError("workspace-missing", "The current folder no longer exists.", {
      hint: "Change to a folder that exists and try again.",
      cause,
    });
  }
}

/** Where the user records which workspaces are trusted. Both belong to the user, not to the workspace. */
export interface TrustBasis {
  /** The state folder with the record of `longhand trust`. */
  readonly recordDir: string;
  /** Workspaces that are trusted without a record: the default one, and those named in the configuration. */
  readonly named: readonly string[];
}

interface TrustRequest extends Pick<Locations, "stateDir" | "defaultStateDir" | "configPath" | "currentDir"> {
  readonly workspaceDir: string;
  readonly defaultWorkspace: string;
  readonly namedWorkspaces: readonly string[];
}

/**
 * A cloned repository may contain a state folder, a configuration file, and host settings that name them. Those inside
 * the workspace, or in the host's working folder, are therefore not trusted: the default state folder decides instead.
 */
export function findTrust(request: TrustRequest): TrustBasis {
  const { stateDir, defaultStateDir, configPath, currentDir, workspaceDir } = request;
  // A folder that contains the user's own state, such as the home folder, does not come from someone else.
  const foreign = [workspaceDir, currentDir]
    .map(realFolder)
    .filter((folder) => !isWithin(realFolder(defaultStateDir), folder));
  const isOwn = (place: string) => !foreign.some((folder) => isWithin(realFolder(place), folder));
  return {
    recordDir: isOwn(stateDir) ? stateDir : defaultStateDir,
    named: [
      ...(isOwn(stateDir) ? [request.defaultWorkspace] : []),
      ...(isOwn(configPath) ? request.namedWorkspaces : []),
    ],
  };
}
