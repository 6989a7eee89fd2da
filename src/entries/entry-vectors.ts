import { type Embedder, isRefused } from "../embedders/embedder.ts";
import type { EntryIndex, EntryRow, NearEntry } from "../stores/entry-index.ts";
import { sha256 } from "../text/hash.ts";
import type { Entry } from "./entry.ts";

export interface EntryVectorsOptions {
  readonly index: EntryIndex;
  readonly embedder: Embedder;
  /** Applied to every text before it is embedded or kept. */
  readonly mask: (text: string) => string;
}

/** The vectors of all entries, kept equal to the file. */
export interface EntryVectors {
  /** Makes the index equal to these entries. What was done until it fails or is cancelled stays. */
  catchUp(entries: readonly Entry[], signal: AbortSignal | undefined): Promise<void>;
  /** By key; see `keyOf`. */
  nearest(vector: Float32Array, limit: number): Promise<readonly NearEntry[]>;
  keyOf(entry: Entry): string;
  /** How many of these the index has. */
  count(entries: readonly Entry[]): Promise<number>;
  /** The first part of a text, as an entry would be embedded. */
  embed(text: string, signal: AbortSignal | undefined): Promise<Float32Array | null>;
  /** Leaves these, and no byte of any other on the disk. */
  purge(left: readonly Entry[]): Promise<void>;
}

/** So much is embedded before it is committed: a first build that is cancelled goes on where it stopped. */
const textsAtOnce = 256;

export function createEntryVectors({ index, embedder, mask }: EntryVectorsOptions): EntryVectors {
  /** Entries that the embedder can make nothing of, or refuses, so that it is not asked again. */
  const without = new Set<string>();
  let turn: Promise<void> = Promise.resolve();

  /** Entries are the same objects while their file is the same. */
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
      const embedded = await embedder.embedDocuments(some, signal ? { signal } : {});
      vectors.push(...embedded.map((text) => (isRefused(text) ? [] : text)));
    }
    return vectors;
  }

  async function makeEqual(entries: readonly Entry[], signal: AbortSignal | undefined): Promise<void> {
    const known = await index.keys(embedder.id);
    const wanted = new Map(entries.map(rowOf).map((row) => [row.key, row]));
    const remove = [...known].filter((key) => !wanted.has(key));
    const missing = [...wanted.values()].filter(({ key }) => !known.has(key) && !without.has(key));
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
        if (own.length === 0) without.add(row.key);
        return own.map((vector) => ({ ...row, vector }));
      });
      await index.change(embedder.id, { add, remove: at === 0 ? remove : [] });
    }
  }

  return {
    keyOf: (entry) => rowOf(entry).key,
    async count(entries) {
      const known = await index.keys(embedder.id);
      return entries.filter((entry) => known.has(rowOf(entry).key)).length;
    },
    nearest: (vector, limit) => index.nearest(embedder.id, vector, limit),
    async embed(text, signal) {
      const [vectors = []] = await embedAll([mask(text)], signal);
      return vectors[0] ?? null;
    },
    catchUp(entries, signal) {
      const run = () => makeEqual(entries, signal);
      const done = turn.then(run, run);
      turn = done.catch(() => {});
      return done;
    },
    purge: (left) =>
      index.purge(
        embedder.id,
        left.map((entry) => rowOf(entry).key),
      ),
  };
}
