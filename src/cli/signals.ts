export interface SignalWatch {
  readonly signal: AbortSignal;
  /** 130 after SIGINT and 143 after SIGTERM, as shells count them. */
  readonly exitCode: number | undefined;
  stop(): void;
}

/** How long a cancelled command may take to close its files before the process ends all the same. */
const graceMs = 1500;

/** The first signal asks the command to stop; a second one, or the end of the grace period, ends the process. */
export function watchSignals(): SignalWatch {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (name: "SIGINT" | "SIGTERM") => {
    // Dying of the signal itself cannot be held up by a thread that is still at work, as process.exit can.
    const die = () => {
      process.removeAllListeners(name);
      process.kill(process.pid, name);
    };
    if (exitCode !== undefined) die();
    exitCode = name === "SIGINT" ? 130 : 143;
    timer = setTimeout(die, graceMs);
    controller.abort(new Error(`Received ${name}.`));
  };
  // What Ctrl-Break sends on Windows; elsewhere there is no such signal.
  const onBreak = () => onSignal("SIGINT");
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  if (process.platform === "win32") process.on("SIGBREAK", onBreak);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    stop() {
      clearTimeout(timer);
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
      process.off("SIGBREAK", onBreak);
    },
  };
}
