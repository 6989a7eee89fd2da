import { setTimeout as sleep } from "node:timers/promises";
import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import type { EntryIndex } from "../stores/entry-index.ts";
import type { Entry } from "./entry.ts";
import { createEntryVectors, type EntryVectors } from "./entry-vectors.ts";

export interface MeaningParts {
  readonly openIndex: () => Promise<EntryIndex>;
  /** Absent compares by word alone. */
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly mask: (text: string) => string;
  /** How long an answer waits for an embedder that may be slow. */
  readonly waitMs: number;
}

/** Either is there. */
export interface Outcome<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** Comparing entries by meaning, as far as that is possible at the moment. */
export interface Meaning extends AsyncDisposable {
  /** Fails where something must be installed or mended first, because nothing else would tell. */
  open(): Promise<EntryVectors | null>;
  /** What goes wrong with the embedder is told, so that words can answer. */
  ask<T>(
    work: (vectors: EntryVectors, embedder: Embedder) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>>;
  /** Leaves these entries in the index, and no byte of any other; says what may still hold one. */
  purge(left: readonly Entry[]): Promise<readonly string[]>;
}

export function createMeaning({ openIndex, embedder: findEmbedder, mask, waitMs }: MeaningParts): Meaning {
  type Opened = { readonly index: EntryIndex; readonly vectors: EntryVectors; readonly embedder: Embedder };
  let opening: Promise<Opened | null> | undefined;

  async function open(): Promise<Opened | null> {
    opening ??= findEmbedder().then(async (embedder) => {
      if (embedder === undefined) return null;
      const index = await openIndex();
      return { index, embedder, vectors: createEntryVectors({ index, embedder, mask }) };
    });
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return {
    open: async () => (await open())?.vectors ?? null,

    async ask<T>(
      work: (vectors: EntryVectors, embedder: Embedder) => Promise<T>,
      signal: AbortSignal | undefined,
    ) {
      const opened = await open();
      if (opened === null) {
        return { problem: "there is no embedder: entries are compared by their words alone" };
      }
      const { vectors, embedder } = opened;
      const done = work(vectors, embedder).then(
        (value): Outcome<T> => ({ value }),
        (error: unknown): Outcome<T> => {
          if (signal?.aborted || !(error instanceof LonghandError)) throw error;
          return { problem: `entries are compared by their words alone: ${error.message}` };
        },
      );
      return embedder.isSlow ? await orLate(done, `${embedder.provider} did not answer`, waitMs) : await done;
    },

    async purge(left) {
      try {
        const opened = await open();
        if (opened !== null) {
          await opened.vectors.purge(left);
        } else {
          // Without an embedder nobody knows which set is in use; all of them can be made again.
          await using index = await openIndex();
          await index.purge("", []);
        }
        return [];
      } catch (error) {
        // The file does not have it any more, whatever becomes of the index.
        if (!(error instanceof LonghandError)) throw error;
        return [`The index of entries may still hold the text. ${error.message} ${error.hint}`];
      }
    },

    async [Symbol.asyncDispose]() {
      const opened = await opening?.catch(() => null);
      await opened?.index[Symbol.asyncDispose]();
    },
  };
}

async function orLate<T>(done: Promise<Outcome<T>>, what: string, waitMs: number): Promise<Outcome<T>> {
  const waited = new AbortController();
  const late = sleep(waitMs, null, { signal: waited.signal }).then(
    (): Outcome<T> => ({ problem: `${what} within ${waitMs} ms: entries are compared by their words alone` }),
    (): Outcome<T> => ({}),
  );
  // What fails later meets the next call again.
  done.catch(() => {});
  return await Promise.race([done, late]).finally(() => waited.abort());
}
