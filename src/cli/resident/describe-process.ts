import { readFileSync, readlinkSync, statSync } from "node:fs";
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
    [dev, ino],
    readConfinement(),
    startingEnvironment(env),
  ]);
}

const namespaces = ["mnt", "net", "user", "pid", "ipc"];
const limits = /^(?:Cap(?:Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp(?:_filters)?):\t(.*)$/gm;

/** What a sandbox takes away from a process: without the network, for example, a question must not be sent to a service. */
function readConfinement(): readonly string[] {
  return [
    ...namespaces.map((name) => readlinkSync(`/proc/self/ns/${name}`)),
    ...[...readFileSync("/proc/self/status", "utf8").matchAll(limits)].map(([line]) => line),
    readLabel(),
  ];
}

/** By AppArmor or SELinux. */
function readLabel(): string {
  try {
    return readFileSync("/proc/self/attr/current", "utf8");
  } catch {
    return "";
  }
}
