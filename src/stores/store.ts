import { LonghandError } from "../errors.ts";
import type { Chunk, ChunkWords, DocumentHead, LineRange, Scope, SourceName } from "../text/document.ts";
import type { StoreVectors } from "./store-vectors.ts";

/** Identifies a document. */
export interface DocumentName {
  readonly source: SourceName;
  readonly path: string;
}

/**
 * A state of the documents of an index, opaque. A writer takes it before it reads a file, and passes it to the write:
 * so it can never store older content over newer, however long it took in between.
 */
export type DocumentState = string;

export interface WriteOptions {
  /** Refuses every document that was written or removed after this state. Absent: nothing is refused. */
  readonly asOf?: DocumentState | undefined;
}

/** The stored version of a document; a sync compares it with a listing. */
export interface IndexedVersion {
  readonly version: string;
  readonly hash: string;
  /** Id of the chunker that split it. */
  readonly chunker: string;
}

/**
 * A document with its chunks. One that continues an earlier version (`document.part.follows`) replaces only the chunks
 * from `openLine` on. It is refused if the store does not hold exactly that version, whatever `asOf` says: the part
 * before would not be what it continues.
 */
export interface IndexedDocument {
  readonly document: DocumentHead;
  readonly chunks: readonly Chunk[];
  /**
   * The tokens of each chunk. Always present for a store of another package. Our own stores are given the analyzer, and
   * analyze chunks themselves if they are absent.
   */
  readonly words?: readonly ChunkWords[];
}

/** Restricts a search to some chunks. An absent field does not filter. */
export interface ChunkFilter {
  readonly source?: SourceName;
  /** Dates are `YYYY-MM-DD`, inclusive; an undated document never matches a date filter. */
  readonly since?: string;
  readonly until?: string;
  /** A glob on the whole path. */
  readonly pathGlob?: string;
  /** Only these paths; none if the list is empty. */
  readonly paths?: readonly string[];
  /** Leaves out private documents. */
  readonly sharedOnly?: boolean;
}

export interface StoredChunk {
  readonly id: number;
  readonly path: string;
  readonly source: SourceName;
  readonly lines: LineRange;
  readonly headings: readonly string[];
  readonly text: string;
  readonly date?: string;
  readonly scope: Scope;
}

export interface StoreStatistics {
  readonly files: number;
  readonly chunks: number;
  readonly sources: readonly { source: SourceName; files: number; chunks: number }[];
  readonly sizeBytes: number;
  /** Why the index cannot be written at present; absent if it can, or if no write was tried. */
  readonly readOnly?: string;
  /** Damaged indexes that this handle has quarantined; their replacement started empty. Absent: none. */
  readonly quarantined?: readonly { readonly reason: string; readonly movedTo: string }[];
  /** Absent means that keyword search is available. */
  readonly keyword?: { readonly available: boolean; readonly error?: string };
}

/** A document in the index, without its text. */
export interface DocumentSummary {
  readonly source: SourceName;
  readonly path: string;
  readonly date?: string;
  readonly chunks: number;
}

export interface StoreDescription {
  readonly sizes: {
    readonly databaseBytes: number;
    /** Written, but not yet in the database file. */
    readonly walBytes: number;
    /** Of these, vectors for search and cached vectors. */
    readonly vectorBytes: number;
    readonly cacheBytes: number;
  };
  /** How the index was built: analyzer, chunker, provider, … */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Problems that the store cannot detect itself. */
export interface RepairOptions {
  readonly words?: "rebuild";
  readonly vectors?: "drop";
}

export interface PurgeReport {
  /** Cached vectors that were deleted. */
  readonly cacheEntries: number;
  /**
   * Lines of other chunks that contain a line of the texts, of notes and transcripts, at most 100. They are not
   * changed.
   */
  readonly stillIn: readonly { readonly path: string; readonly line: number }[];
  /** Other files of the index that contained old text and were deleted. */
  readonly deletedFiles: readonly string[];
  /** The result of a search for the texts and their tokens in the raw bytes of the index. */
  readonly rawSearch: "not-found" | "found" | "not-searched" | "not-possible" | "too-short";
  /** Why it was not or cannot be searched, what was found, or what was searched for if that was not everything. */
  readonly detail?: string;
  /** What to do if more may be left; absent if deleting and rebuilding the index is the way. */
  readonly advice?: string;
}

export interface PurgeRequest {
  readonly texts: readonly string[];
  /** The texts are unknown: everything that could contain them is rewritten. */
  readonly rewrite?: boolean | undefined;
}

/**
 * The derived index: everything in it can be rebuilt from the sources. Documents and keyword search are required;
 * vectors (`VectorStore`) and maintenance are optional, and each member says what is missing without it. Other packages
 * can provide a store (`openMemory({ store })`, docs/extending.md), and `storeContract` of `longhand/testing` tests it.
 */
export interface Store extends StoreDocuments, StoreWords, StoreMaintenance, AsyncDisposable {
  /** The version of this interface that the store was written against. */
  readonly specificationVersion: 1;
}

/** A store with vectors. Without them, search is by keywords alone. */
export interface VectorStore extends Store, StoreVectors {}

/** A store with every capability, like our own. */
export type FullStore = Required<Omit<VectorStore, "groupBytes">> & Pick<VectorStore, "groupBytes">;

/** For work that needs an embedder, which a store without vectors never gets. */
export function requireVectors(store: Store): VectorStore {
  if (hasVectors(store)) return store;
  throw new LonghandError("not-supported", "Could not use vectors: the store keeps none.", {
    hint: 'Open the memory with provider: "none", or with a store that implements VectorStore.',
  });
}

export function hasVectors(store: Store): store is VectorStore {
  return typeof (store as Partial<StoreVectors>).byVector === "function";
}

/** The documents of an index, their chunks, and its metadata. */
export interface StoreDocuments {
  /** The current state of the documents. Cheap. Absent: only one process may write to the store at a time. */
  documentState?(): Promise<DocumentState>;
  /** Of all documents of a source, or of those at `paths`. */
  versions(
    source: SourceName,
    options?: { readonly paths?: readonly string[] },
  ): Promise<ReadonlyMap<string, IndexedVersion>>;
  /**
   * Each document replaces its earlier version atomically: a reader sees the old or the new, never a mix. Returns those
   * that were refused; the others are stored. `chunkerId` identifies the chunker, and is stored with each document.
   */
  put(
    documents: readonly IndexedDocument[],
    chunkerId: string,
    options?: WriteOptions,
  ): Promise<readonly DocumentName[]>;
  /** The preferred amount of text per `put`. Absent: two megabytes, so that other writers do not wait long. */
  readonly groupBytes?: number;
  /**
   * Same content under a new version: only the version changes. Returns the paths that were refused; with `asOf` also
   * those that no longer exist.
   */
  touch(
    source: SourceName,
    versions: ReadonlyMap<string, string>,
    options?: WriteOptions,
  ): Promise<readonly string[]>;
  /**
   * Returns the paths that were refused. A missing path is not refused. Without `asOf` nothing is refused, and a writer
   * that saw one of them, or its absence, is refused afterwards.
   */
  remove(source: SourceName, paths: readonly string[], options?: WriteOptions): Promise<readonly string[]>;
  /** In the order of the ids; missing ones are left out. */
  chunks(ids: readonly number[]): Promise<StoredChunk[]>;
  /** The chunks of one document in order of lines: all, or those that begin at or after `fromLine`. */
  chunksOf(source: SourceName, path: string, options?: { fromLine?: number }): Promise<StoredChunk[]>;
  stats(): Promise<StoreStatistics>;
  /** Small values that outlive a process (last sync, …). */
  readFact(key: string): Promise<string | null>;
  writeFact(key: string, value: string): Promise<void>;
}

/** Keyword search. Documents and queries are tokenized by the `Analyzer` of `longhand/stores`. */
export interface StoreWords {
  /**
   * Ids of chunks with any of the tokens, at most `limit`; if there are more, the better ones: those with more and with
   * rarer tokens. A preselection: `search/` scores them, so their order does not matter.
   */
  byKeyword(tokens: readonly string[], options: { limit: number; filter?: ChunkFilter }): Promise<number[]>;
  /** The number of chunks that contain each token; 0 if none does. */
  documentFrequencies(tokens: readonly string[]): Promise<Map<string, number>>;
  /**
   * Tokens of the index that begin with `prefix`, with their document frequencies, at most `limit`. Absent: misspelt
   * words and parts of words are not found.
   */
  tokensWithPrefix?(prefix: string, limit: number): Promise<{ token: string; chunks: number }[]>;
}

/** Optional maintenance. */
export interface StoreMaintenance {
  /**
   * Leaves no trace of texts whose documents have been removed or put again without them: tokens, cached vectors, free
   * space, logs, copies. Absent: `forget` reports that traces may be left.
   */
  purge?(request: PurgeRequest): Promise<PurgeReport>;
  /** All documents, in order of source and path. Absent: `listIndexed` returns null. */
  documents?(): Promise<readonly DocumentSummary[]>;
  /**
   * Changes whenever any process has written. For this handle only, and cheap. Absent: a watcher lists the sources more
   * often.
   */
  revision?(): Promise<string>;
  /** More details than `stats`; may read the whole index. Absent: sizes are 0. */
  describe?(): Promise<StoreDescription>;
  /**
   * Checks the whole index and repairs what it can; reports what was done, a sentence each. The next sync adds what is
   * then missing. It may block other work for long. Absent: documents are put again.
   */
  repair?(options?: RepairOptions): Promise<readonly string[]>;
}
