import { fork } from "node:child_process";
import { type LonghandError, throwIfAborted } from "../../errors.ts";
import { programFile } from "../../package-files.ts";
import { type CallOptions, qmdFailure, shorten } from "./driver.ts";

export interface ProgramCall extends CallOptions {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  /** The whole environment of the program. */
  readonly environment: Readonly<Record<string, string>>;
  /** The command in error messages: `qmd update`. */
  readonly shown: string;
}

/** More than any answer needs; a program that prints more is killed. */
const maxOutputBytes = 32 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

/** A program's exit and output. */
export interface ProgramEnd {
  readonly output: string;
  readonly errors: string;
  /** Null if it was killed by a signal. */
  readonly exitCode: number | null;
  /** Null for success; otherwise the error to throw. */
  readonly failure: LonghandError | null;
}

/** Runs a program and returns its output. */
export async function runProgram(call: ProgramCall): Promise<string> {
  const { output, failure } = await runToEnd(call);
  if (failure !== null) throw failure;
  return output;
}

/**
 * Runs a program until it exits, successfully or not; throws if it has to be killed. It has its own process group, so
 * that a timeout kills everything it has started, and a process guard, so that it does not outlive us.
 */
export async function runToEnd(call: ProgramCall): Promise<ProgramEnd> {
  throwIfAborted(call.signal);
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEnd>();
  const child = fork(programFile("engines/qmd/process-guard"), [call.program, ...call.arguments], {
    cwd: call.folder,
    env: call.environment,
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: hasGroups,
    windowsHide: true,
  });
  const [stdout, stderr] = [child.stdout!, child.stderr!];
  const end = (error: unknown): void => {
    endGroup(child.pid);
    reject(error);
  };
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let size = 0;
  let errorSize = 0;
  stdout.on("data", (bytes: Buffer) => {
    size += bytes.length;
    if (size <= maxOutputBytes) output.push(bytes);
    else end(qmdFailure(`${call.shown} printed more than ${maxOutputBytes} bytes`));
  });
  stderr.on("data", (bytes: Buffer) => {
    errorSize += bytes.length;
    if (errorSize <= maxErrorBytes) errors.push(bytes);
  });
  child.once("error", (error) => {
    end(qmdFailure(`${call.shown} could not be started: ${shorten(error.message)}`));
  });
  child.once("close", (code, signal) => {
    endGroup(child.pid);
    const printed = {
      output: Buffer.concat(output).toString("utf8"),
      errors: Buffer.concat(errors).toString("utf8"),
      exitCode: code,
    };
    const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
    const said = shorten(errorMessageIn(printed.errors));
    const failure = code === 0 ? null : qmdFailure(`${call.shown} ${how}${said === "" ? "" : `: ${said}`}`);
    resolve({ ...printed, failure });
  });
  const timer = setTimeout(
    () => end(qmdFailure(`${call.shown} gave no answer within ${call.timeoutMs} ms`)),
    call.timeoutMs,
  );
  const onAbort = (): void => end(call.signal?.reason);
  call.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await promise;
  } catch (error) {
    throwIfAborted(call.signal);
    throw error;
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onAbort);
    stdout.destroy();
    stderr.destroy();
  }
}

/** The message of an uncaught Node error, without the source code around it. */
function errorMessageIn(errors: string): string {
  return /^(?:Uncaught )?[\w.]*Error(?: \[\w+\])?: .*$/m.exec(errors)?.[0] ?? errors;
}

/**
 * Windows has no process groups. There a process ends with the one that started it unless it is detached, and a detached
 * one has no console, so that programs it starts would open windows.
 */
export const hasGroups = process.platform !== "win32";

/** A group that has already exited is not an error. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It exited meanwhile, as intended.
    }
  }
}
