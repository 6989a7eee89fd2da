import type { Chunk, Document, LineRange, Scope, SourceName } from "../text/document.ts";

/** What the store knows of one document; the difference to a listing is the work of a sync. */
export interface IndexedVersion {
  readonly version: string;
  readonly hash: string;
  /** Id of the chunker that cut it. */
  readonly chunker: string;
}

/**
 * A document with its chunks. One that follows an earlier version (`document.part.follows`) replaces only the chunks
 * from `openLine` on, and is passed over when the store does not hold that very version: what stands before would not
 * be what it goes on from.
 */
export interface IndexedDocument {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
}

/** Narrows a search to some chunks. An absent field does not filter. */
export interface ChunkFilter {
  readonly source?: SourceName;
  /** Dates are `YYYY-MM-DD`, inclusive; an undated document never passes a date filter. */
  readonly since?: string;
  readonly until?: string;
  /** A glob on the whole path. */
  readonly pathGlob?: string;
  /** Leaves out private documents. */
  readonly sharedOnly?: boolean;
}

/**
 * A keyword query as the index understands it: any clause may match (OR). Every word is a token of `text/analyse`,
 * so all stores agree on what a word is.
 */
export interface KeywordClause {
  /** One token, or several that must follow each other. */
  readonly tokens: readonly string[];
  /** The last token matches as a prefix. */
  readonly prefix?: boolean;
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
  /** Why nothing can be written at present; absent when it can, or when nobody has tried. */
  readonly readOnly?: string;
  /** Absent means that words can be searched. */
  readonly keyword?: { readonly available: boolean; readonly error?: string };
}

/** A text that an embedder has not seen yet. Equal texts have equal hashes and are asked for once. */
export interface MissingText {
  readonly hash: string;
  readonly text: string;
}

/** All vectors of one text. An empty list marks a text that holds nothing to embed. */
export interface VectorEntry {
  readonly hash: string;
  readonly vectors: readonly Float32Array[];
}

export interface VectorCandidates {
  /** Best first. A similarity is a cosine, −1..1; an estimate where vectors are kept coarsely. */
  readonly candidates: readonly { readonly id: number; readonly similarity: number }[];
  /** The similarity of an ordinary chunk of the whole index (in a large one, of a sample), to measure others by. */
  readonly median: number;
}

export interface VectorStatistics {
  /** Texts that the embedder has dealt with, and those that it has not. */
  readonly texts: number;
  readonly missing: number;
  /** Absent while there is no vector. */
  readonly dims?: number;
  readonly sizeBytes: number;
}

export interface PurgeReport {
  /** Cached vectors that were deleted. */
  readonly cacheEntries: number;
  /** Lines of other chunks that say the same as one of the texts. They are not touched. */
  readonly stillIn: readonly { readonly path: string; readonly line: number }[];
  /** Other files of the index that held old text and were deleted. */
  readonly deletedFiles: readonly string[];
  /** What a search for the texts and their words in the raw bytes of the index gave. */
  readonly rawSearch: "not-found" | "found" | "not-searched";
  /** Why it was not searched, or what was found. */
  readonly detail?: string;
}

/**
 * The derived index. It depends on no model: vectors are kept by (embedder, text hash) beside it. Everything in it can
 * be rebuilt from the sources, and several processes may have it open at once.
 */
export interface Store extends AsyncDisposable {
  versions(source: SourceName): Promise<Map<string, IndexedVersion>>;
  /** Each document replaces its earlier self at once: a reader sees the old or the new, never a mix. */
  put(documents: readonly IndexedDocument[], chunkerId: string): Promise<void>;
  /** Same content under a new version: nothing but the version changes. */
  touch(source: SourceName, versions: ReadonlyMap<string, string>): Promise<void>;
  remove(source: SourceName, paths: readonly string[]): Promise<void>;

  /** Ids of the chunks that match best, best first: a cheap preselection, scored afterwards by `search/`. */
  byKeyword(
    clauses: readonly KeywordClause[],
    options: { limit: number; filter?: ChunkFilter },
  ): Promise<number[]>;
  chunks(ids: readonly number[]): Promise<StoredChunk[]>;
  /** The chunks of one document in order of lines: all, or those that begin at `fromLine` or after it. */
  chunksOf(source: SourceName, path: string, options?: { fromLine?: number }): Promise<StoredChunk[]>;
  /** In how many chunks each token stands; absent tokens have 0. */
  documentFrequencies(tokens: readonly string[]): Promise<Map<string, number>>;
  /** Tokens of the index that begin with `prefix`, with their chunk counts, at most `limit`. */
  tokensWithPrefix(prefix: string, limit: number): Promise<{ token: string; chunks: number }[]>;

  /** Texts of chunks that have no vectors of this embedder yet, in a stable order, at most `limit`. None: all is done. */
  missingVectors(embedderId: string, limit: number): Promise<MissingText[]>;
  /**
   * Keeps the vectors of texts, all or none of them. A text that has vectors of this embedder keeps those, and one that
   * no chunk holds any more is passed over. Rejects with `vectors-invalid` when one is not finite, zero, or of another
   * length than the embedder's others. Texts with several small vectors are kept more coarsely than those with one.
   */
  putVectors(
    embedderId: string,
    entries: readonly VectorEntry[],
    options: { vectorsPerText: "one" | "several" },
  ): Promise<void>;
  /** The chunks whose best vector is most similar to the query. */
  byVector(
    embedderId: string,
    query: Float32Array,
    options: { limit: number; filter?: ChunkFilter },
  ): Promise<VectorCandidates>;
  /** The similarity of these chunks; one without vectors is absent. */
  similarities(embedderId: string, query: Float32Array, ids: readonly number[]): Promise<Map<number, number>>;
  vectorStatistics(embedderId: string): Promise<VectorStatistics>;
  /** Forgets the vectors of every embedder but these. */
  keepVectors(embedderIds: readonly string[]): Promise<void>;

  /**
   * Leaves no trace of texts whose documents have been removed or put again without them: words, cached vectors, free
   * space, logs, copies. Absent where a store cannot promise that.
   */
  purge?(request: { readonly texts: readonly string[] }): Promise<PurgeReport>;

  stats(): Promise<StoreStatistics>;
  /** Differs from an earlier one when anybody, in any process, has written since. For this handle only, and cheap. */
  revision?(): Promise<string>;
  /** Small facts that outlive a process (last sync, …). */
  readFact(key: string): Promise<string | null>;
  writeFact(key: string, value: string): Promise<void>;
}
