import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Memory, OpenMemoryOptions } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import type { ProgramResult } from "../support/child-process.ts";
import { noteTexts } from "../support/index-fixture.ts";
import { type Acknowledged, missingEntries } from "./entries.ts";
import { describeError, type Tally } from "./fault.ts";
import { type ProcessOptions, runCli, startWorker, type Worker, type WorkerJob } from "./processes.ts";

/** A workspace with notes and a state folder, used by several processes and finally by this one. */
export interface FaultFixture {
  readonly workspace: string;
  readonly stateDir: string;
  at(name: string): string;
  write(name: string, text: string | Uint8Array): void;
  open(options?: OpenMemoryOptions): Promise<Memory>;
  use<T>(work: (memory: Memory) => Promise<T>, options?: OpenMemoryOptions): Promise<T>;
  /** A process that has loaded longhand and waits for its job. */
  prepare(): Worker;
  /** A process at work. */
  start(job: Omit<WorkerJob, "workspace" | "stateDir">): Worker;
  cli(argv: readonly string[], options?: ProcessOptions): Promise<ProgramResult>;
  job(job: Omit<WorkerJob, "workspace" | "stateDir">): WorkerJob;
  /** Oracle A: syncs the index and compares it with one that is rebuilt from scratch. */
  compare(tally: Tally, when: string): Promise<void>;
  /** Oracle B: every acknowledged entry is in the notes, and none is torn. */
  checkEntries(tally: Tally, when: string, acknowledged: readonly Acknowledged[]): void;
}

export interface FaultFixtureOptions {
  readonly notes?: number;
  readonly options?: OpenMemoryOptions;
}

export function makeFaultFixture(
  folder: string,
  { notes = 6, options = {} }: FaultFixtureOptions = {},
): FaultFixture {
  const workspace = join(folder, "notes");
  const stateDir = join(folder, "state");
  const at = (name: string): string => join(workspace, name);
  mkdirSync(at("memory"), { recursive: true });
  const write = (name: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries(noteTexts(notes))) write(name, text);

  const open = (more: OpenMemoryOptions = {}) => openMemory({ workspace, stateDir, ...options, ...more });
  async function use<T>(work: (memory: Memory) => Promise<T>, more?: OpenMemoryOptions): Promise<T> {
    await using memory = await open(more);
    return await work(memory);
  }
  const config = typeof options.config === "object" ? { config: options.config } : {};
  const job: FaultFixture["job"] = (wanted) => ({ workspace, stateDir, ...config, ...wanted });

  return {
    workspace,
    stateDir,
    at,
    write,
    open,
    use,
    job,
    prepare: startWorker,
    start(wanted) {
      const worker = startWorker();
      worker.begin(job(wanted));
      return worker;
    },
    cli: (argv, processOptions) => runCli({ workspace, stateDir }, argv, processOptions),
    async compare(tally, when) {
      try {
        const { differences } = await use((memory) => memory.verify());
        const [first] = differences;
        if (first) tally.divergences.push(`${when}: ${first.path ?? "index"}: ${first.detail}`);
      } catch (error) {
        tally.errors.push(`${when}: comparing: ${describeError(error)}`);
      }
    },
    checkEntries(tally, when, acknowledged) {
      const files = readdirSync(workspace, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".md"))
        .map((name): [string, string] => [name, readFileSync(at(name), "utf8")]);
      tally.losses.push(...missingEntries(new Map(files), acknowledged).map((each) => `${when}: ${each}`));
    },
  };
}
