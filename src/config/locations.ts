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
export interface Locations {
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

/** Most errors that follow from a wrong state folder name a file in it, which says nothing about the cause. */
function requireFolder(stateDir: string): void {
  const problem = problemOf(stateDir);
  if (problem === null) return;
  throw new LonghandError("config-invalid", `The state folder ${stateDir} cannot be used: ${problem}.`, {
    hint: "Replace it with a folder, or choose another one with --state-dir or LONGHAND_STATE_DIR.",
  });
}

/** Null also for what cannot be known here, such as a folder that may not be read. */
function problemOf(folder: string): string | null {
  const found = look(folder, statSync);
  if (found === "ELOOP") return "its symbolic links lead in a circle";
  if (typeof found === "object") return found.isDirectory() ? null : `${folder} is not a folder`;
  if (found !== "missing") return null;
  const link = look(folder, lstatSync);
  if (typeof link === "object" && link.isSymbolicLink())
    return `${folder} is a symbolic link to a folder that does not exist`;
  const parent = path.dirname(folder);
  return parent === folder ? null : problemOf(parent);
}

function look(
  path: string,
  stat: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined,
): Stats | string {
  try {
    return stat(path, { throwIfNoEntry: false }) ?? "missing";
  } catch (error) {
    return systemErrorCode(error) ?? "unknown";
  }
}

/** Ours; in a state folder of OpenClaw that has none of ours, OpenClaw's. */
function defaultConfigPath(stateDir: string): string {
  const own = path.join(stateDir, "longhand.json5");
  return existsSync(own) ? own : (findOpenclawFile(stateDir) ?? own);
}

/** Where the configuration file is looked for, whether or not it is there. Absolute. */
export function findConfigPath(request: LocationsRequest): string {
  return findLocations(request).configPath;
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

interface TrustRequest extends Pick<Locations, "stateDir" | "defaultStateDir" | "configPath" | "currentDir"> {
  readonly workspaceDir: string;
  readonly defaultWorkspace: string;
  readonly namedWorkspaces: readonly string[];
}

/**
 * A cloned repository may bring a state folder, a configuration file, and host settings that name them. So those inside
 * the workspace, or where the host works, are not trusted: the default state folder decides instead.
 */
export function findTrust(request: TrustRequest): TrustBasis {
  const { stateDir, defaultStateDir, configPath, currentDir, workspaceDir } = request;
  // A folder that holds the user's own state, such as the home, is not somebody else's.
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
