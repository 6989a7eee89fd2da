/** The folders and the environment that one qmd works with; nothing of the user's own qmd is touched. */
export interface QmdPlace {
  /** Absolute; holds all of the following. */
  readonly folder: string;
  readonly configFile: string;
  readonly indexFile: string;
}

export interface QmdQuestion {
  /** Sub-queries for words, the most telling first. */
  readonly words: readonly string[];
  /** The whole question, to be compared by meaning; null for words alone. */
  readonly meaning: string | null;
  /** The question for qmd's model that words it in other ways; null where that is not wanted. */
  readonly expand: string | null;
  /** The question for qmd's model that scores what was found; null where that is not wanted. */
  readonly rerank: string | null;
  /** Null asks all of them. */
  readonly collections: readonly string[] | null;
  /** Documents, for each sub-query. */
  readonly limit: number;
}

/** A document that qmd names, with every sub-query that found it. */
export interface QmdDocument {
  readonly collection: string;
  /** As the file is called below the folder of its collection. */
  readonly file: string;
  /** The first characters of the SHA-256 of the text that qmd has indexed. */
  readonly hashStart: string;
  readonly byWord: readonly { readonly query: string; readonly rank: number }[];
  /** By its best vector, and where that stands as far as qmd tells: some text, and its offset in the document. */
  readonly byMeaning?: {
    readonly similarity: number;
    readonly text: string;
    readonly offset: number | null;
  };
  /** How well qmd's reranking model finds that a passage of it answers, 0..1, and that passage. */
  readonly rerank?: { readonly score: number; readonly text: string; readonly offset: number | null };
}

/** Documents that are reranked for one question: a model reads each of them. */
export const rerankedDocuments = 20;

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A qmd at work. Every call ends in time, with an answer or an error of the code `backend-failed`. */
export interface QmdDriver extends AsyncDisposable {
  /** How it is driven, for people. */
  readonly way: "library" | "command line";
  ask(question: QmdQuestion, options: CallOptions): Promise<readonly QmdDocument[]>;
  /** Makes its index that of the files in its collections. */
  update(options: CallOptions): Promise<void>;
}
