import type { ChildProcess } from "node:child_process";
import { adviceForNode, findNode, nodeSearch } from "../config/find-node.ts";
import { nodeVersionProblem } from "../node-version.ts";

/** The grace period of a command; see main.ts. */
const graceMs = 1500;

/**
 * Runs this command line on another Node of this machine and resolves with its exit code, or with a message that says
 * how to install one. Only loaded on an outdated Node, so it costs nothing elsewhere.
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
  // The Windows console sends these to both processes, and forwarding them would terminate the other one immediately.
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

/** The target of the link that npm creates for a command. */
async function packageDirOf(script: string): Promise<string> {
  const [{ realpathSync }, { dirname }] = await Promise.all([import("node:fs"), import("node:path")]);
  return dirname(dirname(dirname(realpathSync(script))));
}
