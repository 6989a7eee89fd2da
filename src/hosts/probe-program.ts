import { execFile } from "node:child_process";
import { cmdLine } from "./shell-line.ts";

export type Probe =
  | { readonly version: string }
  /** Why it could not be asked. */
  | { readonly problem: string };

/** Programs answer within a second; a machine under load is given time, and what hangs is not waited for. */
const maxMs = 20_000;

/** Starts a program as a host would, only to ask for its version. */
export function probeProgram([command = "", ...args]: readonly string[]): Promise<Probe> {
  return new Promise((resolve) => {
    const words = [...args, "--version"];
    // On Windows npm installs a command file, which only a shell starts.
    const isShell = process.platform === "win32";
    const [program, given] = isShell ? [cmdLine([command, ...words]), []] : [command, words];
    const options = { timeout: maxMs, windowsHide: true, shell: isShell };
    const child = execFile(program, given, options, (error, stdout, stderr) => {
      const version = /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0];
      if (error === null && version !== undefined) resolve({ version });
      else resolve({ problem: problemOf(error, stderr) });
    });
    child.stdin?.end();
  });
}

function problemOf(error: (Error & { code?: unknown; killed?: boolean }) | null, stderr: string): string {
  if (error?.code === "ENOENT") return "it is not on the PATH";
  if (error?.code === "EACCES") return "it may not be executed";
  if (error?.killed) return `it did not answer within ${maxMs / 1000} seconds`;
  const [line = ""] = stderr.trim().split("\n");
  return line === "" ? "it does not tell its version" : line.slice(0, 300);
}
