import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PartialConfig } from "../../src/config/options.ts";
import { finish, type ProgramResult } from "../support/child-process.ts";
import { cliProgram } from "../support/programs.ts";

export type Work =
  | "first-open"
  | "sync"
  | "add"
  | "sessions"
  | "flush"
  | "forget"
  | "consolidate"
  | "search"
  | "watch"
  | "one-note"
  | "random";

/** The instructions for a worker process. */
export interface WorkerJob {
  readonly work: Work;
  readonly workspace: string;
  readonly stateDir: string;
  readonly config?: PartialConfig;
  readonly seed?: number;
  /** Makes names of entries differ between processes. */
  readonly name?: string;
  /** Number of repetitions; unlimited if absent. */
  readonly rounds?: number;
  readonly seconds?: number;
  /** Also watches, like a server. */
  readonly watches?: boolean;
}

export interface Worker {
  readonly child: ChildProcess;
  /** Resolves when longhand has been loaded. */
  readonly ready: Promise<void>;
  begin(job: WorkerJob): void;
  /** What it has acknowledged until now: one JSON value per line. */
  said<T>(): T[];
  /** Resolves when it has printed something more, or has exited. */
  heard(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<ProgramResult>;
  readonly ended: Promise<ProgramResult>;
}

const sourceOf = (name: string): string => join(import.meta.dirname, name);
/** With a compile cache, processes start in half the time. */
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), "longhand-faults-compile-cache") };

export interface ProcessOptions {
  /** Arguments before the command: a program that runs it under other conditions. */
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input stays open; otherwise there is none. */
  readonly keepsInput?: boolean;
}

export function startWorker({ under = [], env = {} }: ProcessOptions = {}): Worker {
  const [program, ...argv] = [...under, process.execPath, sourceOf("worker.ts")];
  const child = spawn(program!, argv, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], TZ: "UTC", ...compileCache, ...env },
  });
  child.stdin!.on("error", () => {});
  let text = "";
  child.stdout!.on("data", (data) => {
    text += data;
  });
  const ended = finish(child);
  // A kill may truncate the last line in the pipe, which says nothing about the note.
  const lines = (): string[] => text.split("\n").slice(0, -1);
  const heard = async (): Promise<void> => {
    await Promise.race([once(child.stdout!, "data"), ended]);
  };
  return {
    child,
    ended,
    heard,
    ready: (async () => {
      while (lines().length === 0 && child.exitCode === null && child.signalCode === null) await heard();
    })(),
    begin: (job) => {
      child.stdin!.write(`${JSON.stringify(job)}\n`);
    },
    said: <T>() =>
      lines()
        .slice(1)
        .map((line) => JSON.parse(line) as T),
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      return await ended;
    },
  };
}

export interface Fixture {
  readonly workspace: string;
  readonly stateDir: string;
}

/** Runs the command line in a workspace, as a user would. */
export function startCli(
  place: Fixture,
  argv: readonly string[],
  options: ProcessOptions = {},
): ChildProcess {
  const { under = [], env = {}, keepsInput = false } = options;
  const [program, ...rest] = [...under, process.execPath, cliProgram, ...argv];
  const child = spawn(program!, rest, {
    cwd: place.workspace,
    env: {
      ...{ PATH: process.env["PATH"], HOME: dirname(place.workspace), TZ: "UTC" },
      ...{ LONGHAND_STATE_DIR: place.stateDir, ...compileCache, ...env },
    },
    stdio: [keepsInput ? "pipe" : "ignore", "pipe", "pipe"],
  });
  return child;
}

export function runCli(
  place: Fixture,
  argv: readonly string[],
  options?: ProcessOptions,
): Promise<ProgramResult> {
  return finish(startCli(place, argv, options));
}
