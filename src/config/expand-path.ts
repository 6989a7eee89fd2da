import os from "node:os";
import path from "node:path";
import { LonghandError, unlessRefused } from "../errors.ts";
import { type Environment, readVariable } from "./variables.ts";

export interface PathContext {
  readonly home: string;
  /** The base of a relative path. */
  readonly baseDir: string;
  readonly stateDir?: string;
  readonly agentId?: string;
}

/** Makes a path absolute. It may start with `~` or `<state>` and may contain `{agentId}`. */
export function expandPath(text: string, { home, baseDir, stateDir, agentId }: PathContext): string {
  // Replaced first, because the inserted folders may contain braces. A function, because an id could contain `$&`.
  let expanded = agentId === undefined ? text : text.replaceAll("{agentId}", () => agentId);
  if (stateDir !== undefined) expanded = replaceStart(expanded, "<state>", stateDir);
  expanded = replaceStart(expanded, "~", home);
  return path.resolve(baseDir, expanded);
}

/** The user's home folder, where other programs keep their data as well. */
export function homeOf(env: Environment = process.env): string {
  return path.resolve(readVariable(env, homeVariable) ?? (homeOfProcess() || homeOfAccount()));
}

const homeVariable = process.platform === "win32" ? "USERPROFILE" : "HOME";

/**
 * With an empty variable, Windows throws, and other systems return an empty path, which would mean the current folder.
 */
function homeOfProcess(): string {
  return unlessRefused(os.homedir, () => "");
}

function homeOfAccount(): string {
  return unlessRefused(
    () => os.userInfo().homedir,
    () => {
      throw new LonghandError("config-invalid", `Your home folder is unknown: ${homeVariable} is empty.`, {
        hint: `Set ${homeVariable} to your home folder.`,
      });
    },
  );
}

function replaceStart(text: string, placeholder: string, folder: string): string {
  if (!text.startsWith(placeholder)) return text;
  const rest = text.slice(placeholder.length);
  return rest === "" || rest.startsWith("/") || rest.startsWith(path.sep) ? `${folder}${rest}` : text;
}
