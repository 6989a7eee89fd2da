import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";

/** Runs source text as a program in a child process, which is killed when the test ends. */
export function startProgram(t: TestContext, source: string, argv: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", source, "--", ...argv], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits until it exits. */
export async function finish(child: ChildProcess): Promise<ProgramResult> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (data) => {
    stdout += data;
  });
  child.stderr?.on("data", (data) => {
    stderr += data;
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, stdout, stderr };
}

/** Waits until it has printed something. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  const [data] = await once(child.stdout!, "data");
  return String(data);
}

/** Runs some work while a program runs in parallel, after its first output; kills the program when the work is done. */
export async function whileRunning<T>(
  t: TestContext,
  { source, argv }: { source: string; argv: readonly string[] },
  work: () => T | Promise<T>,
): Promise<T> {
  const child = startProgram(t, source, argv);
  const ended = finish(child);
  try {
    await firstOutput(child);
    return await work();
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}
