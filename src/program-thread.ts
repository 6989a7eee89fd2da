import type { MessagePort, Transferable } from "node:worker_threads";
import { programFile } from "./package-files.ts";

/** One of our modules in a worker thread, which answers requests in order. */
export interface ProgramThread<Request, Answer> {
  /** Rejects if the thread cannot start, or has exited. */
  ask(request: Request): Promise<Answer>;
  stop(): void;
}

export interface ThreadOptions {
  /** Passed to the module as `workerData`. */
  readonly data: unknown;
  /**
   * The expected first message, such as the id of a model: it identifies how the module computes its answers. A process
   * that has been running since before an update may start a thread of the new version, which could answer differently.
   */
  readonly greeting: string;
}

/** The module is named as for `programFile`. Throws if Node forbids threads. */
export function startThread<Request, Answer>(
  module: string,
  { data, greeting }: ThreadOptions,
): ProgramThread<Request, Answer> {
  const waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  // Loaded on demand: most processes start no thread.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(programFile(module), { workerData: data });
  worker.once("message", (first: string) => {
    if (first !== greeting) fail(new Error("the thread is of another version"));
    worker.on("message", (answer: Answer) => waiting.shift()?.resolve(answer));
  });
  worker.on("error", fail);
  worker.on("messageerror", fail);
  worker.on("exit", () => fail(new Error("the thread has ended")));
  return {
    ask(request) {
      if (failure) return Promise.reject(failure);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      waiting.push({ resolve, reject });
      worker.postMessage(request);
      return promise;
    },
    stop() {
      fail(new Error("the thread was stopped"));
      void worker.terminate();
    },
  };
}

/**
 * Runs in the thread: sends the greeting, and answers requests one at a time. A request waits even while the previous
 * one is asynchronous, because the other side matches answers by their order. A failing answer ends the thread.
 */
export function answerInOrder<Request, Answer>(
  port: MessagePort,
  greeting: string,
  answer: (request: Request) => Promise<{ message: Answer; transfer: readonly Transferable[] }>,
): void {
  let last: Promise<void> = Promise.resolve();
  port.on("message", (request: Request) => {
    last = last.then(async () => {
      const { message, transfer } = await answer(request);
      port.postMessage(message, transfer);
    });
  });
  port.postMessage(greeting);
}

/** The given number of threads, or one per core except the caller's, at most three; fewer if Node forbids them. */
export function startThreads<Thread>(start: () => Thread, count?: number): Thread[] {
  const threads: Thread[] = [];
  const { availableParallelism } = process.getBuiltinModule("node:os");
  const most = count ?? Math.min(availableParallelism() - 1, 3);
  try {
    while (threads.length < most) threads.push(start());
  } catch {
    // The caller then works alone, which is slower but gives the same result.
  }
  return threads;
}
