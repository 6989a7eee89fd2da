import { homeOf } from "./expand-path.ts";

/** The folder of the user, where other programs keep what they know. */
export function homeFolder(env: NodeJS.ProcessEnv = process.env): string {
  return homeOf(env);
}
