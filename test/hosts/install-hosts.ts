import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { HostEntry } from "../../src/hosts/host-list.ts";

/** Install scripts that download or link the program of a package; npm is configured not to run any itself. */
const setUpScripts: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-code": "install.cjs",
  "opencode-ai": "postinstall.mjs",
};

/** Without a network, it fails quickly. */
const npmOptions = [
  "--no-audit",
  "--no-fund",
  "--ignore-scripts",
  "--fetch-retries=1",
  "--fetch-timeout=60000",
];

/** Outside the repository: the hosts take gigabytes, and a checkout must not be searched by its own tools. */
function hostCache(): string {
  const { LONGHAND_HOSTS_CACHE, XDG_CACHE_HOME } = process.env;
  return LONGHAND_HOSTS_CACHE || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "longhand-hosts");
}

/** The folder with the host's programs, or why it could not be installed. */
export function installHost({ name, tested }: HostEntry): { bin: string } | { problem: string } {
  if (tested === undefined) return { problem: "no version is pinned" };
  const folder = join(hostCache(), `${name}-${tested.version}`);
  const bin = (root: string) => join(root, "node_modules", ".bin");
  const isDone = join(folder, "installed");
  if (existsSync(isDone)) return { bin: bin(folder) };
  const fresh = `${folder}.${process.pid}.tmp`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
  const wanted = `${tested.package}@${tested.version}`;
  const problem = run(fresh, "npm", ["install", ...npmOptions, wanted]) ?? setUp(fresh, tested.package);
  if (problem !== null) {
    rmSync(fresh, { recursive: true, force: true });
    return { problem };
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  writeFileSync(isDone, "");
  return { bin: bin(folder) };
}

function setUp(folder: string, packageName: string): string | null {
  const script = setUpScripts[packageName];
  if (script === undefined) return null;
  return run(folder, process.execPath, [join("node_modules", packageName, script)]);
}

function run(cwd: string, command: string, args: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 240_000 });
  if (status === 0) return null;
  const reason = error?.message ?? stderr.trim().split("\n").slice(0, 2).join(" ");
  return `${command} ${args[0]} failed: ${reason}`;
}
