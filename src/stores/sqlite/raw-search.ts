import { spawn } from "node:child_process";
import { once } from "node:events";
import { programFile } from "../../package-files.ts";

/** Which of the needles occur anywhere in the bytes of the files, by their index; or why that is not known. */
export type RawSearch = { readonly found: readonly number[] } | RawSearchProblem;

export interface RawSearchProblem {
  readonly problem: string;
  /** The disk did not give a file that is there; otherwise the search itself failed. */
  readonly isUnreadable?: true;
}

const timeoutMs = 120_000;

/**
 * Searches the bytes of files for texts, in a process of its own: to open the files of a database in a process that
 * has it open would drop SQLite's locks when they are closed. The texts go through a pipe, because anybody can see the
 * arguments of a process.
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
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
