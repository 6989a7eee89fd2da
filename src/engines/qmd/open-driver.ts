import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import { createCommandDriver, runQmd } from "./command-driver.ts";
import {
  type CallOptions,
  installCommand,
  type QmdDriver,
  type QmdLocation,
  qmdFailure,
  shorten,
} from "./driver.ts";
import { type FindOptions, findQmd, findVersionProblem } from "./find-qmd.ts";
import { createLibraryDriver } from "./library-process.ts";

export interface DriverOptions extends FindOptions {
  readonly command: string;
  readonly location: QmdLocation;
  readonly environment: Readonly<Record<string, string>>;
}

export interface OpenedDriver extends QmdDriver {
  readonly version: string;
  /** Embeds what is missing, in a separate process: it may take minutes. */
  embed(options: CallOptions): Promise<void>;
}

/** Finds qmd, checks its version, and uses the faster driver that works here. */
export async function openDriver(options: DriverOptions, call: CallOptions): Promise<OpenedDriver> {
  const { command, location, environment, searchPath, besideFolder } = options;
  const qmd = findQmd(command, { searchPath, besideFolder });
  const byCommand = { qmd, location, environment };
  const version = qmd.version ?? shorten(await runQmd(byCommand, ["--version"], call), 60);
  const problem = findVersionProblem(version);
  if (problem !== null) {
    throw qmdFailure(`qmd cannot be used: ${problem}`, { hint: `Update it with: ${installCommand}.` });
  }
  let driver = qmd.packageFolder === null ? createCommandDriver(byCommand) : openLibrary(qmd.packageFolder);

  /** A library that was built for another Node may still work through its command line. */
  function openLibrary(packageFolder: string): QmdDriver {
    return createLibraryDriver({
      library: join(packageFolder, "dist", "index.js"),
      location,
      environment,
      onUnusable: () => {
        driver = createCommandDriver(byCommand);
      },
    });
  }

  async function either<Answer>(work: (by: QmdDriver) => Promise<Answer>): Promise<Answer> {
    const tried = driver;
    try {
      return await work(tried);
    } catch (error) {
      if (driver === tried) throw error;
      return await work(driver);
    }
  }

  return {
    version: /\d+\.\d+\.\d+/.exec(version)![0],
    get way() {
      return driver.way;
    },
    ask: (question, request) => either((by) => by.ask(question, request)),
    update: (request) => either((by) => by.update(request)),
    async embed(request) {
      await runQmd(byCommand, ["embed"], request);
    },
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}

/**
 * Embeds missing texts in the background, one run at a time. A run that takes too long is stopped, and the next one
 * continues there.
 */
export function createEmbeddingRuns({ timeoutMs }: { readonly timeoutMs: number }) {
  let running: Promise<void> | null = null;
  let problem: string | null = null;

  async function run(driver: Pick<OpenedDriver, "embed">, signal: AbortSignal): Promise<void> {
    try {
      await driver.embed({ timeoutMs, signal });
      problem = null;
    } catch (error) {
      problem = signal.aborted ? null : messageOf(error);
    } finally {
      running = null;
    }
  }

  return {
    /** Does nothing during a run. */
    start(driver: Pick<OpenedDriver, "embed">, signal: AbortSignal): void {
      running ??= run(driver, signal);
    },
    async done(): Promise<void> {
      await running;
    },
    /** Why the last run failed. */
    problem: () => problem,
  };
}
