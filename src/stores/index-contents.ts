import type { SourceName } from "../text/document.ts";

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
