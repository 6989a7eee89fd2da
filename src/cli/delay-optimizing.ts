import { isCompilerChosen } from "../config/variables.ts";

/** A process that has used this much processor time is not a short one. */
const shortRunMs = 400;

/**
 * V8's compilers by version of Node, all on by default. V8 prints a complaint about a flag that it does not know, so only
 * versions that were tried are listed.
 */
const compilers: Readonly<Record<string, readonly string[]>> = {
  22: ["opt", "sparkplug"],
  24: ["opt", "maglev", "sparkplug"],
};

/**
 * Keeps V8 from optimizing code at the start of a process. A hook ends before optimized code pays for itself: compiling
 * it took a seventh of its processor time, in threads that compete with the host. One that works longer gets it after all.
 */
export function delayOptimizing(): void {
  const flags = compilers[process.versions.node.split(".", 1)[0]!];
  if (flags === undefined || !/^(?:x64|arm64)$/.test(process.arch) || isCompilerChosen()) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  // Node's own modules come compiled for its usual flags, so those that every hook needs are loaded before they change.
  for (const name of ["node:module", "node:os", "node:timers/promises"]) process.getBuiltinModule(name);
  const check = (): void => {
    const { user, system } = process.cpuUsage();
    const leftMs = shortRunMs - (user + system) / 1000;
    if (leftMs > 0) setTimeout(check, leftMs).unref();
    else setFlagsFromString(flags.map((flag) => `--${flag}`).join(" "));
  };
  setFlagsFromString(flags.map((flag) => `--no-${flag}`).join(" "));
  // One collection of young objects is needed instead of four.
  setFlagsFromString("--semi-space-growth-factor=8");
  setTimeout(check, shortRunMs).unref();
}
