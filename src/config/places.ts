import { existsSync } from "node:fs";
import path, { relative, sep } from "node:path";
import { LonghandError } from "../errors.ts";
import { realFolder } from "../notes/workspace.ts";
import { expandPath, homeOf } from "./expand-path.ts";
import { findOpenclawFile } from "./openclaw/openclaw-file.ts";
import type { Origin } from "./origin.ts";
import { type Environment, type environmentVariables, readVariable } from "./variables.ts";

export interface PlacesRequest {
  readonly config?: string;
  readonly stateDir?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A text that somebody gave outside of the configuration, and who. */
export interface Given {
  readonly text: string;
  readonly origin: Origin;
}

/** Where things are before the configuration is read. All paths are absolute. */
export interface Places {
  readonly env: Environment;
  readonly home: string;
  readonly currentDir: string;
  readonly stateDir: string;
  readonly stateOrigin: Origin;
  /** The state folder of somebody who chooses none. */
  readonly defaultStateDir: string;
  /** Where the configuration file is looked for, whether or not it is there. */
  readonly configPath: string;
  readonly configOrigin: Origin;
}

export function findPlaces(request: PlacesRequest): Places {
  const env: Environment = request.env ?? process.env;
  const home = homeOf(env);
  const currentDir = path.resolve(request.cwd ?? currentFolder());
  const defaultStateDir = path.join(home, ".longhand");
  const state = readGiven(env, { text: request.stateDir, key: "stateDir", variable: "LONGHAND_STATE_DIR" });
  const stateDir = expandPath(state?.text ?? defaultStateDir, { home, baseDir: currentDir });
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

/** Ours; in a state folder of OpenClaw that has none of ours, OpenClaw's. */
function defaultConfigPath(stateDir: string): string {
  const own = path.join(stateDir, "longhand.json5");
  return existsSync(own) ? own : (findOpenclawFile(stateDir) ?? own);
}

/** Where the configuration file is looked for, whether or not it is there. Absolute. */
export function findConfigPath(request: PlacesRequest): string {
  return findPlaces(request).configPath;
}

/** What the caller gave under `key`, else what the environment variable holds; an empty text counts as none. */
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
    throw new LonghandError("workspace-missing", "The current folder does not exist any more.", {
      hint: "Change to a folder that exists and try again.",
      cause,
    });
  }
}

/** Where the user says which workspaces are trusted. Both are the user's own, and not of the workspace. */
export interface TrustBasis {
  /** The state folder that holds the record of `longhand trust`. */
  readonly recordDir: string;
  /** Workspaces that are trusted without a record: the default one, and those that the configuration names. */
  readonly named: readonly string[];
}

interface TrustRequest extends Pick<Places, "stateDir" | "defaultStateDir" | "configPath" | "currentDir"> {
  readonly workspaceDir: string;
  readonly defaultWorkspace: string;
  readonly namedWorkspaces: readonly string[];
}

/**
 * A cloned repository may bring a state folder and a configuration file, and settings of a host that name them. So those
 * that lie in the workspace, or where the host works, say nothing: the default state folder is asked instead.
 */
export function findTrust(request: TrustRequest): TrustBasis {
  const { stateDir, defaultStateDir, configPath, currentDir, workspaceDir } = request;
  // A folder that holds the user's own state, such as the home, is not somebody else's.
  const foreign = [workspaceDir, currentDir].filter((folder) => !isWithin(defaultStateDir, folder));
  const isOwn = (place: string) => !foreign.some((folder) => isWithin(place, folder));
  return {
    recordDir: isOwn(stateDir) ? stateDir : defaultStateDir,
    named: [
      ...(isOwn(stateDir) ? [request.defaultWorkspace] : []),
      ...(isOwn(configPath) ? request.namedWorkspaces : []),
    ],
  };
}

function isWithin(place: string, folder: string): boolean {
  const way = relative(realFolder(folder), realFolder(place));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way));
}
