import { readlinkSync, statSync } from "node:fs";
import { startingEnvironment } from "../../config/whole-environment.ts";
import { buildId } from "./build-id.ts";

/**
 * What two processes must have in common, so that one can answer for the other: the same code, the same rights, and the
 * same view of the file system. A container can share the state folder with its host, but paths name other files there.
 */
export function describeProcess(env: Readonly<Record<string, string>>): string {
  const { dev, ino } = statSync("/");
  return JSON.stringify([
    buildId,
    import.meta.filename,
    process.execPath,
    process.version,
    [process.getuid?.(), process.geteuid?.(), process.getgid?.(), process.getegid?.()],
    process.getgroups?.().sort(),
    [dev, ino, readMountNamespace()],
    startingEnvironment(env),
  ]);
}

/** Only Linux has them. */
function readMountNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/mnt");
  } catch {
    return null;
  }
}
