import os from "node:os";
import path from "node:path";
import { LonghandError, unlessRefused } from "../errors.ts";
import { type Environment, readVariable } from "./variables.ts";

export interface PathContext {
  readonly home: string;
  /** What a relative path starts from. */
  readonly baseDir: string;
  readonly stateDir?: string;
  readonly agentId?: string;
}

/** An absolute path from one that may start with `~` or `<state>` and may contain `{agentId}`. */
export function expandPath(text: string, { home, baseDir, stateDir, agentId }: PathContext): string {
  // First, because the folders put in may have braces in their names. A function, because an id could hold `$&`.
  let expanded = agentId === undefined ? text : text.replaceAll("{agentId}", () => agentId);
  if (stateDir !== undefined) expanded = replaceStart(expanded, "<state>", stateDir);
  expanded = replaceStart(expanded, "~", home);
  return path.resolve(baseDir, expanded);
}

/** The folder of the user, where other programs too keep what they know. */
export function homeOf(env: Environment = process.env): string {
  return path.resolve(readVariable(env, homeVariable) ?? (homeOfProcess() || homeOfAccount()));
}

const homeVariable = process.platform === "win32" ? "USERPROFILE" : "HOME";

/** With an empty variable Windows refuses, and elsewhere the result is empty, which would mean the current folder. */
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
