import { existsSync, realpathSync } from "node:fs";
import { type HostLocations, locateHosts } from "../config/host-locations.ts";
import { LonghandError, unlessRefused } from "../errors.ts";
import type { ConnectedHost } from "../hosts/connect-host.ts";
import { findHookSources, type HookSource } from "../hosts/hook-sources.ts";
import type { HostScope, HostSetup, Launch } from "../hosts/host.ts";
import { type HostEntry, type HostName, hostFlags, hostList, hostNames } from "../hosts/host-list.ts";
import { hostSetup } from "../hosts/hosts.ts";
import { programFile } from "../package-files.ts";
import { compact } from "../text/compact.ts";
import type { GlobalOptions } from "./command.ts";
import type { Paint } from "./output.ts";
import { optionKey } from "./parse-command-line.ts";

/** Which hosts to connect, and how. Each host is a flag with its name, such as `claudeCode`. */
export interface HostChoice {
  readonly all?: boolean;
  readonly allowTools?: boolean;
  readonly user?: boolean;
  readonly print?: boolean;
  readonly remove?: boolean;
}

interface HostRequest {
  readonly globals: GlobalOptions;
  readonly workspace: string;
  readonly currentDir: string;
  /** Whether the workspace was given explicitly. */
  readonly isNamed: boolean;
}

/** The named hosts, or those on this machine with `--all`; with `--remove`, all of them. */
export function chosenHosts(choice: HostChoice): HostName[] {
  const flags = choice as Readonly<Record<string, unknown>>;
  const named = hostNames.filter((name) => flags[optionKey(`--${name}`)]);
  if (named.length > 0 && choice.all) {
    throw new LonghandError("usage", `--all and --${named[0]} exclude each other.`, {
      hint: "Use --all for every host on this machine, or name the hosts.",
    });
  }
  if (choice.all) return choice.remove ? [...hostNames] : findHosts();
  const lone = (["user", "print", "remove", "allowTools"] as const).find((key) => choice[key]);
  if (named.length > 0 || lone === undefined) return named;
  throw new LonghandError("usage", `--${lone === "allowTools" ? "allow-tools" : lone} needs a host.`, {
    hint: `Add --all, ${hostFlags}.`,
  });
}

/** None of them would use a memory in the current folder. */
export function hasOwnWorkspaces(hosts: readonly HostName[]): boolean {
  const chosen: HostEntry[] = hostList.filter(({ name }) => hosts.includes(name));
  return chosen.length > 0 && chosen.every(({ hasWorkspaces }) => hasWorkspaces);
}

/** A host is installed if its program is on the PATH or its settings are in the home folder. */
function isHere({ program, home }: HostEntry, locations: HostLocations): boolean {
  return locations.findProgram(program).length > 0 || existsSync(locations.homeOf(home));
}

function findHosts(): HostName[] {
  const locations = locateHosts();
  const found = hostList.filter((host) => isHere(host, locations));
  if (found.length > 0) return found.map(({ name }) => name);
  throw new LonghandError("usage", "No agent host was found on this machine.", {
    hint: `--all looks for ${hostList.map(({ program }) => program).join(", ")} on the PATH and for their settings in your home. Name a host to connect it anyway: ${hostFlags}.`,
  });
}

/** What these hosts need in order to use the selected memory. */
export function planHosts(hosts: readonly HostName[], choice: HostChoice, request: HostRequest): HostSetup[] {
  const locations = locateHosts();
  const scope = choice.user ? "user" : "project";
  const isFoundByName = locations.isOnPath && !(choice.user && needsPath());
  const launch = isFoundByName ? { command: "longhand", args: [] } : launchThis(locations);
  const { currentDir: projectDir } = request;
  return hostList
    .filter(({ name }) => hosts.includes(name))
    .map((host: HostEntry & { name: HostName }) => {
      const location = { projectDir, hostHome: locations.homeOf(host.home) };
      const setup = hostSetup(host.name, {
        ...location,
        hostFile: locations.fileOf(host.home),
        scope,
        launch,
        options: chosenOptions(scope, request),
        // Permissions are removed with the rest.
        allowsTools: (choice.allowTools || choice.remove) ?? false,
      });
      const isMissing = !choice.remove && !isHere(host, locations);
      const missing = `${host.title} was not found on this machine: ${host.program} is not on the PATH. The settings apply once it is installed.`;
      const isByPath = launch.command !== "longhand" && !locations.isOnPath && !host.hasWorkspaces;
      const steps = compact([isMissing && missing, isByPath && byPath, ...setup.steps]);
      return withOtherSources({ ...setup, steps }, otherSources(host, scope, location));
    });
}

const byPath =
  "longhand is not on the PATH, so the settings contain its path on this machine: do not share them.";

/** Other sources from which the host runs longhand's hooks; an agent with its own workspaces has one place for all. */
function otherSources(
  host: HostEntry & { name: HostName },
  scope: HostScope,
  location: Parameters<typeof findHookSources>[1],
): HookSource[] {
  const own = host.hasWorkspaces ? "user" : scope;
  return findHookSources(host, location).filter(({ scopes }) => !scopes?.includes(own));
}

function withOtherSources(setup: HostSetup, others: readonly HookSource[]): HostSetup {
  const { title, steps, stepsAfterRemoval = [] } = setup;
  const twice = others.map(
    ({ where, removal }) =>
      `${title} also runs longhand from ${where}. One place is enough; to remove that one: ${removal}`,
  );
  const left = others.map(
    ({ where, removal }) => `${title} still runs longhand from ${where}. To remove that too: ${removal}`,
  );
  return { ...setup, steps: [...steps, ...twice], stepsAfterRemoval: [...stepsAfterRemoval, ...left] };
}

export function describeSetup({ name, parts, steps }: HostSetup) {
  return {
    host: name,
    files: parts.map(({ path, purpose, snippet }) => ({ path, purpose, snippet })),
    steps,
  };
}

export function describeHost({ host, parts, steps }: ConnectedHost) {
  return { host, files: parts, steps };
}

/** For --print: each file and its content, ready to copy. */
export function renderSetups(setups: readonly HostSetup[]): string {
  return setups
    .flatMap(({ title, parts, copies = [], steps }) => [
      ...parts.map(({ path, purpose, snippet }) => `# ${title}, ${purpose}: ${path}\n${snippet}`),
      ...copies.map(({ path, from }) => `# ${title}, copy of ${from}: ${path}\n`),
      ...steps.map((step) => `# ${step}\n`),
    ])
    .join("\n");
}

/** One line per file; a host that is set up by its own command has none. */
export function renderHosts(hosts: readonly ConnectedHost[], paint: Paint): string[] {
  return hosts
    .flatMap(({ parts }) => parts)
    .map(
      ({ path, purpose, state }) =>
        `  ${paint(state === "unchanged" ? "dim" : "green", state)}  ${path} (${purpose})`,
    );
}

export function renderSteps(hosts: readonly ConnectedHost[]): string {
  // Two hosts may need the same text.
  const steps = [...new Set(hosts.flatMap(({ steps }) => steps))];
  return steps.length === 0 ? "" : `\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}`;
}

/** If a host asks before each tool call, the user may want to know how to answer once and for all. */
export function renderAllowAdvice(hosts: readonly HostName[], choice: HostChoice): string {
  const asking = hostList.filter(({ name, asksBeforeTools }) => asksBeforeTools && hosts.includes(name));
  if (choice.allowTools || asking.length === 0) return "";
  const names = asking.map(({ title }) => title).join(" and ");
  const isOne = asking.length === 1;
  return `\n${names} ${isOne ? "asks" : "ask"} before each use of a memory tool. To allow searching, reading and adding without a question, run the same command with --allow-tools.`;
}

/**
 * A project finds its memory by its folder, so nothing is written into shared files that would not apply to others. A
 * memory elsewhere has to be named, and so does any other option of this command line.
 */
function chosenOptions(scope: HostScope, { globals, workspace, currentDir, isNamed }: HostRequest): string[] {
  const isElsewhere = scope === "user" ? isNamed : workspace !== currentDir;
  return [
    ...(isElsewhere ? ["--workspace", workspace] : []),
    ...(globals.agent === undefined ? [] : ["--agent", globals.agent]),
    ...(globals.config === undefined ? [] : ["--config", globals.config]),
    ...(globals.stateDir === undefined ? [] : ["--state-dir", globals.stateDir]),
  ];
}

/**
 * A host started from the macOS Dock does not have the shell's PATH, and on Windows only a shell can run the command
 * file that npm installs. User settings are not shared, so they may contain an absolute path.
 */
function needsPath(platform: NodeJS.Platform = process.platform): boolean {
  return platform === "darwin" || platform === "win32";
}

/** The absolute path of this program. */
function launchThis({ findProgram }: HostLocations): Launch {
  const hasNode = process.platform === "win32" && findProgram("node").length > 0;
  return {
    command: lastingPath(process.execPath),
    args: [lastingPath(programFile("cli/bin"))],
    ...(hasNode && { shellCommand: "node" }),
  };
}

/**
 * A path to this program that remains valid after an update. Homebrew has a folder for each version, which it removes
 * later, and a link to the current one; Node reports the former.
 */
export function lastingPath(file: string): string {
  const { prefix, formula, rest } =
    /^(?<prefix>.*)\/Cellar\/(?<formula>[^/]+)\/[^/]+\/(?<rest>.+)$/.exec(file)?.groups ?? {};
  if (prefix === undefined) return file;
  const link = `${prefix}/opt/${formula}/${rest}`;
  return unlessRefused(
    () => (realpathSync(link) === realpathSync(file) ? link : file),
    () => file,
  );
}
