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
  let expanded = text;
  if (stateDir !== undefined) expanded = replaceStart(expanded, "<state>", stateDir);
  expanded = replaceStart(expanded, "~", home);
  // A function, because a replacement text could hold `$&`.
  if (agentId !== undefined) expanded = expanded.replaceAll("{agentId}", () => agentId);
  return path.resolve(baseDir, expanded);
}

/** The folder of the user, where other programs too keep what they know. */
export function homeOf(env: Environment = process.env): string {
  const home = readVariable(env, process.platform === "win32" ? "USERPROFILE" : "HOME");
  return path.resolve(home ?? (os.homedir() || homeOfAccount()));
}

/** With an empty `HOME`, `os.homedir()` is empty too, which would mean the current folder. */
function homeOfAccount(): string {
  return unlessRefused(
    () => os.userInfo().homedir,
    () => {
      throw new LonghandError("config-invalid", "Your home folder is unknown: HOME is empty.", {
        hint: "Set HOME to your home folder.",
      });
    },
  );
}

function replaceStart(text: string, placeholder: string, folder: string): string {
  if (!text.startsWith(placeholder)) return text;
  const rest = text.slice(placeholder.length);
  return rest === "" || rest.startsWith("/") || rest.startsWith(path.sep) ? `${folder}${rest}` : text;
}
