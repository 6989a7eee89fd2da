import { monotonicMs } from "../timing.ts";
import type { CommandContext } from "./command.ts";
import { isHookCall } from "./is-hook-call.ts";
import { isPlainDescriptor, openPlainInput, standardStreams, type TextStream } from "./standard-streams.ts";
import { type SignalWatch, watchSignals } from "./watch-signals.ts";

/** The process whose command line runs: this one, or one that has asked a resident. */
export interface Caller {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Accessing standard input opens it, and only some commands need it. */
  readonly input: CommandContext["input"];
  readonly currentDir: string;
  readonly signals: SignalWatch;
  /** Its process, whoever answers. */
  readonly pid: number;
  /** Who answers, for `--debug`, if it is another process. */
  readonly answeredBy?: string;
  /** Milliseconds since the caller was started. */
  elapsedMs(): number;
  /** Ends the caller at once, whatever is still running. */
  exit(code: number): void;
}

/** `taken` is standard input if some of it was read already. */
export function ownCaller(argv: readonly string[], taken?: CommandContext["input"]): Caller {
  return {
    ...standardStreams(),
    get input() {
      if (taken !== undefined) return taken;
      const isPlain = isHookCall(argv) && isPlainDescriptor(0);
      return isPlain ? openPlainInput(() => process.stdin) : process.stdin;
    },
    // The folder may have been deleted, which the configuration reports.
    get currentDir() {
      return process.cwd();
    },
    pid: process.pid,
    signals: watchSignals(),
    elapsedMs: monotonicMs,
    exit: (code) => process.exit(code),
  };
}
