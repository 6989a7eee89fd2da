import { execFile } from "node:child_process";
import { basename, isAbsolute } from "node:path";
import type { HostLocations } from "../config/host-locations.ts";
import { cmdLine } from "../hosts/shell-line.ts";
import { isWithin } from "../paths.ts";

type Probe =
  | { readonly version: string }
  /** Why it could not be run. */
  | { readonly problem: string };

/** Programs answer within a second; this leaves time on a busy machine, but does not wait for one that hangs. */
const maxMs = 20_000;

/** Starts a program as a host would, only to get its version. */
export async function probeProgram(
  [command = "", ...args]: readonly string[],
  { findProgram }: HostLocations,
): Promise<Probe> {
  // By its path: the Windows shell searches the current folder first, which may be a clone from a stranger.
  const file = isAbsolute(command) ? command : findProgram(command)[0];
  if (file === undefined) return notOnPath;
  return await new Promise((resolve) => {
    const words = [...args, "--version"];
    // On Windows npm installs a command file, which only a shell can start.
    const isShell = process.platform === "win32";
    const [program, given] = isShell ? [cmdLine([file, ...words]), []] : [file, words];
    const options = { timeout: maxMs, windowsHide: true, shell: isShell };
    const child = execFile(program, given, options, (error, stdout, stderr) => {
      const version = /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0];
      if (error === null && version !== undefined) resolve({ version });
      else resolve({ problem: child.killed ? tooSlow : problemOf(error, stderr) });
    });
    child.stdin?.end();
  });
}

/**
 * The words that start longhand itself in the command line of a server or a hook; null for any other program. Settings
 * may come with a clone of somebody else's project, so nothing in its folder is started, and nothing but longhand.
 */
export function ownProgram(commandLine: readonly string[] | null, projectDir: string): string[] | null {
  const end = commandLine?.findIndex((word) => word === "mcp" || word === "hook") ?? -1;
  if (commandLine === null || end < 1) return null;
  const words = commandLine.slice(0, end);
  const [command = "", script, ...others] = words;
  const isOutsideProject = (path: string) => isAbsolute(path) && !isWithin(path, projectDir);
  const isFound = command === basename(command) || isOutsideProject(command);
  const name = basename(command).replace(/\.(?:exe|cmd)$/, "");
  const isOwn =
    script === undefined
      ? name === "longhand"
      : name === "node" && /[\\/]cli[\\/]bin\.[jt]s$/.test(script) && isOutsideProject(script);
  return isFound && isOwn && others.length === 0 ? words : null;
}

const notOnPath = { problem: "it is not on the PATH" };

/** Some programs exit without an error when they are killed. */
const tooSlow = `it did not answer within ${maxMs / 1000} seconds`;

function problemOf(error: (Error & { code?: unknown }) | null, stderr: string): string {
  if (error?.code === "ENOENT") return notOnPath.problem;
  if (error?.code === "EACCES") return "it is not executable";
  const lines = stderr.trim().split("\n");
  // Node first prints where in its own code an error was thrown.
  const line = lines.find((each) => /^\w*Error: /.test(each)) ?? lines[0]!;
  return line === "" ? "it does not report its version" : line.slice(0, 300);
}
