import { availableParallelism } from "node:os";
import { programFile } from "../package-files.ts";
import type { Prepared } from "../sync/prepare.ts";
import type { Crew, Helper } from "../sync/prepare-ahead.ts";
import {
  type NoteBatch,
  type NoteThreadGreeting,
  type NoteThreadSetup,
  type PreparedBatch,
  unpackBatch,
} from "./note-messages.ts";

export interface NoteCrewOptions extends NoteThreadSetup {
  /** See `nameMade`. */
  readonly made: string;
  readonly now: () => Date;
  readonly threads?: number;
  readonly fewestDocuments?: number;
}

/** The thread that stores what the others prepare cannot keep up with more. */
const mostThreads = 3;

/** Threads that read, mask, cut and analyse notes. One core is left to the thread that stores them. */
export function createNoteCrew({
  made,
  now,
  threads,
  fewestDocuments = 300,
  ...setup
}: NoteCrewOptions): Crew {
  return {
    source: "memory",
    fewestDocuments,
    start() {
      const helpers: Helper[] = [];
      const count = threads ?? Math.min(availableParallelism() - 1, mostThreads);
      try {
        for (let number = 0; number < count; number++) helpers.push(startHelper(setup, { made, now }));
      } catch {
        // Node may forbid threads; then the caller prepares alone, which takes longer and gives the same.
      }
      return helpers;
    },
  };
}

function startHelper(setup: NoteThreadSetup, { made, now }: Pick<NoteCrewOptions, "made" | "now">): Helper {
  const waiting: { resolve(prepared: readonly Prepared[]): void; reject(error: Error): void }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  // Loaded by those who need it: most processes never index many notes.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(programFile("memory/note-thread"), { workerData: setup });
  worker.once("message", (greeting: NoteThreadGreeting) => {
    if (greeting.made !== made) fail(new Error("the thread is of another version"));
    // It answers in the order in which it was asked.
    worker.on("message", (answer: PreparedBatch) => waiting.shift()?.resolve(unpackBatch(answer)));
  });
  worker.on("error", fail);
  worker.on("messageerror", fail);
  worker.on("exit", () => fail(new Error("the thread has ended")));
  return {
    prepare(requests) {
      if (failure) return Promise.reject(failure);
      const { promise, resolve, reject } = Promise.withResolvers<readonly Prepared[]>();
      waiting.push({ resolve, reject });
      const batch: NoteBatch = { requests, askedAt: now().getTime() };
      worker.postMessage(batch);
      return promise;
    },
    stop() {
      fail(new Error("the thread was stopped"));
      void worker.terminate();
    },
  };
}
