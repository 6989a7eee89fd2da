import type { MessagePort, Transferable } from "node:worker_threads";
import { programFile } from "./package-files.ts";

/** A module of ours in a thread of its own, which answers in the order in which it is asked. */
export interface ProgramThread<Request, Answer> {
  /** Rejects when the thread cannot start, or has ended. */
  ask(request: Request): Promise<Answer>;
  stop(): void;
}

export interface ThreadOptions {
  /** What the module finds as `workerData`. */
  readonly data: unknown;
  /**
   * What its first message must be: by what it works. A program that has been running since before an update may start a
   * thread of the new version, which could answer otherwise.
   */
  readonly greeting: string;
}

/** The module is named as for `programFile`. Throws where Node forbids threads. */
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
  // Loaded by those who need it: most processes start no thread.
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
 * Within the thread: greets, and answers one request after the other. The next one waits even while the one before waits
 * for something, because the other side tells answers apart by their order. An answer that fails ends the thread.
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

/** This many threads, or one for each core but the caller's and at most three; fewer where Node forbids them. */
export function startThreads<Thread>(start: () => Thread, count?: number): Thread[] {
  const threads: Thread[] = [];
  const { availableParallelism } = process.getBuiltinModule("node:os");
  const most = count ?? Math.min(availableParallelism() - 1, 3);
  try {
    while (threads.length < most) threads.push(start());
  } catch {
    // The caller works alone then, which takes longer and gives the same.
  }
  return threads;
}
