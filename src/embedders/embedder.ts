import type { BatchJobs } from "./batch-jobs/batch-jobs.ts";

/**
 * Turns text into vectors, so that a query can find a note that shares no word with it.
 *
 * An embedder is complete or absent: a factory that cannot open one throws with the reason. All vectors under an id have
 * unit length and the same dimensions, so that a dot product is a cosine. The same text always gives the same vectors
 * (up to rounding, for a service), and vectors of different ids are never compared.
 */
export interface Embedder extends AsyncDisposable {
  /** The version of this interface that the embedder was written against. */
  readonly specificationVersion: 1;
  /**
   * Names everything that changes the vectors: provider, model or the hash of its files, endpoint, windows. It changes
   * only if a service begins to return vectors of another length, see `sync/follow-dimensions.ts`.
   */
  readonly id: string;
  /** As in the configuration and in results: `builtin`, `openai`, … */
  readonly provider: string;
  readonly model: string;
  /** For a service: SHA-256 of provider, address, model and names of headers; never of a key or another value. */
  readonly providerKey?: string | undefined;
  /** Null until the first response of a service shows it. */
  readonly dimensions: number | null;
  /** The maximum number of texts per call of `embedDocuments`. */
  readonly maxBatch: number;
  /**
   * `one`: a text has one vector at most. `several`: a text may be covered by several (its windows), and the best
   * of them is the similarity of the text. A store may keep several small vectors differently from one large one.
   */
  readonly vectorsPerText: "one" | "several";
  /** True if it may take long, or never answer: then a search does not wait for notes to be embedded. */
  readonly isSlow?: boolean;

  /**
   * The outcome for each text, in their order. An empty list of vectors means that the text has nothing to embed: it is
   * done, will never have a vector, and must not be requested again. Rejects if texts could not be embedded for a
   * reason that is not theirs.
   */
  embedDocuments(texts: readonly string[], options?: EmbedDocumentsOptions): Promise<readonly EmbeddedText[]>;

  /** One vector for the whole query; null if it has nothing to embed. */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array | null>;

  /**
   * Compares the words of a query with those of several texts, which tells more than one vector per text: each word may
   * have its counterpart elsewhere, and words that all of the texts have do not tell them apart. In the order of the
   * texts. Only a model that answers at once has it.
   */
  compareWords?(query: string, words: readonly string[], texts: readonly string[]): readonly WordComparison[];
  /** False for a word that the model only composes of pieces: words that share pieces with it look similar. */
  knowsWord?(word: string): boolean;

  /** Usage since it was opened, including jobs; absent if it is free. */
  usage?(): EmbedderUsage;
  /** List price, for estimates; null or absent if unknown. */
  readonly usdPerMillionTokens?: number | null;

  /** A cheaper way for many texts; absent if not available or not wanted. */
  readonly batches?: BatchJobs;
}

/** How the words of a text compare with those of a query. */
export interface WordComparison {
  /** By query word: the cosine of the most similar word of the text, 0 if there is none. */
  readonly cosines: Float32Array;
  /**
   * The cosine between the whole query and the most similar run of words, each weighed by how few of the compared texts
   * have it; null without a known word.
   */
  readonly similarity: number | null;
}

/** The vectors of one text, in the order of its parts. */
export type TextVectors = readonly Float32Array[];

/** The embedder takes other texts but not this one. Asking again would give the same answer. */
export interface RefusedText {
  readonly refused: string;
}

export type EmbeddedText = TextVectors | RefusedText;

export interface EmbedOptions {
  /** Rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

export interface EmbedDocumentsOptions extends EmbedOptions {
  /**
   * Called with texts as soon as they are done, in any order and each once, before the call ends: what was paid for can
   * be kept even if the rest fails. An embedder that is done at once need not call it.
   */
  readonly onEmbedded?: (index: number, text: EmbeddedText) => void;
}

export interface EmbedderUsage {
  readonly requests: number;
  /** As the service counted them; estimated where it does not say. */
  readonly tokens: number;
  /** Estimated from the list price of the model; null where that is not known. */
  readonly costUsd: number | null;
}

export function isRefused(text: EmbeddedText): text is RefusedText {
  return "refused" in text;
}

type CompareWords = NonNullable<Embedder["compareWords"]>;

/**
 * The same embedder as a plain object, so that some members can be replaced. Copied member by member: those of a class
 * are on its prototype, and some need their own `this`.
 */
export function delegateTo(embedder: Embedder): Embedder {
  const { id, provider, model, dimensions, maxBatch, vectorsPerText } = embedder;
  const { isSlow, usdPerMillionTokens, batches } = embedder;
  return {
    specificationVersion: 1,
    ...{ id, provider, model, dimensions, maxBatch, vectorsPerText },
    ...(isSlow === undefined ? {} : { isSlow }),
    ...(usdPerMillionTokens === undefined ? {} : { usdPerMillionTokens }),
    ...(batches === undefined ? {} : { batches }),
    ...(embedder.usage && { usage: () => embedder.usage!() }),
    ...(embedder.compareWords && {
      compareWords: (...given: Parameters<CompareWords>) => embedder.compareWords!(...given),
    }),
    ...(embedder.knowsWord && { knowsWord: (word: string) => embedder.knowsWord!(word) }),
    embedDocuments: (texts, options) => embedder.embedDocuments(texts, options),
    embedQuery: (text, options) => embedder.embedQuery(text, options),
    [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose](),
  };
}
