import { fork } from "node:child_process";
import { throwIfAborted } from "../../errors.ts";
import { programFile } from "../../package-files.ts";
import { type CallOptions, qmdFailure, shorten } from "./driver.ts";

export interface ProgramCall extends CallOptions {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  /** All that the program gets to see of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** For the words of an error: `qmd update`. */
  readonly shown: string;
}

/** More than any answer has; a program that prints without end is ended. */
const maxOutputBytes = 32 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

/**
 * Runs a program to its end and gives what it printed. It is in a process group of its own, so that whatever it has
 * started ends with it on a timeout, and under a process guard, so that it does not outlive us.
 */
export async function runProgram(call: ProgramCall): Promise<string> {
  throwIfAborted(call.signal);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = fork(programFile("engines/qmd/process-guard"), [call.program, ...call.arguments], {
    cwd: call.folder,
    env: call.environment,
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
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
    if (code === 0) return resolve(Buffer.concat(output).toString("utf8"));
    const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
    const said = shorten(tellingPart(Buffer.concat(errors).toString("utf8")));
    end(qmdFailure(`${call.shown} ${how}${said === "" ? "" : `: ${said}`}`));
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

/** Of an error that a program of Node did not expect, what it says, without the source code around it. */
function tellingPart(errors: string): string {
  return /^(?:Uncaught )?[\w.]*Error(?: \[\w+\])?: .*$/m.exec(errors)?.[0] ?? errors;
}

/** A group that has ended already is no error. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself meanwhile, which is what was wanted.
    }
  }
}
