import { spawnSync } from "node:child_process";

/** Why a program cannot be used here; null if it can. */
export function lackOf(program: string, argv: readonly string[] = ["--version"]): string | null {
  const { error, status, stderr } = spawnSync(program, argv, { encoding: "utf8" });
  if (error) return `${program} is not installed`;
  return status === 0 ? null : `${program} may not be used here (${stderr.trim().split("\n")[0]})`;
}

export function isLinux(): string | null {
  return process.platform === "linux" ? null : "this is not Linux";
}
