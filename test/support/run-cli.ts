import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { trustWorkspace } from "../../src/memory/workspace-trust.ts";
import { finish, type ProgramResult } from "./child-process.ts";
import { homeVariables } from "./platform.ts";
import { cliProgram } from "./programs.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

export interface CliSetting {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The text on standard input; nothing if absent. */
  readonly input?: string | Uint8Array;
  readonly keepInputOpen?: boolean;
}

/** Runs the command line with a temporary home folder, state folder and project folder. */
export interface CliFixture {
  readonly home: string;
  readonly stateDir: string;
  readonly project: string;
  /** The environment of its processes. */
  readonly env: NodeJS.ProcessEnv;
  /** A command line for a shell. */
  shellLine(...argv: string[]): string;
  /** Writes a file of the project and returns its absolute path. */
  write(name: string, text: string | Uint8Array): string;
  run(...argv: string[]): Promise<ProgramResult>;
  runWith(setting: Partial<CliSetting>, ...argv: string[]): Promise<ProgramResult>;
  /** Adds `--json`; fails if stdout is not exactly one JSON value. */
  json(...argv: string[]): Promise<{ code: number | null; value: unknown; stderr: string }>;
  start(setting: Partial<CliSetting>, ...argv: string[]): ChildProcess;
  /** Trusts the project, like `longhand trust`. */
  trust(): Promise<boolean>;
}

export function openCliFixture(t: TestContext): CliFixture {
  const children: ChildProcess[] = [];
  // Registered before the folder, so that no process writes into it any more when it is removed.
  t.after(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
  });
  const folder = makeTemporaryFolder(t);
  const project = folder.makeFolder("project");
  const home = folder.dir;
  const stateDir = folder.at("state");

  const ownEnv = {
    PATH: process.env["PATH"],
    ...homeVariables(home),
    LONGHAND_STATE_DIR: stateDir,
    TZ: "UTC",
  };

  function start(setting: Partial<CliSetting>, ...argv: string[]): ChildProcess {
    const { cwd = project, env = {}, input, keepInputOpen = false } = setting;
    const child = spawn(process.execPath, [cliProgram, ...argv], {
      cwd,
      env: { ...ownEnv, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    children.push(child);
    // A command that ignores its input may exit before all of it is written.
    child.stdin?.on("error", () => {});
    if (!keepInputOpen) child.stdin?.end(input);
    return child;
  }

  const runWith = (setting: Partial<CliSetting>, ...argv: string[]) => finish(start(setting, ...argv));
  return {
    home,
    stateDir,
    project,
    env: ownEnv,
    shellLine: (...argv) => [process.execPath, cliProgram, ...argv].map((word) => `'${word}'`).join(" "),
    start,
    runWith,
    run: (...argv) => runWith({}, ...argv),
    async json(...argv) {
      const { code, stdout, stderr } = await runWith({}, ...argv, "--json");
      return { code, value: JSON.parse(stdout), stderr };
    },
    write: (name, text) => folder.write(`project/${name}`, text),
    trust: () => trustWorkspace({ recordDir: stateDir, named: [] }, project, new Date()),
  };
}
