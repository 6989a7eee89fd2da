import { isCompilerChosen } from "../config/variables.ts";

/** A process that has used this much processor time is not a short one. */
const shortRunMs = 400;

interface Flags {
  readonly atFirst: readonly string[];
  /** What V8 has by default. */
  readonly later: readonly string[];
}

/**
 * By version of Node. V8 prints a complaint about a flag that it does not know, so only versions that were tried are
 * listed.
 */
const flagsOf: Readonly<Record<"hook" | "search", Readonly<Record<string, Flags>>>> = {
  hook: {
    22: { atFirst: ["no-opt", "no-sparkplug"], later: ["opt", "sparkplug"] },
    24: { atFirst: ["no-opt", "no-maglev", "no-sparkplug"], later: ["opt", "maglev", "sparkplug"] },
  },
  // A person waits for it, so what runs thousands of times is still compiled by Maglev, which is quick.
  search: {
    24: {
      atFirst: ["no-opt", "invocation-count-for-maglev=2000", "invocation-count-for-maglev-osr=400"],
      later: ["opt", "invocation-count-for-maglev=400", "invocation-count-for-maglev-osr=100"],
    },
  },
};

/**
 * Keeps V8 from optimizing code at the start of a process. A hook or a search ends before optimized code pays for itself:
 * compiling it took a seventh of a hook's processor time, and a tenth of a search's, in threads that compete with the
 * host. One that works longer gets it after all.
 */
export function delayOptimizing(command: "hook" | "search"): void {
  const flags = flagsOf[command][process.versions.node.split(".", 1)[0]!];
  if (flags === undefined || !/^(?:x64|arm64)$/.test(process.arch) || isCompilerChosen()) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  // Node's own modules come compiled for its usual flags, so those that are always needed are loaded before they change.
  for (const name of ["node:module", "node:os", "node:timers/promises"]) process.getBuiltinModule(name);
  void [process.getBuiltinModule("node:fs").opendirSync, AbortController];
  const set = (names: readonly string[]): void =>
    setFlagsFromString(names.map((name) => `--${name}`).join(" "));
  const check = (): void => {
    const { user, system } = process.cpuUsage();
    const leftMs = shortRunMs - (user + system) / 1000;
    if (leftMs > 0) setTimeout(check, leftMs).unref();
    else set(flags.later);
  };
  set(flags.atFirst);
  // One collection of young objects is needed instead of four.
  if (command === "hook") setFlagsFromString("--semi-space-growth-factor=8");
  setTimeout(check, shortRunMs).unref();
}
