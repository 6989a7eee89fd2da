import type { NoteSelection } from "../notes/note-locations.ts";
import { startThread, startThreads } from "../program-thread.ts";
import type { Prepared, PrepareRequest } from "../sync/prepare.ts";
import type { Preparer, WorkerPool } from "../sync/prepare-ahead.ts";
import type { ChunkWords } from "../text/document.ts";

interface NoteWorkerPoolOptions extends NoteThreadSetup {
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

/** What a worker thread needs to prepare notes exactly as the main thread would. */
export interface NoteThreadSetup {
  readonly workspaceDir: string;
  readonly extraPaths: readonly string[];
  readonly include: NoteSelection;
  /** The path pattern of daily notes. */
  readonly daily: string;
  /** Literal secrets to mask. They stay in this process. */
  readonly literals: readonly string[];
  readonly chunking: { readonly tokens: number; readonly overlap: number };
}

/** Identifies how notes are prepared: threads with the same name produce the same result. */
export function preparationId(
  parts: Record<"analyzer" | "chunker" | "mask", { readonly id: string }>,
): string {
  return JSON.stringify([parts.analyzer.id, parts.chunker.id, parts.mask.id]);
}

export interface NoteBatch {
  readonly requests: readonly PrepareRequest[];
  /** In milliseconds; the notes are read after it. */
  readonly askedAt: number;
}

/** The prepared batch. The tokens of all chunks are concatenated; `lengths` has two entries per chunk. */
export interface PreparedBatch {
  readonly outcomes: readonly Prepared[];
  readonly words: Uint8Array<ArrayBuffer>;
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** Restores each chunk's tokens. */
function unpackBatch({ outcomes, words, lengths }: PreparedBatch): readonly Prepared[] {
  let [at, taken] = [0, 0];
  const take = (): Uint8Array => {
    const start = at;
    at += lengths[taken++]!;
    return words.subarray(start, at);
  };
  return outcomes.map((outcome) => {
    if (outcome.kind !== "put") return outcome;
    const { document, chunks } = outcome.indexed;
    const ofChunks = chunks.map((): ChunkWords => ({ body: take(), head: take() }));
    return { kind: "put", indexed: { document, chunks, words: ofChunks } };
  });
}
