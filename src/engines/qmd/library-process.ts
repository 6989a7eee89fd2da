import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createChildCalls } from "../../child-calls.ts";
import { throwIfAborted } from "../../errors.ts";
import { programFile } from "../../package-files.ts";
import {
  type CallOptions,
  type FromChild,
  type OpenLibrary,
  type QmdDocument,
  type QmdDriver,
  type QmdLocation,
  qmdFailure,
  shorten,
  type ToChild,
} from "./driver.ts";
import { endGroup, hasGroups } from "./run-program.ts";

export interface LibraryOptions {
  /** The library's module: an absolute path. */
  readonly library: string;
  readonly location: QmdLocation;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called once if the library cannot be loaded or opened here, so that another driver can try. */
  readonly onUnusable: (reason: string) => void;
}

export interface LibraryProcess extends AsyncDisposable {
  call(request: LibraryRequest, options: CallOptions): Promise<readonly QmdDocument[]>;
}

export type LibraryRequest = {
  readonly [Kind in ToChild as Kind["kind"]]: Omit<Kind, "id">;
}[ToChild["kind"]];

/**
 * The qmd library in a long-running process: starting one takes longer than a hundred answers. A crash or a timeout
 * ends the process and fails its pending calls; the next call starts another.
 */
function createLibraryProcess(options: LibraryOptions): LibraryProcess {
  const { library, location, environment, onUnusable } = options;
  const calls = createChildCalls<readonly QmdDocument[]>({ isRunning: (child) => running === child });
  let running: ChildProcess | null = null;
  let isClosed = false;

  function start(): ChildProcess {
    const child = fork(programFile("engines/qmd/child"), [], {
      cwd: location.folder,
      env: environment,
      execArgv: [],
      // Output of native code must not reach the host, whose stdout may be a protocol.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      detached: hasGroups,
      windowsHide: true,
    });
    running = child;
    child.on("message", (message: FromChild) => {
      if (running === child) receive(message);
    });
    child.once("error", (error) => stop(child, `its process failed: ${shorten(error.message)}`));
    child.once("exit", (code, signal) =>
      stop(child, `its process ended with ${signal ?? `exit code ${code}`}`),
    );
    const { configFile, indexFile } = location;
    child.send({ library, configFile, indexFile } satisfies OpenLibrary, () => {});
    return child;
  }

  function receive(message: FromChild): void {
    if (message.kind === "unusable") {
      onUnusable(shorten(message.message));
      fail(`its library cannot be used: ${shorten(message.message)}`);
    } else if (message.kind === "failed") {
      calls.fail(message.id, qmdFailure(shorten(message.message)));
    } else {
      calls.take(message.id, message.documents);
    }
  }

  function stop(child: ChildProcess, why: string): void {
    if (running === child) fail(why);
  }

  /** Ends the process, and fails every pending call. */
  function fail(why: string): void {
    endGroup(running?.pid);
    running = null;
    calls.failAll(qmdFailure(why));
  }

  return {
    async call(request, { timeoutMs, signal }) {
      throwIfAborted(signal);
      if (isClosed) throw qmdFailure("it was closed");
      const child = running ?? start();
      return await calls.begin<readonly QmdDocument[]>(child, {
        deadlineMs: timeoutMs,
        signal,
        ask: (id) => child.send({ ...request, id } as ToChild, () => {}),
        take: (documents, resolve) => resolve(documents),
        onLate: () => fail(`it gave no answer within ${timeoutMs} ms`),
      });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const child = running;
      if (child === null) return;
      child.ref();
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
      fail("it was closed");
      await ended;
    },
  };
}

/** Drives qmd by its library, in two processes: an update blocks for seconds, and a query behind it would time out. */
export function createLibraryDriver(options: LibraryOptions): QmdDriver {
  const asking = createLibraryProcess(options);
  const updating = createLibraryProcess(options);
  return {
    way: "library",
    ask: (question, request) => asking.call({ kind: "ask", question }, request),
    async update(request) {
      await updating.call({ kind: "update" }, request);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([asking[Symbol.asyncDispose](), updating[Symbol.asyncDispose]()]);
    },
  };
}
