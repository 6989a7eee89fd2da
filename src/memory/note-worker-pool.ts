import { startThread, startThreads } from "../program-thread.ts";
import type { Preparer, WorkerPool } from "../sync/prepare-ahead.ts";
import { type NoteBatch, type NoteThreadSetup, type PreparedBatch, unpackBatch } from "./note-messages.ts";

export interface NoteWorkerPoolOptions extends NoteThreadSetup {
  /** See `preparationId`. */
  readonly made: string;
  readonly now: () => Date;
  readonly threads?: number;
  readonly minDocuments?: number;
}

/** A pool of threads that read, mask, chunk and analyze notes while the caller stores them. */
export function createNoteWorkerPool({
  made,
  now,
  threads,
  minDocuments = 300,
  ...setup
}: NoteWorkerPoolOptions): WorkerPool {
  const startPreparer = (): Preparer => {
    const thread = startThread<NoteBatch, PreparedBatch>("memory/note-thread", {
      data: setup,
      greeting: made,
    });
    return {
      prepare: async (requests) => unpackBatch(await thread.ask({ requests, askedAt: now().getTime() })),
      stop: thread.stop,
    };
  };
  return { source: "memory", minDocuments, start: () => startThreads(startPreparer, threads) };
}
