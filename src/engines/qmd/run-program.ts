import { spawn } from "node:child_process";
import { throwIfAborted } from "../../errors.ts";
import type { CallOptions } from "./driver.ts";
import { installCommand, qmdFailure, shorten } from "./qmd-failure.ts";

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
const mostOutputBytes = 32 * 1024 * 1024;
const mostErrorBytes = 64 * 1024;

/**
 * Runs a program to its end and gives what it printed. It leads a process group of its own, so that whatever it has
 * started is ended with it when its time is over.
 */
export async function runProgram(call: ProgramCall): Promise<string> {
  throwIfAborted(call.signal);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(call.program, [...call.arguments], {
    cwd: call.folder,
    env: call.environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const end = (error: unknown): void => {
    endGroup(child.pid);
    reject(error);
  };
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let size = 0;
  let errorSize = 0;
  child.stdout.on("data", (bytes: Buffer) => {
    size += bytes.length;
    if (size <= mostOutputBytes) output.push(bytes);
    else end(qmdFailure(`${call.shown} printed more than ${mostOutputBytes} bytes`));
  });
  child.stderr.on("data", (bytes: Buffer) => {
    errorSize += bytes.length;
    if (errorSize <= mostErrorBytes) errors.push(bytes);
  });
  child.once("error", (error: NodeJS.ErrnoException) => {
    const hint = error.code === "ENOENT" ? { hint: `Install it with: ${installCommand}.` } : {};
    end(qmdFailure(`${call.shown} could not be started: ${shorten(error.message)}`, hint));
  });
  child.once("close", (code, signal) => {
    if (code === 0) return resolve(Buffer.concat(output).toString("utf8"));
    const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
    const said = shorten(Buffer.concat(errors).toString("utf8"));
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
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** A group that has ended already is no error. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    try {
      process.kill(pid, "SIGKILL");
    } catch {}
  }
}
