export interface SignalWatch {
  readonly signal: AbortSignal;
  /** 130 after SIGINT and 143 after SIGTERM, by shell convention. */
  readonly exitCode: number | undefined;
  stop(): void;
}

export type StopSignal = "SIGINT" | "SIGTERM";

/** How long a cancelled command may take to close its files before the process is ended. */
const graceMs = 1500;

/** The first signal asks the command to stop; a second one, or the end of the grace period, ends the process. */
export function watchSignals(onFirst: (name: StopSignal) => void = () => {}): SignalWatch {
  // Unlike process.exit, dying of the signal itself cannot be delayed by a busy thread.
  const die = (name: StopSignal) => {
    process.removeAllListeners(name);
    process.kill(process.pid, name);
  };
  const cancelling = createCancelling(die);
  const onSignal = (name: StopSignal) => {
    if (cancelling.exitCode === undefined) onFirst(name);
    cancelling.cancel(name);
  };
  // Sent by Ctrl-Break on Windows; other systems do not have it.
  const onBreak = () => onSignal("SIGINT");
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  if (process.platform === "win32") process.on("SIGBREAK", onBreak);
  return {
    signal: cancelling.signal,
    get exitCode() {
      return cancelling.exitCode;
    },
    stop() {
      cancelling.stop();
      // On Windows the process is aborted if another Ctrl-C arrives while the first one's listener is removed.
      if (cancelling.exitCode !== undefined) return;
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
      process.off("SIGBREAK", onBreak);
    },
  };
}

/** The same for signals that another process has received. */
export function createCancelling(
  die: (name: StopSignal) => void,
): SignalWatch & { cancel(name: StopSignal): void } {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    cancel(name) {
      if (exitCode !== undefined) return die(name);
      exitCode = name === "SIGINT" ? 130 : 143;
      timer = setTimeout(die, graceMs, name);
      controller.abort(new Error(`Received ${name}.`));
    },
    stop: () => clearTimeout(timer),
  };
}
