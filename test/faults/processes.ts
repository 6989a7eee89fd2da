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
  /** Works so often; for ever when it is left out. */
  readonly rounds?: number;
  readonly seconds?: number;
  /** Keeps the index fresh besides, as a serving process does. */
  readonly watches?: boolean;
}

export interface Worker {
  readonly child: ChildProcess;
  /** Resolves when longhand is loaded. */
  readonly ready: Promise<void>;
  begin(job: WorkerJob): void;
  /** What it has acknowledged until now: one JSON value a line. */
  said<T>(): T[];
  /** Resolves when it has said something more, or has ended. */
  heard(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<ProgramResult>;
  readonly ended: Promise<ProgramResult>;
}

const sourceOf = (name: string): string => join(import.meta.dirname, name);
/** Processes begin in half the time when what Node made of the sources is kept. */
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), "longhand-faults-compile-cache") };

export interface ProcessOptions {
  /** Words before the command: a program that runs it under other conditions. */
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
  // The last line may be cut by a kill: the pipe, not the note.
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

/** The command line in a place, as a person would start it there. */
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
