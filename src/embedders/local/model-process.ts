import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createChildCalls } from "../../child-calls.ts";
import { LonghandError, throwIfAborted } from "../../errors.ts";
import { programFile } from "../../package-files.ts";
import { localModelUnusable, modelStopped, packageMissing } from "./local-model-error.ts";

export interface ModelProcessOptions {
  /** Absolute path of the model. */
  readonly file: string;
  readonly contextTokens: number;
  readonly packageName: string;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface EmbedRequest {
  /** Served before requests that are not urgent. */
  readonly isUrgent: boolean;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called with each vector as it arrives, in the order of the texts. */
  readonly onVector?: (vector: Float32Array | null) => void;
}

/** A model in a separate process, started by the first call. */
export interface ModelProcess extends AsyncDisposable {
  /** The id of the running process; null before the first call and after it has exited. */
  readonly pid: number | null;
  /** One vector for each text in their order, as the model gives it; null for a text without tokens. */
  embed(texts: readonly string[], request: EmbedRequest): Promise<readonly (Float32Array | null)[]>;
}

/** After this many exits in a row without an answer, the process is not started again. */
const maxFailures = 3;

/**
 * A crash fails the pending calls, and the next call starts a new process. Without pending calls the process does not
 * keep the host alive, and it exits when the host does.
 */
export function createModelProcess({ environment, ...toLoad }: ModelProcessOptions): ModelProcess {
  const { file, packageName } = toLoad;
  const calls = createChildCalls<Float32Array | null>({ isRunning: (child) => running === child });
  let running: ChildProcess | null = null;
  let failures = 0;
  let lastFailure: LonghandError | null = null;
  let isClosed = false;

  function start(): ChildProcess {
    if (lastFailure !== null && failures >= maxFailures) throw lastFailure;
    const child = fork(programFile("embedders/local/child"), [], {
      env: environment,
      execArgv: [],
      // Output of native code must not reach the host, whose stdout may be a protocol.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      windowsHide: true,
    });
    running = child;
    child.on("message", (message: FromModel) => {
      if (running === child) receive(message);
    });
    child.once("error", (error) => stop(child, error.message));
    child.once("exit", (code, signal) => stop(child, signal === null ? `exit code ${code}` : signal));
    send(child, { kind: "load", ...toLoad });
    return child;
  }

  function receive(message: FromModel): void {
    if (message.kind === "unusable") {
      fail(
        message.why === "package-missing"
          ? packageMissing(packageName, new Error(message.message))
          : localModelUnusable(file, `loading it failed: ${shorten(message.message)}`),
      );
      return;
    }
    failures = 0;
    if (message.kind === "embedded") calls.take(message.id, message.vector);
    else calls.fail(message.id, localModelUnusable(file, `embedding failed: ${shorten(message.message)}`));
  }

  function stop(child: ChildProcess, why: string): void {
    if (running !== child) return;
    const times = failures === 0 ? "" : `, ${failures + 1} times in a row`;
    fail(modelStopped(file, `${why}${times}`, failures + 1 >= maxFailures));
  }

  /** Ends the process, and every call that waits for it. */
  function fail(error: LonghandError): void {
    failures++;
    lastFailure = error;
    const child = running;
    running = null;
    child?.kill("SIGKILL");
    calls.failAll(error);
  }

  return {
    get pid() {
      return running?.pid ?? null;
    },
    async embed(texts, { isUrgent, deadlineMs, signal, onVector }) {
      throwIfAborted(signal);
      if (isClosed) throw closed();
      if (texts.length === 0) return [];
      const child = running ?? start();
      const vectors: (Float32Array | null)[] = [];
      return await calls.begin<readonly (Float32Array | null)[]>(child, {
        deadlineMs,
        signal,
        ask: (id) => send(child, { kind: "embed", id, texts, isUrgent }),
        take(vector, resolve) {
          vectors.push(vector);
          onVector?.(vector);
          if (vectors.length === texts.length) resolve(vectors);
        },
        onAbort: (id) => send(child, { kind: "cancel", id }),
        onLate: () => fail(modelStopped(file, `it gave no answer within ${deadlineMs} ms`, false)),
      });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const child = running;
      if (child === null) return;
      running = null;
      calls.failAll(closed());
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const ended = once(child, "exit");
      // The system frees its memory; a polite request could wait minutes for a text.
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function send(child: ChildProcess, message: ToModel): void {
  // A process that has just exited cannot be written to; its exit is reported separately.
  if (child.connected) child.send(message, () => {});
}

function closed(): LonghandError {
  return new LonghandError("aborted", "The local model was closed while it was in use.", {
    hint: "Close the memory when no call is left.",
  });
}

function shorten(message: string): string {
  const line = message.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** What the host says to the process that runs the model. The first message is `load`. */
export type ToModel =
  | {
      readonly kind: "load";
      readonly file: string;
      readonly contextTokens: number;
      readonly packageName: string;
    }
  | {
      readonly kind: "embed";
      readonly id: number;
      readonly texts: readonly string[];
      /** Served before requests that are not urgent. */
      readonly isUrgent: boolean;
    }
  | { readonly kind: "cancel"; readonly id: number };

/** Its answers, one for each text in their order. A text without tokens has no vector. */
export type FromModel =
  | { readonly kind: "embedded"; readonly id: number; readonly vector: Float32Array | null }
  | { readonly kind: "failed"; readonly id: number; readonly message: string }
  /** This process cannot embed anything. */
  | { readonly kind: "unusable"; readonly why: "package-missing" | "load-failed"; readonly message: string };
