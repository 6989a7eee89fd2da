import path from "node:path";
import { expandPath, homeOf } from "./expand-path.ts";
import { type Environment, readVariable } from "./variables.ts";

/** Folders in which OpenClaw, by its present and its earlier name, may keep its state; the likeliest first. */
export function findOpenclawDirs(env: Environment = process.env): readonly string[] {
  const home = homeOf(env);
  const named = ["OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR"]
    .flatMap((variable) => readVariable(env, variable) ?? [])
    .map((text) => expandPath(text, { home, baseDir: home }));
  return [...new Set([...named, path.join(home, ".openclaw"), path.join(home, ".clawdbot")])];
}
