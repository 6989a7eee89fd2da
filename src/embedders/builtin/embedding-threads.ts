import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "../../errors.ts";
import { type ProgramThread, startThread, startThreads } from "../../program-thread.ts";
import type { EmbedDocumentsOptions, TextVectors } from "../embedder.ts";

export interface EmbedThreadSetup {
  readonly folder: string | undefined;
}

/** The vectors of some texts: how many each has, and their numbers, concatenated. */
export interface EmbeddedPiece {
  readonly counts: Int32Array<ArrayBuffer>;
  readonly numbers: Float32Array<ArrayBuffer>;
}

export interface EmbeddingThreads {
  embed(texts: readonly string[], options: EmbedDocumentsOptions): Promise<readonly TextVectors[]>;
  stop(): void;
}

interface EmbeddingThreadsOptions extends EmbedThreadSetup {
  /** The embedder's id; a thread that reports another one is not used. */
  readonly id: string;
  readonly embedHere: (text: string) => TextVectors;
  readonly isClosed?: () => boolean;
  readonly threads?: number;
}

/** About 6 ms of work, after which other tasks can run. */
export const pieceSize = 8;
/** A thread has its next piece in its queue when it is done with one. */
const piecesAtOnce = 2;
/** With fewer texts, starting a thread takes longer than the work. */
const manyTexts = 512;
/** How long idle threads are kept: more work comes either at once or much later. */
const idleMs = 1000;

type EmbedThread = ProgramThread<readonly string[], EmbeddedPiece>;

/** Embeds many texts in this thread and worker threads in parallel, piece by piece. */
export function createEmbeddingThreads(options: EmbeddingThreadsOptions): EmbeddingThreads {
  const { folder, id, embedHere, isClosed = () => false } = options;
  let running: EmbedThread[] | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const start = (): EmbedThread =>
    startThread("embedders/builtin/embed-thread", {
      data: { folder } satisfies EmbedThreadSetup,
      greeting: id,
    });

  const stop = (): void => {
    clearTimeout(idleTimer);
    for (const thread of running ?? []) thread.stop();
    running = undefined;
  };

  return {
    async embed(texts, { signal, onEmbedded }) {
      const done = new Array<TextVectors>(texts.length);
      const report = (index: number, vectors: TextVectors): void => {
        done[index] = vectors;
        onEmbedded?.(index, vectors);
      };
      let next = 0;
      /** Pieces that a thread was given and did not finish. */
      const returned: number[] = [];
      const take = (): number => {
        const first = next;
        next += pieceSize;
        return first;
      };
      const workIn = async (thread: EmbedThread): Promise<void> => {
        while (next < texts.length && !signal?.aborted) {
          const first = take();
          try {
            const some = texts.slice(first, first + pieceSize);
            for (const [index, vectors] of unpackVectors(await thread.ask(some)).entries()) {
              report(first + index, vectors);
            }
          } catch {
            returned.push(first);
            return;
          }
        }
      };
      const workHere = async (): Promise<void> => {
        for (;;) {
          throwIfAborted(signal);
          const first = returned.pop() ?? (next < texts.length ? take() : undefined);
          if (first === undefined) return;
          for (let at = first; at < Math.min(first + pieceSize, texts.length); at++)
            report(at, embedHere(texts[at]!));
          await setImmediate();
        }
      };
      clearTimeout(idleTimer);
      if (texts.length >= manyTexts && !isClosed()) running ??= startThreads(start, options.threads);
      const elsewhere = (running ?? []).flatMap((thread) =>
        Array.from({ length: piecesAtOnce }, () => workIn(thread)),
      );
      try {
        await workHere();
        await Promise.all(elsewhere);
        // Pieces of a thread that ended meanwhile.
        await workHere();
      } finally {
        await Promise.all(elsewhere);
        if (isClosed()) stop();
        else if (running !== undefined) idleTimer = setTimeout(stop, idleMs);
      }
      return done;
    },
    stop,
  };
}

export function packVectors(texts: readonly TextVectors[], dimensions: number): EmbeddedPiece {
  const counts = Int32Array.from(texts, ({ length }) => length);
  const vectors = texts.flat();
  const numbers = new Float32Array(vectors.length * dimensions);
  for (const [index, vector] of vectors.entries()) numbers.set(vector, index * dimensions);
  return { counts, numbers };
}

function unpackVectors({ counts, numbers }: EmbeddedPiece): TextVectors[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const dimensions = total === 0 ? 0 : numbers.length / total;
  let at = 0;
  return Array.from(counts, (count) =>
    Array.from({ length: count }, () => {
      const start = at;
      at += dimensions;
      return numbers.subarray(start, at);
    }),
  );
}
