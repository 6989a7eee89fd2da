import { fork } from "node:child_process";
import { createChildHost, sendTo } from "../../child-calls.ts";
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

interface LibraryOptions {
  /** The library's module: an absolute path. */
  readonly library: string;
  readonly location: QmdLocation;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called once if the library cannot be loaded or opened here, so that another driver can try. */
  readonly onUnusable: () => void;
}

type LibraryRequest = {
  readonly [Kind in ToChild as Kind["kind"]]: Omit<Kind, "id">;
}[ToChild["kind"]];

/** The qmd library in a long-running process: starting one takes longer than a hundred answers. */
function createLibraryProcess({ library, location, environment, onUnusable }: LibraryOptions) {
  const host = createChildHost<FromChild, readonly QmdDocument[]>({
    start() {
      const child = fork(programFile("engines/qmd/child"), [], {
        cwd: location.folder,
        env: environment,
        execArgv: [],
        // Output of native code must not reach the host, whose stdout may be a protocol.
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        detached: hasGroups,
        windowsHide: true,
      });
      const { configFile, indexFile } = location;
      sendTo(child, { library, configFile, indexFile } satisfies OpenLibrary);
      return child;
    },
    receive(message) {
      if (message.kind === "unusable") {
        onUnusable();
        host.end(qmdFailure(`its library cannot be used: ${shorten(message.message)}`));
      } else if (message.kind === "failed") host.fail(message.id, qmdFailure(shorten(message.message)));
      else host.take(message.id, message.documents);
    },
    onExit: (why) => host.end(qmdFailure(`its process failed: ${shorten(why)}`)),
    kill: ({ pid }) => endGroup(pid),
    closed: () => qmdFailure("it was closed"),
  });

  return {
    call: (request: LibraryRequest, { timeoutMs, signal }: CallOptions) =>
      host.call<readonly QmdDocument[]>({
        deadlineMs: timeoutMs,
        signal,
        ask: (id) => ({ ...request, id }),
        take: (documents, resolve) => resolve(documents),
        onLate: () => host.end(qmdFailure(`it gave no answer within ${timeoutMs} ms`)),
      }),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
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
