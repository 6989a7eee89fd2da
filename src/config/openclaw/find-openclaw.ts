import { existsSync } from "node:fs";
import path from "node:path";
import { LonghandError } from "../../errors.ts";
import { isFolder } from "../../paths.ts";
import { homeOf } from "../expand-path.ts";
import { findOpenclawDirs, namedOpenclawFile } from "../host-locations.ts";
import { readOpenclawConfig } from "../load.ts";
import type { Environment } from "../variables.ts";
import { findOpenclawFile } from "./openclaw-file.ts";
import { type OpenclawSettings, translateOpenclaw } from "./translate-openclaw.ts";

/** An installation of OpenClaw, and what its configuration says about memory. */
export interface OpenclawInstallation {
  /** What was found: its configuration, otherwise its state folder or workspace. */
  readonly found: string;
  /** Null if only a workspace was found. */
  readonly stateDir: string | null;
  readonly settings: OpenclawSettings;
}

/** Searches the named folder (a state folder or a workspace), otherwise OpenClaw's default locations. */
export async function findOpenclaw(
  named: string | undefined,
  env: Environment = process.env,
): Promise<OpenclawInstallation> {
  const home = homeOf(env);
  const folders = named === undefined ? [...findOpenclawDirs(env), path.join(home, "clawd")] : [named];
  const own = named === undefined ? namedOpenclawFile(env) : null;
  for (const folder of folders) {
    const file = own ?? findOpenclawFile(folder);
    if (file !== null) {
      return {
        found: file,
        stateDir: folder,
        settings: await readOpenclawConfig(file, { env, stateDir: folder, keys: "leave" }),
      };
    }
    const isState = isFolder(path.join(folder, "agents"));
    if (!isState && !hasNotes(folder)) continue;
    const value = isState ? {} : { agents: { defaults: { workspace: folder } } };
    const request = { value, stateDir: folder, home, exists: isFolder, keys: "leave", env: null } as const;
    return { found: folder, stateDir: isState ? folder : null, settings: translateOpenclaw(request) };
  }
  throw new LonghandError("usage", `OpenClaw was not found in ${folders.join(", ")}.`, {
    hint: "Name its state folder (the one with openclaw.json) or its workspace: longhand init --from-openclaw DIR",
  });
}

/** Where OpenClaw keeps the index and the transcripts of an agent, whether or not they exist. */
export function openclawAgentPaths(stateDir: string, agentId: string) {
  const folder = path.join(stateDir, "agents", agentId);
  const database = path.join(folder, "agent", "openclaw-agent.sqlite");
  return {
    indexes: [database, path.join(stateDir, "memory", `${agentId}.sqlite`)],
    transcripts: [path.join(folder, "sessions"), database],
  };
}

function hasNotes(folder: string): boolean {
  return (
    ["MEMORY.md", "memory.md"].some((name) => existsSync(path.join(folder, name))) ||
    isFolder(path.join(folder, "memory"))
  );
}
