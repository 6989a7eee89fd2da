import type { SourceName } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";
import { hasVectors, type IndexedVersion, type Store, type StoredChunk } from "./store.ts";

/** Everything an index holds about one chunk. Long values are digests, for comparison only. */
export interface ChunkContents {
  readonly place: string;
  readonly headings: string;
  readonly text: string;
  /** Digest of every token with its position in the full-text index; empty where `words` covers them. */
  readonly tokens: string;
  /** Digest of its vectors; null if it has none of the requested embedder. */
  readonly vectors: string | null;
}

export interface DocumentContents {
  readonly source: SourceName;
  readonly path: string;
  /** What the index records about the document, as `name value`. */
  readonly facts: readonly string[];
  readonly chunks: readonly ChunkContents[];
}

/** The contents of an index, for comparison with another index of the same notes. */
export interface IndexContents extends AsyncDisposable {
  /** Ordered by source and path, as bytes. */
  documents(): AsyncIterable<DocumentContents>;
  /** The document frequency of each token, for an index that cannot list the tokens of a chunk. */
  words?(): Promise<ReadonlyMap<string, number> | undefined>;
  /** Rows that belong to no document, one sentence each; empty in a sound index. */
  strays(): readonly string[];
}

/**
 * The contents of any store, read through its interface. Tokens are counted over all chunks. Vectors are compared by
 * their similarity to a probe: a missing vector, or that of another text, shows.
 */
export function readStoreContents(
  store: Store,
  embedderId: string | undefined,
): Omit<IndexContents, keyof AsyncDisposable> {
  const measure = async (ids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    if (embedderId === undefined || !hasVectors(store)) return new Map();
    const { dims } = await store.vectorStatistics(embedderId);
    return dims === undefined ? new Map() : await store.similarities(embedderId, makeProbe(dims), ids);
  };

  async function* documents(): AsyncGenerator<DocumentContents> {
    const names = (await store.stats()).sources.map(({ source }) => source);
    for (const source of names.sort(compareBytes)) {
      const versions = [...(await store.versions(source))].sort(([left], [right]) =>
        compareBytes(left, right),
      );
      let group: Read[] = [];
      let sizeChunks = 0;
      for (const [path, version] of versions) {
        const chunks = await store.chunksOf(source, path);
        group.push({ source, path, version, chunks });
        sizeChunks += chunks.length;
        if (sizeChunks < measuredAtOnce) continue;
        yield* measured(group);
        group = [];
        sizeChunks = 0;
      }
      yield* measured(group);
    }
  }

  /** The contents of some documents, with one vector query for all. */
  async function* measured(group: readonly Read[]): AsyncGenerator<DocumentContents> {
    const similar = await measure(group.flatMap(({ chunks }) => chunks.map(({ id }) => id)));
    for (const { source, path, version, chunks } of group) {
      yield {
        source,
        path,
        facts: [`hash ${version.hash}`, `chunker ${version.chunker}`, `chunk_count ${chunks.length}`],
        chunks: chunks.map(({ id, lines, headings, text, date, scope }) => ({
          place: `${lines.start}-${lines.end} ${date ?? ""} ${scope}`,
          headings: headings.join(" / "),
          text: sha256(text),
          tokens: "",
          vectors: similar.get(id)?.toFixed(9) ?? null,
        })),
      };
    }
  }

  const words = async (): Promise<ReadonlyMap<string, number>> => {
    const found = (await store.tokensWithPrefix?.("", Number.MAX_SAFE_INTEGER)) ?? [];
    return new Map(found.map(({ token, chunks }) => [token, chunks]));
  };
  return { documents, words, strays: () => [] };
}

/** A document to be compared. */
interface Read {
  readonly source: SourceName;
  readonly path: string;
  readonly version: IndexedVersion;
  readonly chunks: readonly StoredChunk[];
}

/** Chunks per vector query: one query per document would take most of the time. */
const measuredAtOnce = 256;

/** No text has this vector, and all of its numbers differ. */
function makeProbe(dims: number): Float32Array {
  const numbers = Float32Array.from({ length: dims }, (_, index) => Math.sin(1 + index * index));
  const length = Math.hypot(...numbers);
  return numbers.map((each) => each / length);
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
