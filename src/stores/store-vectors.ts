import type { ChunkFilter } from "./store.ts";

/**
 * Identifies an embedder. Vectors belong to an id and are never compared with those of another; the other three fields
 * are informative.
 */
export interface EmbedderIdentity {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly providerKey?: string | undefined;
}

/** A text that an embedder has not seen yet. Equal texts have equal hashes and appear once. */
export interface MissingText {
  readonly hash: string;
  readonly text: string;
}

/** Restricts a call to some texts, by their hashes. An absent field does not filter. */
export interface NarrowTexts {
  readonly except?: ReadonlySet<string>;
  readonly only?: readonly string[];
}

/** All vectors of one text. An empty list marks a text with nothing to embed. */
export interface VectorEntry {
  readonly hash: string;
  readonly vectors: readonly Float32Array[];
}

export interface VectorCandidates {
  /**
   * Best first. A similarity is a cosine, −1..1; an estimate for texts with several vectors, which are stored at lower
   * precision.
   */
  readonly candidates: readonly { readonly id: number; readonly similarity: number }[];
  /**
   * The similarity of an ordinary chunk of the whole index (of a sample in a large one), as a baseline. An estimate.
   */
  readonly median: number;
}

export interface EmbedderUsage {
  readonly requests: number;
  readonly tokens: number;
  readonly texts: number;
  /** Null if part of it is unknown. */
  readonly costUsd: number | null;
}

export interface VectorStatistics {
  /** Texts with vectors, and texts without. */
  readonly texts: number;
  readonly missing: number;
  /** An estimate of the tokens of missing texts, rather too many than too few. */
  readonly missingTokens: number;
  /** Absent while there is no vector. */
  readonly dims?: number;
  readonly sizeBytes: number;
  /** Since the index was created, including texts that no longer exist. */
  readonly usage: EmbedderUsage;
  /** Texts in the vector cache, of all embedders. */
  readonly cacheEntries: number;
  /** How vectors are searched: by our own code, or by an extension of the database. */
  readonly path: "builtin" | "sqlite-vec" | "pgvector";
  /** Why an extension that is configured or available is not used. */
  readonly loadError?: string;
}

/** The vectors of one embedder. */
export interface VectorSet {
  readonly id: string;
  readonly provider: string;
  /** Chunks that have none of them. */
  readonly missing: number;
}

/**
 * Semantic search: all of it or none. Vectors are stored by (embedder, text hash), so chunks and tokens depend on no
 * model.
 */
export interface StoreVectors {
  /**
   * Assigns earlier vectors of their texts to chunks that lack them: a text that was removed and comes back, or a set
   * that was dropped, is not embedded again. Returns how many texts. Only vectors of embedders with one vector per text
   * outlive their chunks. Absent: such texts are embedded again.
   */
  reuseVectors?(embedder: EmbedderIdentity, narrow?: Pick<NarrowTexts, "only">): Promise<number>;
  /**
   * Texts of chunks without vectors of this embedder, in a stable order, at most `limit`. Empty: everything is
   * embedded.
   */
  missingVectors(embedderId: string, limit: number, narrow?: NarrowTexts): Promise<MissingText[]>;
  /**
   * Stores vectors of texts that some chunk contains, all or none of them; others are skipped, so that a slow embedder
   * cannot bring back a forgotten text. A text that has vectors of this embedder keeps them. Rejects with
   * `vectors-invalid` if one is not finite, zero, or has other dimensions than the embedder's others. Texts with
   * several small vectors are stored at lower precision than those with one.
   */
  putVectors(
    embedder: EmbedderIdentity,
    entries: readonly VectorEntry[],
    options: { vectorsPerText: "one" | "several" },
  ): Promise<void>;
  /**
   * All exact vectors of an embedder with one vector per text, in groups, including those that no chunk uses: another
   * store can import them so that nothing is embedded again. Absent if a store cannot provide them.
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
  /**
   * The embedders with vectors, and how complete each set is: a complete set can answer while another is being made.
   */
  vectorSets(): Promise<VectorSet[]>;
  /**
   * Records that this embedder is in use, and collects garbage once its set is complete: drops sets of other embedders
   * that have not been used for a week, and all but the three most recently used; then evicts vectors that no chunk
   * uses, oldest first, down to the size of the cache. Called after every sync. Absent: vectors are never dropped.
   */
  collectGarbage?(embedder: EmbedderIdentity): Promise<void>;
  /** Adds to the usage of this embedder. It survives a reindex. Absent: costs are not added up. */
  addUsage?(embedderId: string, usage: EmbedderUsage): Promise<void>;
}
