import { findHostPlaces } from "../config/host-places.ts";
import { LonghandError } from "../errors.ts";
import type { ConnectedHost } from "../hosts/connect-host.ts";
import type { HostName, HostSetup, Launch } from "../hosts/host.ts";
import { hostNames, hostSetup } from "../hosts/hosts.ts";
import { programFile } from "../package-files.ts";
import type { GlobalOptions } from "./command.ts";
import type { Paint } from "./output.ts";

/** Which hosts to connect, and how. */
export interface HostChoice {
  readonly claudeCode?: boolean;
  readonly codex?: boolean;
  readonly cursor?: boolean;
  readonly vscode?: boolean;
  readonly user?: boolean;
  readonly print?: boolean;
}

export interface HostRequest {
  readonly globals: GlobalOptions;
  readonly workspace: string;
  readonly currentDir: string;
  /** Somebody said which workspace is meant. */
  readonly isNamed: boolean;
}

export function checkHosts(choice: HostChoice): void {
  if (chosenHosts(choice).length > 0 || (!choice.user && !choice.print)) return;
  throw new LonghandError("usage", `--${choice.user ? "user" : "print"} says nothing without a host.`, {
    hint: `Add ${hostNames.map((name) => `--${name}`).join(", ")}.`,
  });
}

/** What the chosen hosts need, so that they use the memory that is meant. */
export function planHosts(choice: HostChoice, request: HostRequest): HostSetup[] {
  const hosts = chosenHosts(choice);
  if (hosts.length === 0) return [];
  const { home, codexHome, isOnPath } = findHostPlaces();
  const scope = choice.user ? "user" : "project";
  const launch = isOnPath ? { command: "longhand", args: [] } : launchThis();
  const { currentDir: projectDir } = request;
  return hosts.map((name) =>
    hostSetup(name, { scope, projectDir, home, codexHome, launch, options: chosenOptions(scope, request) }),
  );
}

export function describeSetup({ name, files, steps }: HostSetup) {
  return {
    host: name,
    files: files.map(({ path, purpose, snippet }) => ({ path, purpose, snippet })),
    steps,
  };
}

/** For --print: each file and what belongs into it, as text that can be copied. */
export function renderSetups(setups: readonly HostSetup[]): string {
  return setups
    .flatMap(({ title, files, steps }) => [
      ...files.map(({ path, purpose, snippet }) => `# ${title}, ${purpose}: ${path}\n${snippet}`),
      ...steps.map((step) => `# ${step}\n`),
    ])
    .join("\n");
}

export function renderHost({ files }: ConnectedHost, paint: Paint): string {
  return files
    .map(
      ({ path, purpose, state }) =>
        `  ${paint(state === "unchanged" ? "dim" : "green", state)}  ${path} (${purpose})`,
    )
    .join("\n");
}

export function renderSteps(hosts: readonly ConnectedHost[]): string {
  const steps = hosts.flatMap(({ steps }) => steps);
  return steps.length === 0 ? "" : `\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}`;
}

function chosenHosts(choice: HostChoice): HostName[] {
  const isChosen: Readonly<Record<HostName, boolean | undefined>> = {
    "claude-code": choice.claudeCode,
    codex: choice.codex,
    cursor: choice.cursor,
    vscode: choice.vscode,
  };
  return hostNames.filter((name) => isChosen[name]);
}

/**
 * A project finds its own memory from its folder, so nothing is written into shared files that others do not have. A
 * memory elsewhere has to be named, and so has any other choice that was made on this command line.
 */
function chosenOptions(
  scope: "project" | "user",
  { globals, workspace, currentDir, isNamed }: HostRequest,
): string[] {
  const isElsewhere = scope === "user" ? isNamed : workspace !== currentDir;
  return [
    ...(isElsewhere ? ["--workspace", workspace] : []),
    ...(globals.agent === undefined ? [] : ["--agent", globals.agent]),
    ...(globals.config === undefined ? [] : ["--config", globals.config]),
    ...(globals.stateDir === undefined ? [] : ["--state-dir", globals.stateDir]),
  ];
}

/** This very program, by its place on this machine. */
function launchThis(): Launch {
  return { command: process.execPath, args: [programFile("cli/bin")] };
}
