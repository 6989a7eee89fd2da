import { relative, sep } from "node:path";
import { realFolder } from "../notes/workspace.ts";
import type { Places } from "./places.ts";

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
