import { fork } from "node:child_process";
import { createChildHost, sendTo } from "../../child-calls.ts";
import { LonghandError } from "../../errors.ts";
import { programFile } from "../../package-files.ts";
import { excerpt } from "../../text/visible.ts";
import { localModelUnusable, modelStopped, packageMissing } from "./local-model-error.ts";

export interface ModelProcessOptions {
  /** Absolute path of the model. */
  readonly file: string;
  readonly contextTokens: number;
  readonly packageName: string;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
}

interface EmbedRequest {
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

export function createModelProcess({ environment, ...toLoad }: ModelProcessOptions): ModelProcess {
  const { file, packageName } = toLoad;
  let failures = 0;
  let lastFailure: LonghandError | null = null;

  const host = createChildHost<FromModel, Float32Array | null>({
    start() {
      if (lastFailure !== null && failures >= maxFailures) throw lastFailure;
      const child = fork(programFile("embedders/local/child"), [], {
        env: environment,
        execArgv: [],
        // Output of native code must not reach the host, whose stdout may be a protocol.
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        serialization: "advanced",
        windowsHide: true,
      });
      sendTo(child, { kind: "load", ...toLoad } satisfies ToModel);
      return child;
    },
    receive(message) {
      if (message.kind === "unusable") {
        fail(
          message.why === "package-missing"
            ? packageMissing(packageName, new Error(message.message))
            : localModelUnusable(file, `loading it failed: ${shorten(message.message)}`),
        );
        return;
      }
      failures = 0;
      if (message.kind === "embedded") host.take(message.id, message.vector);
      else host.fail(message.id, localModelUnusable(file, `embedding failed: ${shorten(message.message)}`));
    },
    onExit(why) {
      const times = failures === 0 ? "" : `, ${failures + 1} times in a row`;
      fail(modelStopped(file, `${why}${times}`, failures + 1 >= maxFailures));
    },
    // The system frees its memory; a polite request could wait minutes for a text.
    kill: (child) => child.kill("SIGKILL"),
    closed: () =>
      new LonghandError("aborted", "The local model was closed while it was in use.", {
        hint: "Close the memory when no call is left.",
      }),
  });

  function fail(error: LonghandError): void {
    failures++;
    lastFailure = error;
    host.end(error);
  }

  return {
    get pid() {
      return host.pid;
    },
    async embed(texts, { isUrgent, deadlineMs, signal, onVector }) {
      if (texts.length === 0) return [];
      const vectors: (Float32Array | null)[] = [];
      return await host.call<readonly (Float32Array | null)[]>({
        deadlineMs,
        signal,
        ask: (id): ToModel => ({ kind: "embed", id, texts, isUrgent }),
        take(vector, resolve) {
          vectors.push(vector);
          onVector?.(vector);
          if (vectors.length === texts.length) resolve(vectors);
        },
        cancel: (id): ToModel => ({ kind: "cancel", id }),
        onLate: () => fail(modelStopped(file, `it gave no answer within ${deadlineMs} ms`, false)),
      });
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

function shorten(message: string): string {
  return excerpt(message).replace(/\.$/, "");
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
