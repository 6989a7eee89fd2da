import { type Embedder, isRefused } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import type { EntryIndex, EntryRow } from "../stores/entry-index.ts";
import { createTaskQueue } from "../task-queue.ts";
import { sha256 } from "../text/hash.ts";
import { settleWithin } from "../timing.ts";
import type { Entry } from "./entries.ts";

interface EntryVectorsOptions {
  readonly index: EntryIndex;
  readonly embedder: Embedder;
  /** Applied to every text before it is embedded or stored. */
  readonly mask: (text: string) => string;
}

/** Batch size per commit: a cancelled first build resumes where it stopped. */
const textsAtOnce = 256;

type EntryVectors = ReturnType<typeof createEntryVectors>;

/** The vectors of all entries, kept in step with the file. */
function createEntryVectors({ index, embedder, mask }: EntryVectorsOptions) {
  /** Entries that the embedder cannot embed or rejects, so that it is not asked again. */
  const unembeddable = new Set<string>();
  const queue = createTaskQueue();

  /** Entries are the same objects while their file is unchanged. */
  const rows = new WeakMap<Entry, Omit<EntryRow, "vector">>();

  function rowOf(entry: Entry): Omit<EntryRow, "vector"> {
    const made = rows.get(entry);
    if (made) return made;
    const text = mask(entry.text);
    const { id, category, importance, createdAt } = entry;
    const key = sha256(JSON.stringify([id, text, category, importance, createdAt])).slice(0, 32);
    const row = { key, id, text, textHash: sha256(text).slice(0, 32), category, importance, createdAt };
    rows.set(entry, row);
    return row;
  }

  async function embedAll(texts: readonly string[], signal: AbortSignal | undefined) {
    const vectors: (readonly Float32Array[])[] = [];
    for (let at = 0; at < texts.length; at += embedder.maxBatch) {
      const some = texts.slice(at, at + embedder.maxBatch);
      const embedded = await embedder.embedDocuments(some, { signal });
      vectors.push(...embedded.map((text) => (isRefused(text) ? [] : text)));
    }
    return vectors;
  }

  async function syncIndex(entries: readonly Entry[], signal: AbortSignal | undefined): Promise<void> {
    const known = await index.keys(embedder.id);
    const wanted = new Map(entries.map(rowOf).map((row) => [row.key, row]));
    const remove = [...known].filter((key) => !wanted.has(key));
    const missing = [...wanted.values()].filter(({ key }) => !known.has(key) && !unembeddable.has(key));
    if (missing.length === 0 && remove.length === 0) return;
    const hashes = missing.map(({ textHash }) => textHash);
    const kept = new Map<string, readonly Float32Array[]>(
      known.size === 0 ? [] : await index.vectorsOf(embedder.id, hashes),
    );
    for (let at = 0; at === 0 || at < missing.length; at += textsAtOnce) {
      const some = missing.slice(at, at + textsAtOnce);
      const unknown = some.filter(({ textHash }) => !kept.has(textHash));
      const vectors = await embedAll(
        unknown.map(({ text }) => text),
        signal,
      );
      for (const [order, { textHash }] of unknown.entries()) kept.set(textHash, vectors[order]!);
      const add = some.flatMap((row): EntryRow[] => {
        const own = kept.get(row.textHash) ?? [];
        if (own.length === 0) unembeddable.add(row.key);
        return own.map((vector) => ({ ...row, vector }));
      });
      await index.change(embedder.id, { add, remove: at === 0 ? remove : [] });
    }
  }

  return {
    keyOf: (entry: Entry): string => rowOf(entry).key,
    /** How many of these the index has. */
    async count(entries: readonly Entry[]): Promise<number> {
      const known = await index.keys(embedder.id);
      return entries.filter((entry) => known.has(rowOf(entry).key)).length;
    },
    /** By key; see `keyOf`. */
    nearest: (vector: Float32Array, limit: number) => index.nearest(embedder.id, vector, limit),
    /** The first part of a text, as an entry would be embedded. */
    async embed(text: string, signal: AbortSignal | undefined): Promise<Float32Array | null> {
      const [vectors = []] = await embedAll([mask(text)], signal);
      return vectors[0] ?? null;
    },
    /** Syncs the index with these entries. Progress made before a failure or cancellation is kept. */
    catchUp: (entries: readonly Entry[], signal: AbortSignal | undefined): Promise<void> =>
      queue.run(() => syncIndex(entries, signal)),
    /** Keeps only these, and no byte of any other on disk. */
    purge: (left: readonly Entry[]): Promise<void> =>
      index.purge(
        embedder.id,
        left.map((entry) => rowOf(entry).key),
      ),
  };
}

export interface SemanticIndexParts {
  readonly openIndex: () => Promise<EntryIndex>;
  /** Absent for keyword search only. */
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly mask: (text: string) => string;
  /** How long an answer waits for a slow embedder. */
  readonly waitMs: number;
}

/** At least one of the two is set. */
interface Outcome<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** Semantic search over entries, as far as it is available. */
export interface SemanticIndex extends AsyncDisposable {
  /** Throws if something must be installed or repaired first, because nothing else would report it. */
  open(): Promise<EntryVectors | null>;
  /** Embedder failures are returned, so that keyword search can answer. */
  ask<T>(
    work: (vectors: EntryVectors, embedder: Embedder) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>>;
  /** Keeps only these entries in the index, and no byte of any other; reports what may remain. */
  purge(left: readonly Entry[]): Promise<readonly string[]>;
}

export function createSemanticIndex({
  openIndex,
  embedder: findEmbedder,
  mask,
  waitMs,
}: SemanticIndexParts): SemanticIndex {
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
        return { problem: "there is no embedder: entries are found by keyword search only" };
      }
      const { vectors, embedder } = opened;
      const done = work(vectors, embedder).then(
        (value): Outcome<T> => ({ value }),
        (error: unknown): Outcome<T> => {
          if (signal?.aborted || !(error instanceof LonghandError)) throw error;
          return { problem: `entries are found by keyword search only: ${error.message}` };
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
          // Without an embedder the current vectors are unknown; all of them can be rebuilt.
          await using index = await openIndex();
          await index.purge("", []);
        }
        return [];
      } catch (error) {
        // The file no longer has it, whatever happens to the index.
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
  // Later failures recur with the next call.
  const outcome = await settleWithin(waitMs, done);
  return outcome ?? { problem: `${what} within ${waitMs} ms: entries are found by keyword search only` };
}
