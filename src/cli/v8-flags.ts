import { isCompilerChosen } from "../config/variables.ts";

/** A process that has used this much CPU time is not short-lived. */
const shortRunMs = 400;

interface Flags {
  readonly atFirst: readonly string[];
  /** V8's defaults, for what should not last. */
  readonly later: readonly string[];
}

/** By version of Node. V8 prints a warning about unknown flags, so only tested versions are listed. */
const flagsOf: Readonly<Record<"hook" | "search", Readonly<Record<string, Flags>>>> = {
  hook: {
    22: { atFirst: ["no-opt", "no-sparkplug"], later: ["opt", "sparkplug"] },
    24: {
      atFirst: ["no-opt", "no-maglev", "no-sparkplug", "regexp-tier-up-ticks=0"],
      later: ["opt", "maglev", "sparkplug"],
    },
  },
  // A person is waiting for a search, so hot code is still compiled by Maglev, which is fast.
  search: {
    24: {
      atFirst: [
        "no-opt",
        "invocation-count-for-maglev=8000",
        "invocation-count-for-maglev-osr=1600",
        "regexp-tier-up-ticks=0",
        // Collecting the same small space again costs less than the page faults of a larger one.
        "semi-space-growth-factor=1",
      ],
      later: [
        "opt",
        "invocation-count-for-maglev=400",
        "invocation-count-for-maglev-osr=100",
        "semi-space-growth-factor=2",
      ],
    },
  },
};

/**
 * Keeps V8 from optimizing code early in a process. A hook or a search ends before optimized code pays off: compiling
 * it took a seventh of a hook's CPU time and a tenth of a search's, in threads that compete with the host. A
 * longer-running process gets optimized code after all. Regular expressions, however, are compiled to machine code at
 * once: most are used more than once, and V8 would first compile them to bytecode.
 */
export function delayOptimizing(command: "hook" | "search"): void {
  const flags = flagsOf[command][process.versions.node.split(".", 1)[0]!];
  if (flags === undefined || !/^(?:x64|arm64)$/.test(process.arch) || isCompilerChosen()) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  // Node's own modules are precompiled for its default flags, so those that are always needed are loaded before the
  // flags change.
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
  // One young-generation collection is needed instead of four.
  if (command === "hook") setFlagsFromString("--semi-space-growth-factor=8");
  setTimeout(check, shortRunMs).unref();
}

/**
 * Keeps V8's heap close to what is needed. During indexing, much survives young-generation collections, so the young
 * generation would grow in every thread; and V8 lets the old generation grow to a multiple of what the last collection
 * left.
 */
export function limitHeap(): void {
  // As above, only tested versions.
  if (!/^2[24]\./.test(process.versions.node)) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}
