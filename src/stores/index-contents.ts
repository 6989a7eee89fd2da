import type { SourceName } from "../text/document.ts";

/** All that an index holds of one chunk. Long values are digests: they are compared, not read. */
export interface ChunkContents {
  readonly place: string;
  readonly headings: string;
  readonly text: string;
  /** Of every word with its position, as the full-text index has them; empty where `words` tells of them. */
  readonly tokens: string;
  /** Of its vectors; null when it has none of the embedder that was asked for. */
  readonly vectors: string | null;
}

export interface DocumentContents {
  readonly source: SourceName;
  readonly path: string;
  /** What the index knows of the document as a whole, each value with its name. */
  readonly facts: readonly string[];
  readonly chunks: readonly ChunkContents[];
}

/** An index laid open, to be compared with another one of the same notes. */
export interface IndexContents extends AsyncDisposable {
  /** In the order of source and path, by their bytes. */
  documents(): AsyncIterable<DocumentContents>;
  /** The document frequency of each word, for an index that cannot list the words of a chunk. */
  words?(): Promise<ReadonlyMap<string, number> | undefined>;
  /** What belongs to no document, one sentence each; empty in a sound index. */
  strays(): readonly string[];
}
