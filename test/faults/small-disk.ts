import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLinux, lackOf } from "./programs.ts";

/** Mounts a tmpfs, or changes its options; returns the error output. */
export function mountDisk(disk: string, options: string): string | null {
  const { status, stderr, error } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", disk], {
    encoding: "utf8",
  });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

export function unmountDisk(disk: string): void {
  spawnSync("umount", ["-l", disk]);
}

/** Why none can be mounted here; null if one can. */
export function refusedDisk(): string | null {
  const lack = isLinux() ?? lackOf("mount");
  if (lack !== null) return lack;
  const disk = join(tmpdir(), `longhand-mount-${process.pid}`);
  mkdirSync(disk, { recursive: true });
  const problem = mountDisk(disk, "size=100000");
  if (problem === null) unmountDisk(disk);
  rmSync(disk, { recursive: true, force: true });
  return problem === null ? null : `a small file system cannot be mounted (${problem})`;
}
