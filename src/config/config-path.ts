import path from "node:path";
import { expandPath, homeOf } from "./expand-path.ts";
import type { SettingsRequest } from "./settings.ts";
import { readVariable } from "./variables.ts";

/** Where the configuration file is looked for, whether or not it is there. Absolute. */
export function findConfigPath({ config, stateDir, cwd, env = process.env }: SettingsRequest): string {
  const home = homeOf(env);
  const baseDir = path.resolve(cwd ?? process.cwd());
  const state = stateDir || (readVariable(env, "LONGHAND_STATE_DIR") ?? path.join(home, ".longhand"));
  const named = config || (readVariable(env, "LONGHAND_CONFIG") ?? "<state>/longhand.json5");
  return expandPath(named, { home, baseDir, stateDir: expandPath(state, { home, baseDir }) });
}
