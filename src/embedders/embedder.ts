/**
 * Turns text into vectors, so that a question can meet a note that shares no word with it.
 *
 * An embedder is complete or absent: a factory that cannot make one throws and says why. Every vector that it gives
 * has unit length and `dimensions` numbers, so that a dot product is a cosine. The same text always gives the same
 * vectors (to rounding, for a service), and vectors of two different ids are never compared.
 */
export interface Embedder extends AsyncDisposable {
  /** Names everything that changes the vectors: provider, model or the hash of its files, endpoint, windows. */
  readonly id: string;
  /** As in the configuration and in results: `builtin`, `openai`, … */
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  /** How many texts one call of `embedDocuments` may be given. */
  readonly maxBatch: number;
  /**
   * `one`: a text has one vector at most. `several`: a text may be covered by several (its windows), and the best
   * of them is the similarity of the text. A store may keep many small vectors otherwise than one large one.
   */
  readonly vectorsPerText: "one" | "several";

  /**
   * One list of vectors for each text, in the order of the texts. An empty list means that the text holds nothing
   * to embed: it is done and will never have a vector, so it must not be asked for again.
   */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<readonly TextVectors[]>;

  /** One vector for the whole question; null when it holds nothing to embed. */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array | null>;
}

/** The vectors of one text, in the order of its parts. */
export type TextVectors = readonly Float32Array[];

export interface EmbedOptions {
  /** Rejects with `aborted`. */
  readonly signal?: AbortSignal;
}
