import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");

/** The command line as it is installed. */
export const builtCommand = join(root, "dist", "cli", "bin.js");

/** Builds the package when it is missing or older than a source file. */
export function ensureBuilt(): void {
  if (existsSync(builtCommand) && statSync(builtCommand).mtimeMs > newestSourceMs()) return;
  console.error("building the package …");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

type BuiltinModel = typeof import("../src/embedders/builtin/builtin-embedder.ts");

/** The builtin model as the package opens it: from files that were prepared at build time. */
export async function openBuiltModel(): ReturnType<BuiltinModel["openBuiltinEmbedder"]> {
  const parts = join(root, "dist", "parts");
  const engine = readdirSync(parts).find((name) => /^engine-.{8}\.js$/.test(name));
  if (engine === undefined) throw new Error(`There is no engine in ${parts}.`);
  const { openBuiltinEmbedder } = (await import(join(parts, engine))) as BuiltinModel;
  return await openBuiltinEmbedder();
}

/** Runs a process; returns the time from start to exit in milliseconds. */
export function runToEndMs(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: "utf8" });
  const ms = performance.now() - began;
  if (status !== 0) throw new Error(`node ${argv.join(" ")} ended with ${status}: ${stderr}`);
  return ms;
}

/** A module of the built package, such as `index.js`. */
export async function importBuilt<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(join(root, "dist", file)).href)) as Module;
}

/** The peak memory of a process in bytes, including its threads. */
export function peakBytesOf(argv: readonly string[], env: NodeJS.ProcessEnv): number {
  const atExit = 'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))';
  const report = ["--import", `data:text/javascript,${encodeURIComponent(atExit)}`];
  const { status, stderr } = spawnSync(process.execPath, [...report, ...argv], { env, encoding: "utf8" });
  const [, kibibytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  if (status !== 0 || kibibytes === undefined)
    throw new Error(`node ${argv.join(" ")} ended with ${status}: ${stderr}`);
  return 1024 * Number(kibibytes);
}

/** The CPU time of a process in milliseconds, user and system, including its threads. */
export function cpuMsOf(
  argv: readonly string[],
  { env, input }: { env: NodeJS.ProcessEnv; input: string },
): number {
  // Node does not report the CPU time of child processes; bash does.
  const timed = ["-c", 'TIMEFORMAT="cpu %3U %3S"; time "$@"', "bash", process.execPath, ...argv];
  const { status, stderr } = spawnSync("bash", timed, { env, input, encoding: "utf8" });
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? [];
  if (status !== 0 || user === undefined)
    throw new Error(`node ${argv.join(" ")} ended with ${status}: ${stderr}`);
  return 1000 * (Number(user) + Number(system));
}

function newestSourceMs(): number {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  return Math.max(...sources.map((name) => statSync(join(root, "src", name)).mtimeMs));
}
