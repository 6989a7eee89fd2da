import { LonghandError } from "../errors.ts";
import type { Chunk, ChunkWords, DocumentHead, LineRange, Scope, SourceName } from "../text/document.ts";

/** Names a document. */
export interface DocumentName {
  readonly source: SourceName;
  readonly path: string;
}

/**
 * A state of the documents of an index, opaque. A writer takes it before it looks at a file, and gives it to the write:
 * so it can never store older content over newer, however long it took in between.
 */
export type DocumentState = string;

export interface WriteOptions {
  /** Refuses every document that was written or removed after this state. Absent: nothing is refused. */
  readonly asOf?: DocumentState | undefined;
}

/** What the store knows of one document; the difference to a listing is the work of a sync. */
export interface IndexedVersion {
  readonly version: string;
  readonly hash: string;
  /** Id of the chunker that cut it. */
  readonly chunker: string;
}

/**
 * A document with its chunks. One that follows an earlier version (`document.part.follows`) replaces only the chunks
 * from `openLine` on. It is refused when the store does not hold that very version, whatever `asOf` says: the part
 * before would not be what it continues.
 */
export interface IndexedDocument {
  readonly document: DocumentHead;
  readonly chunks: readonly Chunk[];
  /**
   * The tokens of each chunk. Always there for a store that a program brings. One of our own is given the analyser, and
   * makes them itself where they are absent.
   */
  readonly words?: readonly ChunkWords[];
}

/** Narrows a search to some chunks. An absent field does not filter. */
export interface ChunkFilter {
  readonly source?: SourceName;
  /** Dates are `YYYY-MM-DD`, inclusive; an undated document never passes a date filter. */
  readonly since?: string;
  readonly until?: string;
  /** A glob on the whole path. */
  readonly pathGlob?: string;
  /** Only these paths; none of them when the list is empty. */
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
  /** Why nothing can be written at present; absent when it can, or when no write was tried. */
  readonly readOnly?: string;
  /** Damaged indexes that this handle has quarantined: what it holds now was empty then. Absent: none. */
  readonly quarantined?: readonly { readonly reason: string; readonly movedTo: string }[];
  /** Absent means that words can be searched. */
  readonly keyword?: { readonly available: boolean; readonly error?: string };
}

/** A document as the index holds it, without its text. */
export interface DocumentSummary {
  readonly source: SourceName;
  readonly path: string;
  readonly date?: string;
  readonly chunks: number;
}

/**
 * Names an embedder, as an `Embedder` does. Vectors belong to an id and are never compared with those of another; the
 * other three are for people who look inside.
 */
export interface EmbedderIdentity {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly providerKey?: string;
}

export interface StoreDescription {
  readonly sizes: {
    readonly databaseBytes: number;
    /** What was written last and is not in the database file yet. */
    readonly walBytes: number;
    /** Of these, vectors to compare and vectors to keep. */
    readonly vectorBytes: number;
    readonly cacheBytes: number;
  };
  /** How the index was made: analyser, chunker, provider, … */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What is known to be wrong, though it looks sound. */
export interface RepairOptions {
  readonly words?: "rebuild";
  readonly vectors?: "drop";
}

/** A text that an embedder has not seen yet. Equal texts have equal hashes and are asked for once. */
export interface MissingText {
  readonly hash: string;
  readonly text: string;
}

/** Narrows a question about texts, by their hashes. An absent field does not. */
export interface NarrowTexts {
  readonly except?: ReadonlySet<string>;
  readonly only?: readonly string[];
}

/** All vectors of one text. An empty list marks a text that holds nothing to embed. */
export interface VectorEntry {
  readonly hash: string;
  readonly vectors: readonly Float32Array[];
}

export interface VectorCandidates {
  /** Best first. A similarity is a cosine, −1..1; an estimate for texts with several vectors, which are kept coarsely. */
  readonly candidates: readonly { readonly id: number; readonly similarity: number }[];
  /**
   * The similarity of an ordinary chunk of the whole index (in a large one, of a sample), to measure others by. An
   * estimate.
   */
  readonly median: number;
}

/** What an embedder was asked for. */
export interface EmbedderUsage {
  readonly requests: number;
  readonly tokens: number;
  readonly texts: number;
  /** Null when it is not known of some of it. */
  readonly costUsd: number | null;
}

export interface VectorStatistics {
  /** Texts that the embedder has dealt with, and those that it has not. */
  readonly texts: number;
  readonly missing: number;
  /** About how many tokens the missing ones have, rather too many than too few. */
  readonly missingTokens: number;
  /** Absent while there is no vector. */
  readonly dims?: number;
  readonly sizeBytes: number;
  /** Since the index was made, also for texts that have gone. */
  readonly usage: EmbedderUsage;
  /** Texts in the cache of vectors, of all embedders. */
  readonly cacheEntries: number;
  /** How vectors are searched: by our own code, or by an extension of the database. */
  readonly path: "builtin" | "sqlite-vec" | "pgvector";
  /** Why the extension that the settings name, or that the database could have, is not used. */
  readonly loadError?: string;
}

/** The vectors of one embedder. */
export interface VectorSet {
  readonly id: string;
  readonly provider: string;
  /** Chunks that have none of them. */
  readonly missing: number;
}

export interface PurgeReport {
  /** Cached vectors that were deleted. */
  readonly cacheEntries: number;
  /** Lines of other chunks that hold a line of the texts, of notes and transcripts, at most 100. They are not touched. */
  readonly stillIn: readonly { readonly path: string; readonly line: number }[];
  /** Other files of the index that held old text and were deleted. */
  readonly deletedFiles: readonly string[];
  /** What a search for the texts and their words in the raw bytes of the index gave. */
  readonly rawSearch: "not-found" | "found" | "not-searched" | "not-possible" | "too-short";
  /** Why it was not searched or cannot be, what was found, or what was looked for when that was not everything. */
  readonly detail?: string;
  /** What to do where more may be left; absent where deleting the index and building it again is the way. */
  readonly advice?: string;
}

export interface PurgeRequest {
  readonly texts: readonly string[];
  /** The texts are not known any more: everything that could hold them is rewritten. */
  readonly rewrite?: boolean | undefined;
}

/**
 * The derived index: everything in it can be rebuilt from the sources. Documents and words are required; vectors
 * (`VectorStore`) and maintenance are optional, and each member says what is missing without it. Programs may bring a store
 * of their own (`openMemory({ store })`, docs/extending.md), and `storeContract` of `longhand/testing` tests it.
 */
export interface Store extends StoreDocuments, StoreWords, StoreMaintenance, AsyncDisposable {
  /** The version of this interface that the store was written against. */
  readonly specificationVersion: 1;
}

/** A store that keeps vectors, too. Without them, search is by keywords alone. */
export interface VectorStore extends Store, StoreVectors {}

/** A store with every capability, as our own are. */
export type FullStore = Required<Omit<VectorStore, "groupBytes">> & Pick<VectorStore, "groupBytes">;

/** For work that is done only where there is an embedder, which a store without vectors never gets. */
export function requireVectors(store: Store): VectorStore {
  if (hasVectors(store)) return store;
  throw new LonghandError("not-supported", "Could not use vectors: the store keeps none.", {
    hint: 'Open the memory with provider: "none", or with a store that implements VectorStore.',
  });
}

export function hasVectors(store: Store): store is VectorStore {
  return typeof (store as Partial<StoreVectors>).byVector === "function";
}

/** The documents of an index, their chunks, and small facts about it. */
export interface StoreDocuments {
  /** The state that the documents are in now. Cheap. Absent: only one process may write to the store at a time. */
  documentState?(): Promise<DocumentState>;
  /** Of all documents of a source, or of those at `paths`. */
  versions(
    source: SourceName,
    options?: { readonly paths?: readonly string[] },
  ): Promise<ReadonlyMap<string, IndexedVersion>>;
  /**
   * Each document replaces its earlier self at once: a reader sees the old or the new, never a mix. Returns those that
   * were refused; the others are stored. `chunkerId` names what made the chunks, and is kept with each document.
   */
  put(
    documents: readonly IndexedDocument[],
    chunkerId: string,
    options?: WriteOptions,
  ): Promise<readonly DocumentName[]>;
  /** How much text `put` is best given at once. Absent: two megabytes, so that other writers do not wait long. */
  readonly groupBytes?: number;
  /**
   * Same content under a new version: nothing but the version changes. Returns the paths that were refused; with `asOf`
   * also those that are not there any more.
   */
  touch(
    source: SourceName,
    versions: ReadonlyMap<string, string>,
    options?: WriteOptions,
  ): Promise<readonly string[]>;
  /**
   * Returns the paths that were refused. One that is not there is none of them. Without `asOf` it refuses nothing, and
   * whoever saw one of them before, or saw that it was not there, is refused afterwards.
   */
  remove(source: SourceName, paths: readonly string[], options?: WriteOptions): Promise<readonly string[]>;
  /** In the order of the ids; one that no longer exists is left out. */
  chunks(ids: readonly number[]): Promise<StoredChunk[]>;
  /** The chunks of one document in order of lines: all, or those that begin at `fromLine` or after it. */
  chunksOf(source: SourceName, path: string, options?: { fromLine?: number }): Promise<StoredChunk[]>;
  stats(): Promise<StoreStatistics>;
  /** Small facts that outlive a process (last sync, …). */
  readFact(key: string): Promise<string | null>;
  writeFact(key: string, value: string): Promise<void>;
}

/** Keyword search. A token is what `Analyser` of `longhand/stores` makes of a word, in documents and in queries alike. */
export interface StoreWords {
  /**
   * Ids of the chunks with any of the tokens, at most `limit`, the better ones where there are more: those with more and
   * with rarer tokens. A preselection: `search/` scores them, so their order does not matter.
   */
  byKeyword(tokens: readonly string[], options: { limit: number; filter?: ChunkFilter }): Promise<number[]>;
  /** The number of chunks that hold each token; 0 for one that none holds. */
  documentFrequencies(tokens: readonly string[]): Promise<Map<string, number>>;
  /**
   * Tokens of the index that begin with `prefix`, with their chunk counts, at most `limit`. Absent: misspelt words and
   * parts of words are not found.
   */
  tokensWithPrefix?(prefix: string, limit: number): Promise<{ token: string; chunks: number }[]>;
}

/** What keeps an index small, private and whole. */
export interface StoreMaintenance {
  /**
   * Leaves no trace of texts whose documents have been removed or put again without them: words, cached vectors, free
   * space, logs, copies. Absent: `forget` says that traces may be left.
   */
  purge?(request: PurgeRequest): Promise<PurgeReport>;
  /** All documents, in order of source and path. Absent: `listIndexed` gives null. */
  documents?(): Promise<readonly DocumentSummary[]>;
  /**
   * Differs from an earlier one when anybody, in any process, has written since. For this handle only, and cheap. Absent:
   * a watcher looks at the sources more often.
   */
  revision?(): Promise<string>;
  /** More than `stats` tells, for which all of the index may have to be looked at. Absent: sizes are 0. */
  describe?(): Promise<StoreDescription>;
  /**
   * Looks at the whole of the index and repairs what it can; says what was done, a sentence each. What is then missing,
   * the next sync adds. It may hold other work up for long. Absent: documents are put again.
   */
  repair?(options?: RepairOptions): Promise<readonly string[]>;
}

/** Semantic search: all of it or none. Vectors are kept by (embedder, text hash), so chunks and words depend on no model. */
export interface StoreVectors {
  /**
   * Gives chunks that lack vectors of this embedder those that their texts had before: a text that was removed and comes
   * back, or a set that was dropped, is not embedded again. Returns for how many texts. Only the vectors of embedders
   * with one vector a text outlive their chunks. Absent: such texts are embedded again.
   */
  reuseVectors?(embedder: EmbedderIdentity, narrow?: Pick<NarrowTexts, "only">): Promise<number>;
  /** Texts of chunks that have no vectors of this embedder yet, in a stable order, at most `limit`. None: all is done. */
  missingVectors(embedderId: string, limit: number, narrow?: NarrowTexts): Promise<MissingText[]>;
  /**
   * Keeps the vectors of texts that some chunk holds, all or none of them; others are passed over, so that an embedder
   * that was slow cannot bring back what was forgotten. A text that has vectors of this embedder keeps those. Rejects with
   * `vectors-invalid` when one is not finite, zero, or of another length than the embedder's others. Texts with several
   * small vectors are kept more coarsely than those with one.
   */
  putVectors(
    embedder: EmbedderIdentity,
    entries: readonly VectorEntry[],
    options: { vectorsPerText: "one" | "several" },
  ): Promise<void>;
  /**
   * All exact vectors of an embedder with one vector a text, some at a time, those included that no chunk uses: what
   * another store needs so that nothing is embedded again. Absent where a store cannot give them.
   */
  exportVectors?(embedder: EmbedderIdentity): AsyncIterable<readonly VectorEntry[]>;
  /** The chunks whose best vector is most similar to the query. */
  byVector(
    embedderId: string,
    query: Float32Array,
    options: { limit: number; filter?: ChunkFilter },
  ): Promise<VectorCandidates>;
  /** The similarity of these chunks; one without vectors is absent. */
  similarities(embedderId: string, query: Float32Array, ids: readonly number[]): Promise<Map<number, number>>;
  vectorStatistics(embedderId: string): Promise<VectorStatistics>;
  /** Whose vectors there are, and how far they go: a complete set can answer while another is being made. */
  vectorSets(): Promise<VectorSet[]>;
  /**
   * Says that this embedder is the one in use, and collects garbage when its set is complete: sets of other embedders that
   * nobody has searched or written for a week are dropped, and of the rest the longest unused above three; then vectors
   * that no chunk uses, oldest first, while there are more than the cache may hold. Called after every sync. Absent:
   * vectors are never dropped.
   */
  collectGarbage?(embedder: EmbedderIdentity): Promise<void>;
  /** Adds to what this embedder was asked for. It stays when documents are indexed again. Absent: costs are not added up. */
  addUsage?(embedderId: string, usage: EmbedderUsage): Promise<void>;
}
