import { spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "../../errors.ts";
import { programFile } from "../../package-files.ts";

/** The indexes of the needles that occur in the bytes of the files, or why the search failed. */
export type RawSearch = { readonly found: readonly number[] } | RawSearchProblem;

export interface RawSearchProblem {
  readonly problem: string;
  /** A file exists but could not be read; otherwise the search itself failed. */
  readonly isUnreadable?: true;
}

const timeoutMs = 120_000;

/**
 * Searches the bytes of files in a child process: opening the files of a database in a process that uses it would drop
 * SQLite's locks on close. The needles go through a pipe, because any user can see the arguments of a process.
 */
export async function searchRawBytes(
  files: readonly string[],
  needles: readonly string[],
): Promise<RawSearch> {
  if (process.versions["electron"] !== undefined) return { problem: "this host cannot start Node.js" };
  const child = spawn(process.execPath, [programFile("stores/sqlite/raw-search-child")], {
    stdio: ["pipe", "pipe", "ignore"],
    timeout: timeoutMs,
    windowsHide: true,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output += part;
  });
  // A process that did not start, or ended early, shows in its exit code.
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ files, needles }));
  try {
    const [code, signal] = await once(child, "close");
    if (code !== 0) return { problem: `the searching process ended with ${signal ?? code}` };
    return JSON.parse(output) as RawSearch;
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
