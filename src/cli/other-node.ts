import type { ChildProcess } from "node:child_process";
import { adviceForNode, findNode, nodeSearch } from "../config/find-node.ts";
import { nodeVersionProblem } from "../node-version.ts";

/** As long as a command may take to stop; see main.ts. */
const graceMs = 1500;

/**
 * Runs this command line on another Node of this machine and resolves with its exit code, or with the sentence that
 * says how to get one. Only loaded on a Node that is too old, so it costs nothing elsewhere.
 */
export async function runOnOtherNode(argv: readonly string[]): Promise<number | { problem: string }> {
  const script = argv[1] ?? "";
  const search = await nodeSearch(
    (version) => nodeVersionProblem(version) === null,
    await packageDirOf(script),
  );
  const node = findNode(search);
  if (node === null) {
    return { problem: `${nodeVersionProblem(process.versions.node)} Get one with: ${adviceForNode(search)}` };
  }
  const { spawn } = await import("node:child_process");
  const child = spawn(node, argv.slice(1), { stdio: "inherit", windowsHide: true });
  passSignalsOn(child);
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 143)));
  });
}

function passSignalsOn(child: ChildProcess): void {
  // The console of Windows sends these to both processes, and what is sent from here would end the other one at once.
  if (process.platform === "win32") {
    for (const name of ["SIGINT", "SIGBREAK", "SIGHUP"] as const) process.on(name, () => {});
    return;
  }
  const onTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      // A terminal sends Ctrl-C to both processes, and a second one would end the other before it has stopped cleanly.
      if (name === "SIGINT" && onTerminal) setTimeout(() => child.kill(name), graceMs).unref();
      else child.kill(name);
    });
  }
}

/** Behind the link that npm makes for a command. */
async function packageDirOf(script: string): Promise<string> {
  const [{ realpathSync }, { dirname }] = await Promise.all([import("node:fs"), import("node:path")]);
  return dirname(dirname(dirname(realpathSync(script))));
}
