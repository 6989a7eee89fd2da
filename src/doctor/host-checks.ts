import { dirname } from "node:path";
import { type HostLocations, locateHosts } from "../config/host-locations.ts";
import { LonghandError } from "../errors.ts";
import { hasUserServer } from "../hosts/claude-user-server.ts";
import { checkHost, type HostCheck } from "../hosts/connect-host.ts";
import { findHookSources, type HookSource } from "../hosts/hook-sources.ts";
import type { HostLocation, HostScope } from "../hosts/host.ts";
import { type HostEntry, type HostName, hostFlags, hostList } from "../hosts/host-list.ts";
import { hostSetup } from "../hosts/hosts.ts";
import { readMemorySlot } from "../hosts/openclaw-setup.ts";
import { realPath } from "../paths.ts";
import { compact } from "../text/compact.ts";
import { type Check, type CheckGroup, fail, pass } from "./check.ts";
import { ownProgram, probeProgram } from "./probe-program.ts";

/** Which agent hosts use this memory, in its own folder or in all projects of the user, and whether they can. */
export const checkHosts: CheckGroup = async ({ settings, version, currentDir }) => {
  if (settings instanceof LonghandError) return [];
  const locations = locateHosts();
  const probing = { version, locations };
  const { workspaceDir } = settings;
  const found = await Promise.all(
    hostList.map(async (host: NamedHost) => {
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
        // A host that was never connected is not listed.
        return checks.some(isThere) ? mergeParts(checks).map((check) => ({ ...check, scope })) : [];
      });
      const sources = findHookSources(host, { projectDir, hostHome });
      if (parts.length === 0 && sources.length === 0) return [];
      const user = { ...location, scope: "user" as const, allowsTools: false };
      const [program, starts, packages] = await Promise.all([
        checkProgram(host, locations),
        Promise.all(
          programsOf(host.name, parts, projectDir).map((program) => program && checkStart(program, probing)),
        ),
        Promise.all(sources.map((source) => checkPackage(host, source, probing))),
      ]);
      return [
        ...parts.flatMap((part, index) => starts[index] ?? describe(host.name, part, parts)),
        ...packages.flat(),
        ...describeSources(host, sources),
        ...(host.name === "claude-code" ? checkUserServer(user, parts, sources) : []),
        ...(host.name === "openclaw" ? checkSlot(user) : []),
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

type NamedHost = HostEntry & { readonly name: HostName };

interface Probing {
  /** The version of this longhand. */
  readonly version: string;
  readonly locations: HostLocations;
}

function isThere({ state }: HostCheck): boolean {
  return state !== "absent";
}

type Part = HostCheck & { readonly scope: HostScope };

/** One line per broken file, however many parts belong in it, and one per plugin with several files. */
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

/** A plugin that the host has installed, which starts longhand by its name. */
async function checkPackage(
  { name, title }: NamedHost,
  { where, scopes }: HookSource,
  probing: Probing,
): Promise<Check[]> {
  if (scopes !== undefined) return [];
  const detail = `${title} has ${where}`;
  return [(await checkStart({ name, detail, words: ["longhand"] }, probing)) ?? pass(name, detail)];
}

/** What to do if the host runs every hook more than once. */
function describeSources({ name, title }: NamedHost, sources: readonly HookSource[]): Check[] {
  if (sources.length < 2) return [];
  const locations = sources.map(({ where }) => where).join(" and from ");
  const removals = sources.map(({ removal }) => removal).join(" or ");
  const detail = `${title} runs longhand from ${locations}; each event is answered once`;
  return [pass(name, detail, `Keep one place. To remove one: ${removals}`)];
}

/** Claude Code itself adds the user's server, once the user has run the command that `init` prints. */
function checkUserServer(
  location: HostLocation,
  parts: readonly Part[],
  sources: readonly HookSource[],
): Check[] {
  const isWanted = parts.some(({ purpose, scope }) => purpose === "hooks" && scope === "user");
  const hasOther =
    parts.some((part) => part.purpose === "MCP server" && isThere(part)) ||
    sources.some(({ scopes }) => scopes === undefined);
  if (!isWanted || hasOther || hasUserServer(location) !== false) return [];
  const [add = ""] = hostSetup("claude-code", location).steps;
  return [pass("claude-code", "Claude Code has no MCP server for longhand, so the agent has no tools", add)];
}

/** OpenClaw loads the plugin only if its memory slot names it. */
function checkSlot(location: HostLocation): Check[] {
  const host = "openclaw";
  const { slot, problem } = readMemorySlot(location);
  if (problem !== null) return [fail(host, problem, "Correct the file; OpenClaw cannot start until then.")];
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
  // A server without hooks is a valid choice.
  return pass(host, detail, state === "connected" ? null : `Add what is missing: ${command}`);
}

/** A program that the host starts, and how to describe it. */
interface Started {
  readonly name: HostName;
  readonly words: readonly string[];
  readonly detail: string;
  /** What else helps if it cannot be started, apart from installing longhand. */
  readonly otherFix?: string;
}

/** The program that each part starts; of several similar ones only the first, so that each fault is reported once. */
function programsOf(name: HostName, parts: readonly Part[], projectDir: string): (Started | null)[] {
  const seen = new Set<string>();
  return parts.map(({ commandLine, detail, scope }) => {
    const words = ownProgram(commandLine, projectDir);
    const key = JSON.stringify([scope, words]);
    if (words === null || seen.has(key)) return null;
    seen.add(key);
    const again = `longhand init --${name}${scope === "user" ? " --user" : ""}`;
    const otherFix = `let the settings call this one: ${again} --remove, then ${again}`;
    return { name, words, detail, otherFix };
  });
}

/** Null if there is nothing to report. */
async function checkStart(
  { name, words, detail, otherFix }: Started,
  { version, locations }: Probing,
): Promise<Check | null> {
  const probe = await probeProgram(words, locations);
  if ("problem" in probe) {
    const install = "Install longhand so that the host finds it, as README.md says";
    return fail(
      name,
      `${detail}, but ${words.join(" ")} cannot be started: ${probe.problem}`,
      `${compact([install, otherFix]).join(", or ")}.`,
    );
  }
  if (probe.version === version) return null;
  return pass(
    name,
    `${detail}; it starts longhand ${probe.version}, and this is ${version}`,
    "Update the other one, or take it off the PATH.",
  );
}

/** The installed version of the host. */
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
    return [
      fail(
        host,
        `${first} cannot be started: ${probe.problem}`,
        `Try ${program} --version. If it fails as well, install ${title} again.`,
      ),
    ];
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

/** Programs that are reachable through several folders of the PATH count once. */
function distinct(files: readonly string[]): string[] {
  return [...new Map(files.toReversed().map((file) => [realPath(file), file])).values()].toReversed();
}

function isOlder(version: string, than: string): boolean {
  const parts = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [ours, theirs] = [parts(version), parts(than)];
  const at = ours.findIndex((part, index) => part !== theirs[index]);
  return at !== -1 && ours[at]! < theirs[at]!;
}
