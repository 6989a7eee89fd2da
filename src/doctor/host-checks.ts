import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { type HostLocations, locateHosts } from "../config/host-locations.ts";
import { LonghandError } from "../errors.ts";
import { checkHost, type HostCheck } from "../hosts/connect-host.ts";
import { findHookSources, type HookSource } from "../hosts/hook-sources.ts";
import type { HostLocation, HostScope } from "../hosts/host.ts";
import { type HostEntry, type HostName, hostFlags, hostList } from "../hosts/host-list.ts";
import { hostSetup } from "../hosts/hosts.ts";
import { readMemorySlot } from "../hosts/openclaw-setup.ts";
import { cmdLine } from "../hosts/shell-line.ts";
import { type Check, type CheckGroup, fail, pass } from "./check.ts";

/** Which agent hosts use this memory, in its own folder or in all projects of the user, and whether they can. */
export const checkHosts: CheckGroup = async ({ settings, version, currentDir }) => {
  if (settings instanceof LonghandError) return [];
  const locations = locateHosts();
  const { workspaceDir } = settings;
  const found = await Promise.all(
    hostList.map(async (host: HostEntry & { name: HostName }) => {
      const hostHome = locations.homeOf(host.home);
      const shared = { hostHome, hostFile: locations.fileOf(host.home), launch, options: [] };
      const checksOf = (scope: HostScope, projectDir: string) =>
        checkHost(hostSetup(host.name, { ...shared, projectDir, scope, allowsTools: true }));
      const isConnectedIn = (dir: string) => checksOf("project", dir).some(isThere);
      const projectDir = currentDir !== undefined && isConnectedIn(currentDir) ? currentDir : workspaceDir;
      const location = { ...shared, projectDir };
      const scopes: readonly HostScope[] = host.hasWorkspaces ? ["user"] : ["project", "user"];
      const parts = scopes.flatMap((scope) => {
        const checks = checksOf(scope, projectDir);
        // A host that was never connected is not worth a line.
        return checks.some(isThere) ? mergeParts(checks).map((check) => ({ ...check, scope })) : [];
      });
      const sources = findHookSources(host, { projectDir, hostHome });
      if (parts.length === 0 && sources.length === 0) return [];
      const [program, servers] = await Promise.all([
        checkProgram(host, locations),
        Promise.all(parts.map((part) => checkServer(host.name, part, { version, locations }))),
      ]);
      return [
        ...parts.flatMap((part, index) => servers[index] ?? describe(host.name, part, parts)),
        ...describeSources(host, sources),
        ...checkSlot(host.name, { ...location, scope: "user", allowsTools: false }),
        ...program,
      ];
    }),
  );
  const checks = found.flat();
  if (checks.length > 0) return checks;
  const fix = `Connect one: longhand init ${hostFlags}.`;
  return [pass("hosts", "no agent host is connected to this memory", fix)];
};

const launch = { command: "longhand", args: [] };

function isThere({ state }: HostCheck): boolean {
  return state !== "absent";
}

type Part = HostCheck & { readonly scope: HostScope };

/** One line for a broken file, however much belongs in it, and one for a plugin of several files. */
function mergeParts(checks: readonly HostCheck[]): HostCheck[] {
  const plugin = checks.filter(({ purpose }) => purpose === "plugin");
  const isWhole = plugin.length > 1 && plugin.every(({ state }) => state === "connected");
  const isFirst = (check: HostCheck) =>
    check === checks.find(({ state, path }) => state === check.state && path === check.path);
  return checks
    .filter((check) => check.state !== "unusable" || isFirst(check))
    .filter((check) => !isWhole || check.purpose !== "plugin" || check === plugin[0])
    .map((check) => {
      const { path, detail, purpose } = check;
      const isMerged = isWhole && purpose === "plugin";
      return isMerged ? { ...check, detail: detail.replace(path, () => dirname(path)) } : check;
    });
}

/** Packages that the host has installed, and what to do where it runs every hook more than once. */
function describeSources(
  { name, title }: { readonly name: HostName; readonly title: string },
  sources: readonly HookSource[],
): Check[] {
  const packages = sources.filter(({ scopes }) => scopes === undefined);
  const lines = packages.map(({ where }) => pass(name, `${title} has ${where}`));
  if (sources.length < 2) return lines;
  const locations = sources.map(({ where }) => where).join(" and from ");
  const removals = sources.map(({ removal }) => removal).join(" or ");
  return [
    ...lines,
    pass(
      name,
      `${title} runs longhand from ${locations}; each event is answered once`,
      `Keep one place. To remove one: ${removals}`,
    ),
  ];
}

/** OpenClaw loads the plugin only if its memory slot names it. */
function checkSlot(host: HostName, location: HostLocation): Check[] {
  if (host !== "openclaw") return [];
  const { slot, problem } = readMemorySlot(location);
  if (problem !== null) return [fail(host, problem, "Correct the file; OpenClaw does not start with it.")];
  if (slot === "longhand") return [];
  const now = slot === null ? "is not set" : `is set to ${slot}`;
  const [link = ""] = hostSetup(host, location).steps;
  return [pass(host, `OpenClaw does not use longhand: its memory slot (plugins.slots.memory) ${now}`, link)];
}

function describe(
  host: HostName,
  { state, detail, purpose, scope }: Part,
  all: readonly Part[],
): Check | readonly Check[] {
  const command = `longhand init --${host}${scope === "user" ? " --user" : ""}`;
  if (state === "unusable")
    return fail(host, detail, `Correct the file; ${command} --print shows what belongs in it.`);
  if (purpose === "permissions" && state !== "connected")
    return pass(host, `${detail}: it asks before it uses a tool`, `Allow them: ${command} --allow-tools`);
  const hasPlugin = all.some(
    (part) => part.purpose === "plugin" && part.scope === scope && part.state !== "absent",
  );
  // The plugin starts the server by itself.
  if (purpose === "MCP server" && state === "absent" && hasPlugin) return [];
  // Whoever wants a server without hooks may have it so.
  return pass(host, detail, state === "connected" ? null : `Add what is missing: ${command}`);
}

/** Starts the server's program as the host would; null where the part has none or nothing is to be said of it. */
async function checkServer(
  host: HostName,
  part: Part,
  { version, locations }: { readonly version: string; readonly locations: HostLocations },
): Promise<Check | null> {
  const { commandLine, detail, scope } = part;
  if (commandLine === null) return null;
  const end = commandLine.indexOf("mcp");
  // Through npx or a shell it may be started in many ways, and some would fetch it first.
  if (end < 1 || /\b(?:npx|npm|pnpm|bunx|uvx|docker)(?:\.\w+)?$/.test(commandLine[0]!)) return null;
  const words = commandLine.slice(0, end);
  const probe = await probeProgram(words, locations);
  const shown = words.join(" ");
  const again = `longhand init --${host}${scope === "user" ? " --user" : ""}`;
  if ("problem" in probe) {
    return fail(
      host,
      `${detail}, but ${shown} cannot be started: ${probe.problem}`,
      `Install longhand so that the host finds it, as README.md says, or let the settings call this one: ${again} --remove, then ${again}.`,
    );
  }
  if (probe.version === version) return null;
  return pass(
    host,
    `${detail}; it starts longhand ${probe.version}, and this is ${version}`,
    "Update the other one, or take it off the PATH.",
  );
}

/** Which version of the host there is. */
async function checkProgram(
  { name, title, program, tested }: HostEntry,
  locations: HostLocations,
): Promise<Check[]> {
  if (tested === undefined) return [];
  const host = name as HostName;
  const [first, ...others] = distinct(locations.findProgram(program));
  if (first === undefined) return [pass(host, `${title} itself (${program}) is not on the PATH`)];
  const [probe, ...more] = await Promise.all(
    [first, ...others].map((file) => probeProgram([file], locations)),
  );
  if ("problem" in probe!)
    return [fail(host, `${first} cannot be started: ${probe.problem}`, `Install ${title} again.`)];
  const { version } = probe!;
  const other = more.find((each) => !("problem" in each) && each.version !== version);
  const twice =
    other && "version" in other ? `; there is also ${other.version}, ${others[more.indexOf(other)]}` : "";
  const detail = `${title} ${version} is ${first}${twice}`;
  if (!isOlder(version, tested.version)) return [pass(host, detail)];
  return [
    pass(host, detail, `longhand was tested with ${tested.version}; update if hooks or tools are missing.`),
  ];
}

/** Programs that several folders of the PATH lead to count once. */
function distinct(files: readonly string[]): string[] {
  return [...new Map(files.toReversed().map((file) => [realpathSync(file), file])).values()].toReversed();
}

function isOlder(version: string, than: string): boolean {
  const parts = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [ours, theirs] = [parts(version), parts(than)];
  const at = ours.findIndex((part, index) => part !== theirs[index]);
  return at !== -1 && ours[at]! < theirs[at]!;
}

type Probe =
  | { readonly version: string }
  /** Why it could not be asked. */
  | { readonly problem: string };

/** Programs answer within a second; a machine under load is given time, and what hangs is not waited for. */
const maxMs = 20_000;

/** Starts a program as a host would, only to ask for its version. */
function probeProgram(
  [command = "", ...args]: readonly string[],
  { findProgram }: HostLocations,
): Promise<Probe> {
  return new Promise((resolve) => {
    const words = [...args, "--version"];
    // On Windows npm installs a command file, which only a shell starts.
    const isShell = process.platform === "win32";
    const [program, given] = isShell ? [cmdLine([command, ...words]), []] : [command, words];
    const options = { timeout: maxMs, windowsHide: true, shell: isShell };
    const child = execFile(program, given, options, (error, stdout, stderr) => {
      const version = /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0];
      if (error === null && version !== undefined) resolve({ version });
      // The shell of Windows says that in the user's language.
      else if (isShell && !isAbsolute(command) && findProgram(command).length === 0) resolve(notOnPath);
      else resolve({ problem: problemOf(error, stderr) });
    });
    child.stdin?.end();
  });
}

const notOnPath = { problem: "it is not on the PATH" };

function problemOf(error: (Error & { code?: unknown; killed?: boolean }) | null, stderr: string): string {
  if (error?.code === "ENOENT") return notOnPath.problem;
  if (error?.code === "EACCES") return "it may not be executed";
  if (error?.killed) return `it did not answer within ${maxMs / 1000} seconds`;
  const [line = ""] = stderr.trim().split("\n");
  return line === "" ? "it does not tell its version" : line.slice(0, 300);
}
